/**
 * Runs random sequences of commands against the store and the engine's steps on a real database,
 * and compares the results with a model that consists of plain collections.
 */
package org.readpast.modeltest;
