/* Mutexes that threads really wait for: one holds it until the tool has heard that all others wait.
 * Without a tool that says so it does nothing. */
#include <omp.h>
#include <sched.h>

#define THREADS 4

/* What the tool says of the waits so far, if there is one. */
extern int older_tool_waits(void) __attribute__((weak));

static int held;

/* The primary has the mutex: the others come, and wait. */
static void hold(int waits)
{
  if (omp_get_thread_num() != 0) return;
  __atomic_store_n(&held, 1, __ATOMIC_RELEASE);
  while (older_tool_waits() < waits) sched_yield();
}

/* The others come when the primary has it. */
static void come(void)
{
  while (omp_get_thread_num() != 0 && !__atomic_load_n(&held, __ATOMIC_ACQUIRE)) sched_yield();
}

int main(void)
{
  omp_lock_t lock;
  omp_nest_lock_t nest;
  if (!older_tool_waits) return 1;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  omp_set_dynamic(0);
  for (int kind = 0; kind < 3; kind++) {
    int waits = (kind + 1) * (THREADS - 1);
    held = 0;
#pragma omp parallel num_threads(THREADS)
    {
      come();
      if (kind == 0) {
#pragma omp critical
        hold(waits);
      } else if (kind == 1) {
        omp_set_lock(&lock);
        hold(waits);
        omp_unset_lock(&lock);
      } else {
        omp_set_nest_lock(&nest);
        hold(waits);
        omp_unset_nest_lock(&nest);
      }
    }
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  return 0;
}
