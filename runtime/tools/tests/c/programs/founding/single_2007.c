/*
 * Single regions (2007): a thread leaves one when its code is done; the barrier of the construct is
 * implicit, and the one that the program writes behind it is explicit.
 */
#include "says.h"
#include <dlfcn.h>
#include <omp_collector_api.h>

static int (*ask)(void *);
static __thread int inside, done;
static __thread char order[64];

static void note(OMP_COLLECTORAPI_EVENT event)
{
  char what = '?';
  switch (event) {
    case OMP_EVENT_THR_BEGIN_SINGLE:
      says(!inside, "a single begins in none");
      inside = 1;
      done = 0;
      what = 's';
      break;
    case OMP_EVENT_THR_END_SINGLE:
      says(inside && done, "the thread leaves the single when its code is done");
      inside = 0;
      what = 'S';
      break;
    case OMP_EVENT_THR_BEGIN_IBAR: what = 'i'; break;
    case OMP_EVENT_THR_BEGIN_EBAR: what = 'e'; break;
    default: break;
  }
  size_t length = strlen(order);
  if (length < sizeof order - 1) order[length] = what;
}
static int request(int number, const void *memory, int size)
{
  int words[16] = {16 + size, number, -1, 0};
  memcpy(words + 4, memory, (size_t)size);
  words[4 + (size + 3) / 4] = 0;
  return ask(words) == 0 ? words[2] : -1;
}
static void listen_to(int event)
{
  char memory[12];
  void (*callback)(OMP_COLLECTORAPI_EVENT) = note;
  memcpy(memory, &event, 4);
  memcpy(memory + 4, &callback, 8);
  says(request(OMP_REQ_REGISTER, memory, 12) == OMP_ERRCODE_OK, "event %d", event);
}

int main(int count, char **arguments)
{
  (void)arguments;
  ask = (int (*)(void *))dlsym(RTLD_DEFAULT, OMP_COLLECTOR_API);
  says(ask && request(OMP_REQ_START, "", 0) == OMP_ERRCODE_OK, "a session");
  if (count < 2) {
    listen_to(OMP_EVENT_THR_BEGIN_SINGLE);
    listen_to(OMP_EVENT_THR_END_SINGLE);
  }
  listen_to(OMP_EVENT_THR_BEGIN_IBAR);
  listen_to(OMP_EVENT_THR_BEGIN_EBAR);
#pragma omp parallel num_threads(3)
  {
    int mine = 0;
    memset(order, 0, sizeof order);
#pragma omp single
    {
      usleep(20000);
      done = mine = 1;
    }
    says(!strcmp(order, count > 1 ? "i" : mine ? "sSi" : "i"), "behind a single: %s", order);
#pragma omp barrier
    says(order[strlen(order) - 1] == 'e', "behind a barrier: %s", order);
    memset(order, 0, sizeof order);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 3; i++) usleep(1);
    says(!strcmp(order, "i"), "behind a loop: %s", order);
  }
  return 0;
}
