package org.readpast.api;

/**
 * What a schedule does about planned moments at which no node was there to fire it. One that is
 * late by less than a minute has not been missed: it fires as planned.
 */
public enum CatchUp {
  /** They are left out. */
  NONE,
  /** One job for all of them, planned at the last one. */
  ONCE,
  /** A job for each, but for no more than the cap: the latest ones. */
  ALL
}
