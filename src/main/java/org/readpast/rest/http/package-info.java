/**
 * Contains what all resources use: readers of bodies and parameters, responses, errors as {@code
 * application/problem+json}, and the filters that set or check headers.
 *
 * <p>JSON values that the API does not interpret (payloads) stay slices of the received text, so
 * that no digit is lost; see {@link org.readpast.rest.http.JsonText}.
 *
 * <p>This package must not depend on resources or users.
 */
package org.readpast.rest.http;
