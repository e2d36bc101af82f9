/**
 * Tests the documentation against the code: snippets are compiled, parsed or executed, names are
 * looked up, and each reference list is compared with the code in both directions.
 */
package org.readpast.docs;
