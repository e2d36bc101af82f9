package org.readpast.rest;

import jakarta.annotation.security.DeclareRoles;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import org.readpast.rest.access.Roles;

/** Defines the REST API, which {@code META-INF/openapi.yaml} describes. */
@ApplicationPath("api")
@DeclareRoles({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
public class RestApplication extends Application {}
