package org.readpast.engine;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.dependency.OpenWave;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims.WaveRange;

/**
 * Claims BLOCKED jobs directly from open waves, which takes half as long as releasing them first.
 */
final class WaveClaims implements ClaimSource {
  private final EngineContext at;
  private final ServedQueue served;

  WaveClaims(EngineContext at, ServedQueue served) {
    this.at = at;
    this.served = served;
  }

  @Override
  public @Nullable ClaimedJobs claim(Runnable more) {
    if (served.limited()) {
      return null;
    }
    for (OpenWave wave : served.openWaves()) {
      if (at.typeLimits().limits(wave.lane().type())) {
        continue;
      }
      int most = served.prefetch(List.of(wave.lane().type()));
      WaveRange range = wave.beginClaim(most);
      if (range != null) {
        if (wave.admitsAnother()) {
          // Claiming many jobs takes a long time, so another receiver is woken first.
          more.run();
        }
        List<ClaimedJob> jobs = claim(wave, range);
        if (!jobs.isEmpty()) {
          if (jobs.size() == most) {
            more.run();
          }
          return new ClaimedJobs(jobs, wave, TypeSlots.NONE);
        }
      }
    }
    return null;
  }

  private List<ClaimedJob> claim(OpenWave wave, WaveRange range) {
    int node = at.node().no();
    Duration allowed = at.handlers().longestTimeout();
    List<ClaimedJob> jobs = List.of();
    try {
      jobs =
          at.budget()
              .claim(
                  bytes -> at.claims().leaseFromWave(range, node, bytes, allowed),
                  Function.identity());
    } finally {
      // A claim that failed counts as an empty claim, so that the resolver is woken.
      wave.endClaim(range, jobs);
    }
    return jobs;
  }
}
