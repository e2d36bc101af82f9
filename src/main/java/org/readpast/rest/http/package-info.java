/**
 * Contains what all requests share: reading bodies and parameters, answers, errors as {@code
 * application/problem+json}, and the filters that set or check headers.
 *
 * <p>JSON values that the API does not interpret (payloads) stay slices of the received text, so
 * that not a digit is lost; see {@link org.readpast.rest.http.JsonText}.
 *
 * <p>Knows no resource and no user.
 */
package org.readpast.rest.http;
