package org.readpast.store;

/** A wave of a batch. */
public record Wave(long batch, int no) {}
