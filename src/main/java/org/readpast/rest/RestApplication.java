package org.readpast.rest;

import jakarta.annotation.security.DeclareRoles;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** The REST API; {@code META-INF/openapi.yaml} describes it. */
@ApplicationPath("api")
@DeclareRoles({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
public class RestApplication extends Application {}
