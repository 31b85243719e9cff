/*
 * What the sampling tool looks into: each way in which one piece of the program comes to run on
 * behalf of another. Every leaf sends itself a signal, so that each path is sampled whatever the
 * time does. The functions with names are the program as its author wrote it; main alone is above
 * all of them.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#define HERE __attribute__((noinline))
static volatile long sink;

HERE void leaf(void)
{
  pthread_kill(pthread_self(), SIGRTMIN + 4);
  for (int i = 0; i < 500; i++) sink = i;
}

HERE void loops(void)
{
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 8; i++) leaf();
#pragma omp critical
    leaf();
#pragma omp barrier
    leaf();
  }
  sink = 1;
}

HERE void inside(void)
{
#pragma omp parallel num_threads(2)
  leaf();
  sink = 1;
}

HERE void nested(void)
{
#pragma omp parallel num_threads(2)
  {
    inside();
    sink = 1;
  }
  sink = 1;
}

HERE void make(void)
{
  for (int i = 0; i < 4; i++) {
#pragma omp task
    leaf();
  }
#pragma omp taskwait
  sink = 1;
}

HERE void undeferred(void)
{
#pragma omp task if (sink < 0)
  leaf();
  sink = 1;
}

HERE void tasks(void)
{
#pragma omp parallel
  {
#pragma omp single
    {
      make();
      undeferred();
      sink = 1;
    }
  }
  sink = 1;
}

HERE void alone(void)
{
#pragma omp parallel if (sink < 0)
  leaf();
  sink = 1;
}

HERE void serial(void)
{
  leaf();
  sink = 1;
}

int main(int argc, char **argv)
{
  int rounds = argc > 1 ? atoi(argv[1]) : 30;
  omp_set_max_active_levels(2);
  for (int i = 0; i < rounds; i++) {
    serial();
    loops();
    nested();
    tasks();
    alone();
  }
  return 0;
}
