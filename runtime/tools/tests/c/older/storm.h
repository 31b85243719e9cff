/* OLDER_TOOL_SIGNALS: what may be asked from a signal handler is asked there, on every thread. */
#ifndef STORM_H
#define STORM_H
#include "rules.h"
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

static void on_signal(int number)
{
  (void)number;
  if (over) return;
  for (int level = 0; level < 4; level++) {
    (void)current_region(level);
    (void)current_task(level);
  }
  (void)current_state();
  count(signals);
}

static void storm(void)
{
  if (!getenv("OLDER_TOOL_SIGNALS")) return;
  signal(SIGPROF, on_signal);
  struct itimerval timer = {{0, 200}, {0, 200}};
  setitimer(ITIMER_PROF, &timer, 0);
}

#endif
