/*
 * What a tool of the generations before OpenMP 5.0 counts, what it says when a rule is broken, and
 * its last words:
 *
 *     older_tool: violations=0 threads=4 regions=10 ...
 */
#ifndef COUNTS_H
#define COUNTS_H
#include <stdarg.h>
#include <stdio.h>

enum {
  threads,
  regions,
  implicits,
  tasks,
  task_ends,
  switches,
  syncs,
  waits,
  acquired,
  released,
  mutex_waits,
  nested,
  locks,
  works,
  loops,
  singles,
  masters,
  idles,
  flushes,
  dependences,
  controls,
  signals,
  targets,
  COUNTS
};
static const char *const names[COUNTS] = {
    "threads", "regions",     "implicits", "tasks",    "task_ends",   "switches",
    "syncs",   "waits",       "acquired",  "released", "mutex_waits", "nested",
    "locks",   "works",       "loops",     "singles",  "masters",     "idles",
    "flushes", "dependences", "controls",  "signals",  "targets"};
static int counts[COUNTS];
static int violations;
static int over;
static void count(int what) { __atomic_add_fetch(&counts[what], 1, __ATOMIC_RELAXED); }

static void violation(const char *format, ...)
{
  if (__atomic_add_fetch(&violations, 1, __ATOMIC_RELAXED) > 20) return;
  va_list list;
  va_start(list, format);
  fprintf(stderr, "older_tool: ");
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
}
#define CHECK(condition, ...) do { if (!(condition)) violation(__VA_ARGS__); } while (0)

static void say_counts(void)
{
  over = 1;
  fprintf(stderr, "older_tool: violations=%d", violations);
  for (int i = 0; i < COUNTS; i++) fprintf(stderr, " %s=%d", names[i], counts[i]);
  fputc('\n', stderr);
}

/* For a program that goes on when enough threads wait for a mutex. */
int older_tool_waits(void) { return __atomic_load_n(&counts[mutex_waits], __ATOMIC_RELAXED); }

#endif
