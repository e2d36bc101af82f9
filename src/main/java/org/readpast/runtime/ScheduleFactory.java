package org.readpast.runtime;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.readpast.api.ReadpastException;
import org.readpast.model.Names;
import org.readpast.model.ScheduleDefinition;
import org.readpast.schedule.ScheduleDeclarations.Declared;

/** Merges the schedules that methods declare with those that the configuration declares. */
@ApplicationScoped
public class ScheduleFactory {
  private static final List<String> TIMINGS = List.of("cron", "daily", "every");
  private static final int LONGEST_PLACE = 300;

  @Inject HandlerExtension extension;
  @Inject Configuration configuration;
  @Inject Json json;

  /** Returns all declared schedules; the configuration overrides the annotations. */
  List<Declared> declared(ConfigurationErrors errors) {
    Map<String, FoundSchedule> all = new TreeMap<>();
    extension.schedules().forEach(found -> all.put(found.name(), found));
    configuration
        .schedules()
        .forEach(
            (name, configured) -> {
              if (!all.containsKey(name)) {
                errors.guard(
                    "readpast.schedule.\"" + name + "\"", () -> Names.checkExplicitSchedule(name));
              }
              all.merge(
                  name,
                  new FoundSchedule(name, configured, "configuration"),
                  ScheduleFactory::over);
            });
    List<Declared> declared = new ArrayList<>();
    for (FoundSchedule found : all.values()) {
      try {
        ScheduleDefinition schedule = ScheduleDefinition.read(found.name(), found.fields());
        checkPayload(schedule);
        String place = found.place();
        declared.add(
            new Declared(schedule, place.substring(Math.max(0, place.length() - LONGEST_PLACE))));
      } catch (ReadpastException e) {
        errors.add("schedule '" + found.name() + "' of " + found.place() + ": " + e.getMessage());
      }
    }
    return declared;
  }

  /**
   * Merges a configured schedule with the schedule of a method. The configured timing replaces the
   * timing of the method.
   */
  private static FoundSchedule over(FoundSchedule found, FoundSchedule configured) {
    Map<String, String> fields = new LinkedHashMap<>(found.fields());
    if (configured.fields().keySet().stream().anyMatch(TIMINGS::contains)) {
      TIMINGS.forEach(fields::remove);
      fields.remove("anchor");
    }
    fields.putAll(configured.fields());
    return new FoundSchedule(found.name(), fields, found.place() + " and configuration");
  }

  /** Checks that the handler can read the payload, if this application handles the type. */
  private void checkPayload(ScheduleDefinition schedule) {
    for (FoundHandler handler : extension.handlers()) {
      Class<?> payload = handler.payload();
      if (payload != null && handler.type().equals(schedule.type())) {
        try {
          Objects.requireNonNull(json.read(schedule.payload(), payload), "it is null");
        } catch (RuntimeException e) {
          throw new ReadpastException(
              "payload "
                  + Names.excerpt(schedule.payload())
                  + " does not fit "
                  + payload.getName()
                  + ": "
                  + e.getMessage(),
              e);
        }
      }
    }
    try {
      json.check(schedule.payload());
    } catch (RuntimeException e) {
      throw new ReadpastException("payload is not JSON: " + e.getMessage(), e);
    }
  }
}
