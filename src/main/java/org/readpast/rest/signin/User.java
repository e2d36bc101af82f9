package org.readpast.rest.signin;

import java.util.Set;
import org.readpast.model.Role;

/**
 * Describes a user that may sign in.
 *
 * @param passwordHash in the format of {@code Pbkdf2PasswordHash}
 * @param roles from {@link Role.General}, or roles of single queues
 */
record User(String passwordHash, Set<String> roles) {}
