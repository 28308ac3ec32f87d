// Loaded into PostgreSQL by `slow-flush.ts`: each flush takes so many microseconds longer, as on a slower disk.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static void wait_longer(void) {
  const char *text = getenv("SLOW_FLUSH_US");
  long microseconds = text ? atol(text) : 0;
  struct timespec time = {microseconds / 1000000, (microseconds % 1000000) * 1000};
  if (microseconds > 0) nanosleep(&time, NULL);
}

int fdatasync(int file) {
  wait_longer();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}

int fsync(int file) {
  wait_longer();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}
