package org.readpast.rest.signin;

import java.util.Set;

/**
 * Describes a user that may sign in.
 *
 * @param passwordHash the hash in the format of {@code Pbkdf2PasswordHash}
 * @param roles the roles in {@link Roles}, or roles of single queues
 */
record User(String passwordHash, Set<String> roles) {}
