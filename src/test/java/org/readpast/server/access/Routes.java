package org.readpast.server.access;

import java.util.List;
import java.util.Optional;

/**
 * Contains the table of all routes and their roles. {@link RoutesTest} compares the table with the
 * sources, {@link RolesIT} with a running server; a route without a row fails the build.
 */
final class Routes {
  /**
   * Lists the roles in ascending order; each role includes the permissions of the roles before it.
   */
  enum Role {
    ANYBODY,
    VIEWER,
    OPERATOR,
    ADMIN
  }

  /**
   * Represents a route or a file, and the role that it requires.
   *
   * @param byQueue true if a role in a single queue suffices
   * @param path the path below the application, as in the API description
   * @param example a concrete path, or the same path
   * @param status the status of the response to a caller with the role
   * @param body the body of the request; empty: none
   */
  record Route(
      String method,
      String path,
      Role least,
      boolean byQueue,
      String example,
      int status,
      String body) {
    @Override
    public String toString() {
      return method + " " + path;
    }
  }

  /**
   * Each row has a method, a path, the lowest role, the status for a caller with that role, and a
   * body. A star after the role means that a role in a single queue suffices, even for an existing
   * object. Rows that change something name an object that does not exist, or send a body that is
   * refused after the check of the roles.
   */
  private static final String API =
      """
      GET    /api/about                                 VIEWER    200
      GET    /api/audit                                 VIEWER*   200
      GET    /api/batches                               VIEWER*   200
      GET    /api/batches/{name}                        VIEWER*   404
      PUT    /api/batches/{name}                        OPERATOR* 400 {"none":1}
      POST   /api/batches/{name}/cancellation           OPERATOR* 404
      GET    /api/batches/{name}/graph                  VIEWER*   404
      POST   /api/batches/{name}/hold                   OPERATOR* 404
      POST   /api/batches/{name}/release                OPERATOR* 404
      POST   /api/batches/{name}/seal                   OPERATOR* 404
      POST   /api/batches/{name}/skip                   OPERATOR* 404
      GET    /api/encryption                            ADMIN     200
      POST   /api/encryption/rotations                  ADMIN     409
      GET    /api/events                                VIEWER*   200
      GET    /api/jobs                                  VIEWER*   200
      POST   /api/jobs/bulk                             OPERATOR* 400 {"none":1}
      GET    /api/jobs/counts                           VIEWER*   200
      POST   /api/jobs/erase                            ADMIN*    400 {"none":1}
      GET    /api/jobs/facets                           VIEWER*   200
      GET    /api/jobs/{id}                             VIEWER*   404
      DELETE /api/jobs/{id}                             OPERATOR* 404
      POST   /api/jobs/{id}/cancellation                OPERATOR* 404
      POST   /api/jobs/{id}/priority                    OPERATOR* 404 {"priority":1}
      POST   /api/jobs/{id}/reschedule                  OPERATOR* 404 {"at":"2027-01-01T06:00:00Z"}
      POST   /api/jobs/{id}/reset                       OPERATOR* 404
      POST   /api/jobs/{id}/run                         OPERATOR* 404
      GET    /api/listener                              VIEWER    200
      GET    /api/nodes                                 VIEWER    200
      POST   /api/nodes/{id}/drain                      ADMIN     404
      GET    /api/overview                              VIEWER*   200
      GET    /api/queues                                VIEWER*   200
      PATCH  /api/queues/{queue}                        OPERATOR* 404 {"paused":true}
      PATCH  /api/queues/{queue}/groups/{group}         OPERATOR* 400 {"none":1}
      POST   /api/queues/{queue}/groups/{group}/skip    OPERATOR* 202
      POST   /api/queues/{queue}/jobs                   OPERATOR* 400 {"none":1}
      POST   /api/queues/{queue}/purge                  ADMIN*    404
      GET    /api/rules                                 VIEWER    200
      GET    /api/rules/{name}                          VIEWER    404
      PUT    /api/rules/{name}                          ADMIN     400 {"none":1}
      PATCH  /api/rules/{name}                          ADMIN     404 {"enabled":false}
      DELETE /api/rules/{name}                          ADMIN     404
      GET    /api/rules/{name}/runs                     VIEWER    404
      POST   /api/rules/{name}/runs                     OPERATOR  404
      GET    /api/schedules                             VIEWER*   200
      GET    /api/schedules/{name}                      VIEWER*   404
      PUT    /api/schedules/{name}                      ADMIN     400 {"none":1}
      PATCH  /api/schedules/{name}                      ADMIN     404 {"enabled":false}
      DELETE /api/schedules/{name}                      ADMIN     404
      GET    /api/schedules/{name}/runs                 VIEWER*   404
      POST   /api/schedules/{name}/runs                 OPERATOR* 404
      GET    /api/session                               ANYBODY   200
      POST   /api/session                               ANYBODY   400 {"none":1}
      DELETE /api/session                               ANYBODY   204
      GET    /api/sql/executions                        VIEWER    200
      GET    /api/throughput                            VIEWER*   200
      GET    /api/throughput/breakdown                  VIEWER*   200
      GET    /api/throughput/types                      VIEWER*   200
      GET    /api/types                                 VIEWER    200
      PATCH  /api/types/{type}                          ADMIN     404 {"globalConcurrency":1}""";

  /** Lists the static files of the WAR. A folder ends with a slash and has an example. */
  private static final String FILES =
      """
      /
      /console.css
      /console/ main.js
      /error.html
      /icon.svg
      /index.html
      /oidc.css
      /vendor/ SHA256SUMS""";

  /**
   * Lists the paths to an OpenID provider and back, which are open to all callers. If no provider
   * is configured, these paths return a page that says so.
   */
  static final List<String> SERVLETS = List.of("/oidc", "/oidc/callback");

  /** The documentation is shown to signed-in users; other users are redirected to the console. */
  static final String DOCUMENTATION = "/docs/*";

  /** Lists endpoints of the server outside the application. */
  static final List<String> OPEN_TO_ALL =
      List.of("/health", "/health/started", "/health/live", "/health/ready", "/openapi");

  private Routes() {}

  static List<Route> api() {
    return API.lines()
        .map(row -> row.split(" +", 5))
        .map(
            row ->
                new Route(
                    row[0],
                    row[1],
                    Role.valueOf(row[2].replace("*", "")),
                    row[2].endsWith("*"),
                    example(row[1]),
                    Integer.parseInt(row[3]),
                    row.length > 4 ? row[4] : ""))
        .toList();
  }

  static List<Route> files() {
    return FILES
        .lines()
        .map(row -> row.split(" "))
        .map(
            row ->
                new Route(
                    "GET",
                    row[0],
                    Role.ANYBODY,
                    false,
                    row[0] + (row.length > 1 ? row[1] : ""),
                    200,
                    ""))
        .toList();
  }

  /** Returns the row of a method and a path of the API description. */
  static Optional<Route> of(String method, String path) {
    return api().stream()
        .filter(route -> route.method().equals(method) && route.path().equals(path))
        .findFirst();
  }

  private static String example(String path) {
    return path.replace("/jobs/{id}", "/jobs/999999999")
        .replace("{id}", "00000000-0000-0000-0000-000000000000")
        .replaceAll("\\{\\w+}", "nowhere");
  }
}
