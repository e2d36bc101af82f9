/**
 * Random sequences of commands against the store and the engine's steps on a real database, beside
 * a model of plain collections that says what must come of them.
 */
package org.readpast.modeltest;
