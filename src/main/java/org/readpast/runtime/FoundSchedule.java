package org.readpast.runtime;

import jakarta.enterprise.inject.spi.Annotated;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.readpast.api.Scheduled;
import org.readpast.model.Owner;

/**
 * Describes a schedule that a method declares.
 *
 * @param name an explicit name, or a default name, which lacks its owner until {@link #ownedBy}
 *     adds it; the same applies to the job type
 * @param fields the fields in the form that {@link org.readpast.model.ScheduleDefinition#read}
 *     takes
 * @param place the name of the method in messages
 */
record FoundSchedule(String name, Map<String, String> fields, String place) {

  /** Returns the schedules that a method declares; empty if there are none. */
  static List<Scheduled> annotations(Annotated method) {
    Scheduled.List several = method.getAnnotation(Scheduled.List.class);
    Scheduled one = method.getAnnotation(Scheduled.class);
    return several != null ? List.of(several.value()) : one != null ? List.of(one) : List.of();
  }

  /**
   * Returns the schedules that a method declares, and adds an error if several of them would have
   * the same name.
   */
  static List<Scheduled> annotations(Annotated method, String place, List<String> errors) {
    List<Scheduled> declared = annotations(method);
    Set<String> names = declared.stream().map(Scheduled::name).collect(Collectors.toSet());
    if (declared.size() > 1 && (names.size() < declared.size() || names.contains(""))) {
      errors.add(
          "@Scheduled method "
              + place
              + " has "
              + declared.size()
              + " schedules; give each of them a unique name in @Scheduled(name = …)");
      return List.of();
    }
    return declared;
  }

  /**
   * Returns the schedule of an annotation; {@code type} and {@code queue} are those of the method's
   * job.
   */
  static FoundSchedule of(
      Scheduled scheduled, String name, String type, String queue, String place) {
    Map<String, String> fields = new LinkedHashMap<>();
    put(fields, "cron", scheduled.cron());
    put(fields, "daily", scheduled.daily());
    put(fields, "every", scheduled.every());
    put(fields, "anchor", scheduled.anchor());
    put(fields, "zone", scheduled.zone());
    put(fields, "type", type);
    put(fields, "queue", scheduled.queue().isEmpty() ? queue : scheduled.queue());
    put(fields, "priority", Integer.toString(scheduled.priority()));
    put(fields, "payload", scheduled.payload());
    put(fields, "catchUp", scheduled.catchUp().name());
    put(fields, "catchUpCap", Integer.toString(scheduled.catchUpCap()));
    put(fields, "overlap", scheduled.overlap().name());
    put(fields, "latestStart", scheduled.latestStart());
    return new FoundSchedule(name, fields, place);
  }

  /** Returns the schedule with complete names. */
  FoundSchedule ownedBy(Owner owner) {
    Map<String, String> complete = new LinkedHashMap<>(fields);
    complete.computeIfPresent("type", (field, type) -> owner.complete(type));
    return new FoundSchedule(owner.complete(name), complete, place);
  }

  private static void put(Map<String, String> fields, String field, String value) {
    if (!value.isEmpty()) {
      fields.put(field, value);
    }
  }
}
