package org.readpast.rest;

import java.util.Set;

/**
 * Somebody who may come in.
 *
 * @param passwordHash as {@code Pbkdf2PasswordHash} writes it
 * @param roles some of {@link Roles}, or of single queues
 */
record User(String passwordHash, Set<String> roles) {}
