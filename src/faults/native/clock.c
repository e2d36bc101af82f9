/*
 * A wall clock that deviates by the number of seconds in the file FAULTS_CLOCK (one native 64-bit
 * number), as soon as the number is written. Code that uses the monotonic clock to wait, such as Java's, is not affected; the same is true for a real clock step. Preload this library with LD_PRELOAD.
 * The library libfaketime would also work, but makes the threads of a JVM wait a thousand times
 * longer for each other.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *offset;
static int (*real_clock_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void prepare(void) {
  real_clock_gettime = (int (*)(clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
  const char *name = getenv("FAULTS_CLOCK");
  int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
  if (file >= 0) {
    void *page = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
    offset = page == MAP_FAILED ? NULL : page;
    close(file);
  }
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (!real_clock_gettime) {
    prepare();
  }
  int result = real_clock_gettime(clock, now);
  if (result == 0 && offset && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    now->tv_sec += *offset;
  }
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec exact;
  (void) zone;
  int result = clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return result;
}

time_t time(time_t *now) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (now) {
    *now = exact.tv_sec;
  }
  return exact.tv_sec;
}
