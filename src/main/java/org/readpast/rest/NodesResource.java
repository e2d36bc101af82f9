package org.readpast.rest;

import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.readpast.admin.Browser;
import org.readpast.store.NodeView;

/** Nodes: the engines that run or ran. */
@ApplicationScoped
@Path("nodes")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@Tag(name = "Nodes")
public class NodesResource {

  @Inject Browser browser;

  /** Every node. */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
  @Operation(summary = "Lists the engines that run or ran, the newest first")
  @APIResponse(
      responseCode = "200",
      content =
          @Content(schema = @Schema(type = SchemaType.ARRAY, implementation = NodeView.class)))
  public Response list() {
    return Answer.of(200, browser.nodes()).response();
  }
}
