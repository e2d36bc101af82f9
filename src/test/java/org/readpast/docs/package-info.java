/**
 * Holds the pages to the code: what they show is compiled, parsed, executed or looked up, and what
 * a reference lists is compared with the code in both directions.
 */
package org.readpast.docs;
