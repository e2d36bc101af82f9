package org.readpast.rest;

import jakarta.annotation.security.DeclareRoles;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.enums.SecuritySchemeType;
import org.eclipse.microprofile.openapi.annotations.info.Info;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.security.SecurityScheme;

/** The REST API. */
@ApplicationPath("api")
@DeclareRoles({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
@OpenAPIDefinition(
    info =
        @Info(
            title = "Readpast",
            version = "0.1",
            description =
                "A durable job queue in PostgreSQL. Errors are application/problem+json with a "
                    + "sentence that tells what to do. Roles: readpast-viewer looks, "
                    + "readpast-operator also changes, readpast-admin may everything."),
    security = @SecurityRequirement(name = "basic"))
@SecurityScheme(securitySchemeName = "basic", type = SecuritySchemeType.HTTP, scheme = "basic")
public class RestApplication extends Application {}
