/**
 * The HTTP shell under {@code /api}: who may come in, JSON to jobs and back, and errors as {@code
 * application/problem+json}. {@code META-INF/openapi.yaml} of the WAR says what is taken and
 * answered.
 *
 * <p>JSON values that are not ours to understand (payloads) stay slices of the text they came in,
 * so that not a digit is lost; see {@link org.readpast.rest.JsonText}.
 *
 * <p>Beside it the remote EJB for other applications on the server, {@link
 * org.readpast.rest.RemoteQueue}, which reads what it is asked for by the same rules.
 *
 * <p>Knows {@code admin} and what lies below.
 */
package org.readpast.rest;
