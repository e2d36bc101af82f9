package org.readpast.runtime;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.ScheduleControl;
import org.readpast.admin.store.ScheduleView;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobSchedule;
import org.readpast.api.JobSchedules;
import org.readpast.api.ScheduleStatus;
import org.readpast.model.NewJob;
import org.readpast.model.ScheduleDefinition;
import org.readpast.model.Timing;

/** Implements the schedules that an application defines at run time. */
@ApplicationScoped
public class JobSchedulesBean implements JobSchedules {
  @Inject JobPreparer preparer;
  @Inject ScheduleControl control;

  @Resource(lookup = "java:app/AppName")
  @Nullable String application;

  @Override
  public boolean define(JobSchedule schedule) {
    NewJob job = preparer.prepare(schedule.job());
    checkHeaders(job);
    Map<String, String> fields = new LinkedHashMap<>(schedule.fields());
    fields.put("type", job.type());
    fields.put("queue", job.queue());
    fields.put("priority", String.valueOf(job.priority()));
    fields.put("payload", job.payload());
    return control.define(ScheduleDefinition.read(schedule.name(), fields), owner()).isNew();
  }

  private static void checkHeaders(NewJob job) {
    NewJob plain =
        new NewJob(
            job.queue(),
            job.type(),
            job.priority(),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            job.payload());
    if (!job.equals(plain)) {
      throw new JobRejectedException(
          "the payload of a scheduled job is JSON, and its only headers are the queue and the"
              + " priority; leave out all others, or have its handler enqueue another job with"
              + " them");
    }
  }

  private String owner() {
    return application == null ? "application" : application;
  }

  @Override
  public Optional<ScheduleStatus> find(String name) {
    return control.find(name).map(Status::new);
  }

  @Override
  public List<ScheduleStatus> list() {
    return control.definedBy(owner()).stream().<ScheduleStatus>map(Status::new).toList();
  }

  @Override
  public void delete(String name) {
    control.delete(name, owner());
  }

  @Override
  public void enable(String name) {
    control.switchTo(name, true);
  }

  @Override
  public void disable(String name) {
    control.switchTo(name, false);
  }

  @Override
  public long run(String name) {
    return Objects.requireNonNull(control.run(name).job());
  }

  private record Status(ScheduleView view) implements ScheduleStatus {
    @Override
    public String name() {
      return view.definition().name();
    }

    @Override
    public String timing() {
      Timing timing = view.definition().timing();
      return timing.kind().name().toLowerCase(Locale.ROOT) + " " + timing.expression();
    }

    @Override
    public String zone() {
      return view.definition().timing().zone().getId();
    }

    @Override
    public String type() {
      return view.definition().type();
    }

    @Override
    public String queue() {
      return view.definition().queue();
    }

    @Override
    public boolean enabled() {
      return view.definition().enabled();
    }

    @Override
    public @Nullable Instant nextAt() {
      return enabled() ? view.nextAt() : null;
    }

    @Override
    public @Nullable Long lastJob() {
      return view.lastJob();
    }
  }
}
