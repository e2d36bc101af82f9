/** Contains the classes that both versions of the deployed application share. */
package org.readpast.upgrade.app;
