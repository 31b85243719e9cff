/* The lines, and the numbers by which they call objects. */
#ifndef LINES_H
#define LINES_H
#include "omp-tools.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int out = 2;
static uint64_t sequence, last_id;

static void say(const char *format, ...)
{
  char line[1024];
  unsigned long long number = __atomic_add_fetch(&sequence, 1, __ATOMIC_SEQ_CST);
  int used = snprintf(line, sizeof line, "%llu %ld ", number, (long)syscall(SYS_gettid));
  va_list arguments;
  va_start(arguments, format);
  used += vsnprintf(line + used, sizeof line - used - 1, format, arguments);
  va_end(arguments);
  line[used++] = '\n';
  if (write(out, line, used) != used) abort();
}

static uint64_t fresh(void) { return __atomic_add_fetch(&last_id, 1, __ATOMIC_SEQ_CST); }

/* A new object: its word must be empty. */
static unsigned long long born(ompt_data_t *data)
{
  if (data->value != 0) say("STALE word=%llu", (unsigned long long)data->value);
  return data->value = fresh();
}

/* An object seen before, 0 for a null pointer. */
static unsigned long long seen(const ompt_data_t *data) { return data ? data->value : 0; }

static const char *edge(ompt_scope_endpoint_t endpoint)
{
  return endpoint == ompt_scope_begin ? "begin" : endpoint == ompt_scope_end ? "end" : "beginend";
}

#define WORD(p) (unsigned long long)(p).value

#endif
