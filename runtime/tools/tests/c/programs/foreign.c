/* Threads that the program makes, and whose first contact with OpenMP is something that tools hear
 * of: an event of a task is fulfilled when the body has ended and before that, a lock is destroyed.
 * Beside them what no thread executes: `taskwait depend nowait`. */
#include <omp.h>
#include <pthread.h>

static omp_event_handle_t event;
static omp_lock_t lock;

static void *fulfil(void *unused)
{
  omp_fulfill_event(event);
  return unused;
}
static void *destroy(void *unused)
{
  omp_destroy_lock(&lock);
  return unused;
}
static void in_a_thread(void *(*what)(void *))
{
  pthread_t thread;
  pthread_create(&thread, 0, what, 0);
  pthread_join(thread, 0);
}

#ifdef __clang__
#define WAIT_FOR(x) _Pragma("omp taskwait depend(in: x) nowait")
#else
/* What newer compilers make of it. */
extern void GOMP_taskwait_depend_nowait(void **);
#pragma weak GOMP_taskwait_depend_nowait
#define WAIT_FOR(x) { void *depend[] = {(void *)1, 0, &x}; GOMP_taskwait_depend_nowait(depend); }
#endif

int main(void)
{
  static int x;
  omp_event_handle_t own = 0;
  omp_init_lock(&lock);
#pragma omp task detach(own)
  {
    event = own;
    in_a_thread(fulfil);
  }
#pragma omp task detach(own) depend(out: x)
  event = own;
  WAIT_FOR(x)
  in_a_thread(fulfil);
#pragma omp taskwait
  in_a_thread(destroy);
  return 0;
}
