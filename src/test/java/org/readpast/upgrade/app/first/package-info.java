/** Contains the first version of the deployed application. */
package org.readpast.upgrade.app.first;
