package org.readpast.store;

/** Identifies a wave of a batch. */
public record Wave(long batch, int no) {}
