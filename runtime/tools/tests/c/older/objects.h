/*
 * What is alive: threads, regions and tasks by their names, which are numbers of the tool's own
 * where the generation gives data words, and the runtime's ids where it does not.
 */
#ifndef OBJECTS_H
#define OBJECTS_H
#include "counts.h"
#include <pthread.h>
#include <stdint.h>

enum { SIZE = 1 << 20 };
static struct object { uint64_t name; int alive; } objects[SIZE];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct object *object(uint64_t name)
{
  uint64_t at = name * 0x9e3779b97f4a7c15u >> 44;
  while (objects[at].name && objects[at].name != name) at = (at + 1) % SIZE;
  return &objects[at];
}
static void born(uint64_t name, const char *what)
{
  pthread_mutex_lock(&mutex);
  struct object *o = object(name);
  CHECK(name != 0, "a %s without a name", what);
  CHECK(o->name == 0, "%s %#lx is there twice", what, (unsigned long)name);
  o->name = name;
  o->alive = 1;
  pthread_mutex_unlock(&mutex);
}
static void dead(uint64_t name, const char *what)
{
  pthread_mutex_lock(&mutex);
  struct object *o = object(name);
  CHECK(o->name == name && o->alive, "%s %#lx ends, but is not there", what, (unsigned long)name);
  o->alive = 0;
  pthread_mutex_unlock(&mutex);
}
static int lives(uint64_t name)
{
  pthread_mutex_lock(&mutex);
  int alive = object(name)->alive;
  pthread_mutex_unlock(&mutex);
  return alive;
}
/* A name for what has a data word. */
static uint64_t fresh(void)
{
  static uint64_t last = 0;
  return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

#endif
