/** Contains the second version of the deployed application. */
package org.readpast.upgrade.app.second;
