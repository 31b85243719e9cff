/*
 * What the programs of this folder say: one line for each thing that they look at, `ok ...` or
 * `WRONG ...`. Each program is its own tool, written from one of the founding documents alone.
 */
#ifndef SAYS_H
#define SAYS_H
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void says(int right, const char *format, ...)
{
  char line[256];
  int length = snprintf(line, sizeof line, right ? "ok " : "WRONG ");
  va_list list;
  va_start(list, format);
  length += vsnprintf(line + length, sizeof line - 2 - (size_t)length, format, list);
  va_end(list);
  line[length++] = '\n';
  if (write(1, line, (size_t)length) != length) _exit(3);
}

#endif
