package org.readpast.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.servlet.Servlet;
import jakarta.servlet.annotation.WebServlet;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.readpast.model.JobDependencies;
import org.readpast.server.access.Routes.Role;

/** Compares the table of routes and roles with the sources: a new route needs a new row. */
class RoutesTest {
  private static final java.nio.file.Path PAGES = java.nio.file.Path.of("src/main/webapp");
  private static final String OF_BATCH = "/api/batches/{name}/";
  private static final Set<String> ROLES =
      Set.of("readpast-viewer", "readpast-operator", "readpast-admin");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("org.readpast");

  /** Describes a method that responds to requests. */
  private record Answering(String method, String path, Role least, boolean byQueue) {}

  @Test
  void every_resource_method_has_a_row_with_its_role() {
    List<String> rows =
        Routes.api().stream()
            .map(row -> row + " " + row.least() + " " + row.byQueue())
            .sorted()
            .toList();
    List<String> sources =
        answering().stream()
            .map(one -> one.method + " " + one.path + " " + one.least + " " + one.byQueue)
            .sorted()
            .toList();
    assertThat(sources).isEqualTo(rows);
  }

  @Test
  void api_description_matches_the_rows() throws IOException {
    List<String> described = new ArrayList<>();
    String path = "";
    for (String line : Files.readAllLines(PAGES.resolve("WEB-INF/classes/META-INF/openapi.yaml"))) {
      if (line.startsWith("  /")) {
        path = line.strip().replace(":", "");
      } else if (line.matches("    (get|post|put|patch|delete):")) {
        described.add(
            line.strip().replace(":", "").toUpperCase(java.util.Locale.ROOT) + " " + path);
      }
    }
    assertThat(described)
        .containsExactlyInAnyOrderElementsOf(
            Routes.api().stream().map(Routes.Route::toString).toList());
  }

  @Test
  void batch_names_do_not_collide_with_sub_resources() {
    List<String> verbs =
        Routes.api().stream()
            .map(Routes.Route::path)
            .filter(path -> path.startsWith(OF_BATCH))
            .map(path -> path.substring(OF_BATCH.length()))
            .toList();
    assertThat(verbs)
        .contains("graph")
        .allSatisfy(
            verb ->
                assertThatThrownBy(() -> JobDependencies.inBatch("x/" + verb, 0))
                    .hasMessageContaining("part of a URL"));
  }

  @Test
  void every_static_file_has_a_row() throws IOException {
    List<String> rows = Routes.files().stream().map(Routes.Route::path).toList();
    try (Stream<java.nio.file.Path> files = Files.walk(PAGES)) {
      List<String> without =
          files
              .filter(Files::isRegularFile)
              .map(file -> "/" + PAGES.relativize(file).toString().replace('\\', '/'))
              .filter(file -> !file.startsWith("/WEB-INF/"))
              .filter(
                  file ->
                      rows.stream()
                          .noneMatch(
                              row ->
                                  row.equals(file)
                                      || row.length() > 1
                                          && row.endsWith("/")
                                          && file.startsWith(row)))
              .toList();
      assertThat(without).isEmpty();
    }
  }

  @Test
  void every_servlet_has_a_row() {
    assertThat(CLASSES)
        .filteredOn(one -> one.isAssignableTo(Servlet.class))
        .flatExtracting(one -> List.of(one.getAnnotationOfType(WebServlet.class).value()))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(Routes.SERVLETS.stream(), Stream.of(Routes.DOCUMENTATION)).toList());
  }

  /**
   * Fails if the application has an endpoint of a kind that the table of routes cannot describe.
   */
  @Test
  void application_has_no_other_endpoint() {
    assertThat(CLASSES)
        .filteredOn(
            one ->
                one.isAnnotatedWith("jakarta.websocket.server.ServerEndpoint")
                    || one.isAnnotatedWith("jakarta.jws.WebService"))
        .isEmpty();
  }

  private static List<Answering> answering() {
    List<Answering> found = new ArrayList<>();
    for (JavaClass one : CLASSES) {
      if (one.isAnnotatedWith(Path.class)) {
        Class<?> type = one.reflect();
        Stream.of(type.getMethods())
            .filter(method -> verb(method) != null)
            .forEach(method -> found.add(answering(type, method)));
      }
    }
    return found;
  }

  private static Answering answering(Class<?> type, Method method) {
    Path more = method.getAnnotation(Path.class);
    String path =
        "/api/" + type.getAnnotation(Path.class).value() + (more == null ? "" : "/" + more.value());
    // The paths in the API description contain no patterns.
    return new Answering(
        verb(method),
        path.replaceAll("\\{(\\w+):[^}]*}", "{$1}"),
        least(type, method),
        byQueue(method) != null
            || !method.isAnnotationPresent(RolesAllowed.class) && byQueue(type) != null);
  }

  private static String verb(Method method) {
    for (Annotation annotation : method.getAnnotations()) {
      HttpMethod verb = annotation.annotationType().getAnnotation(HttpMethod.class);
      if (verb != null) {
        return verb.value();
      }
    }
    return null;
  }

  /** Returns the lowest role if a role in a single queue suffices, otherwise null. */
  private static Role byQueue(AnnotatedElement element) {
    for (Annotation annotation : element.getAnnotations()) {
      if (annotation.annotationType().getSimpleName().equals("AnyQueue")) {
        try {
          Method value = annotation.annotationType().getDeclaredMethod("value");
          value.setAccessible(true);
          return Role.valueOf(value.invoke(annotation).toString());
        } catch (ReflectiveOperationException e) {
          throw new AssertionError(e);
        }
      }
    }
    return null;
  }

  private static Role least(Class<?> type, Method method) {
    Role byQueue = byQueue(method);
    RolesAllowed roles = method.getAnnotation(RolesAllowed.class);
    if (byQueue == null && roles == null) {
      byQueue = byQueue(type);
      roles = type.getAnnotation(RolesAllowed.class);
    }
    if (byQueue != null) {
      assertThat(roles).as("%s mixes roles of two kinds", method).isNull();
      return byQueue;
    }
    if (type.isAnnotationPresent(PermitAll.class)) {
      assertThat(roles).as("%s is open to all, and to single roles", method).isNull();
      return Role.ANYBODY;
    }
    assertThat(roles).as("%s has no @RolesAllowed", method).isNotNull();
    Set<String> allowed = new TreeSet<>(List.of(roles.value()));
    assertThat(ROLES).containsAll(allowed);
    // Higher roles may also use the route.
    assertThat(allowed).as(method.toString()).contains("readpast-admin");
    if (allowed.contains("readpast-viewer")) {
      assertThat(allowed).as(method.toString()).hasSize(3);
      return Role.VIEWER;
    }
    return allowed.contains("readpast-operator") ? Role.OPERATOR : Role.ADMIN;
  }
}
