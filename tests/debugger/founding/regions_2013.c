/* Regions, by OMPD and by OpenMP itself: the innermost one of each thread, those around it, their
 * threads, and what they are set to. */
#include "own.h"
static void at_place(int place) { (void)place; }
int ompt_initialize(void) { return 1; }

static int64_t members[2][8];

/* The region around the whole program: one thread, at level 0, in nothing. */
static void program(ompd_parallel_handle_t region)
{
  ompd_tword_t threads = -1, level = -1, active = -1;
  ompd_parallel_handle_t around;
  OK(p_ompd_get_num_threads(context, region, &threads));
  OK(p_ompd_get_level(context, region, &level));
  OK(p_ompd_get_active_level(context, region, &active));
  RULE(threads == 1 && level == 0 && active == 0, "%ld threads at %ld", threads, level);
  EXPECT(ompd_rc_unavailable, p_ompd_get_enclosing_parallel_handle(context, region, &around));
  EXPECT(ompd_rc_unavailable, p_ompd_get_ancestor_parallel_handle(context, region, &around));
}

/* What the calling thread's regions must be. */
static void compare(int size, int outer_size)
{
  ompd_parallel_handle_t region, other, around;
  ompd_thread_handle_t *threads;
  ompd_tword_t number = -1;
  ompd_taddr_t function = 0;
  ompd_parallel_id_t id = 0;
  int count = -1, depth = omp_get_level();
  OK(p_ompd_get_innermost_parallel_region(context, own_thread(), &region));
  OK(p_ompd_get_top_parallel_region(context, own_thread(), &other));
  RULE(region == other, "two names, two regions");
  for (int level = 0; level < depth; level++) {
    OK(p_ompd_get_num_threads(context, region, &number));
    RULE(number == omp_get_team_size(depth - level), "%ld threads", (long)number);
    RULE(number == (level == 0 ? size : outer_size), "%ld threads", (long)number);
    OK(p_ompd_get_level(context, region, &number));
    RULE(number == depth - level, "level %ld", (long)number);
    OK(p_ompd_get_active_level(context, region, &number));
    if (level == 0) RULE(number == omp_get_active_level(), "active level %ld", (long)number);
    OK(p_ompd_get_parallel_id(context, region, &id));
    RULE(id != 0 && id == ompt_get_parallel_id(level), "id %lu", (unsigned long)id);
    OK(p_ompd_get_parallel_function(context, region, &function));
    RULE(function && function == (uint64_t)ompt_get_parallel_function(level), "function");
    OK(p_ompd_get_thread_in_parallel(context, region, &threads, &count));
    RULE(count == (level == 0 ? size : outer_size), "%d threads", count);
    int own = 0;
    for (int i = 0; i < count; i++) {
      ompd_osthread_t native = {.kind = ompd_osthread_lwp};
      OK(p_ompd_get_osthread(context, threads[i], &native));
      if (level == 0 && depth == 1)
        RULE(native.data.lwp == members[0][i], "thread %d is another", i);
      own += native.data.lwp == kernel_number();
    }
    int is_in = level == 0 || omp_get_thread_num() == 0;
    RULE(own == is_in, "the asking thread is there %d times", own);
    release(threads);
    int code = p_ompd_get_enclosing_parallel_handle(context, region, &around);
    EXPECT(code, p_ompd_get_ancestor_parallel_handle(context, region, &other));
    RULE(code == ompd_rc_ok && around == other && around != region, "two names, two regions");
    region = around;
  }
  program(region);
}

int main(void)
{
  ompd_parallel_handle_t region;
  ompd_tword_t number;
  ompd_thread_handle_t *threads;
  int count;
  omp_set_max_active_levels(2);
  omp_get_max_threads();
  load();
  OK(p_ompd_get_innermost_parallel_region(context, own_thread(), &region));
  program(region);
  OK(p_ompd_get_num_procs(&number));
  RULE(number == omp_get_num_procs(), "%ld processors", (long)number);
  OK(p_ompd_get_thread_limit(&number));
  RULE(number == omp_get_thread_limit(), "at most %ld threads", (long)number);
#pragma omp parallel num_threads(3)
  {
    members[0][omp_get_thread_num()] = kernel_number();
#pragma omp barrier
    ALONE(compare(3, 0));
#pragma omp barrier
#pragma omp parallel num_threads(2)
    {
#pragma omp barrier
      ALONE(compare(2, 3));
    }
    /* A region of one thread is no active one. */
#pragma omp parallel num_threads(1)
    ALONE(compare(1, 3));
  }
  OK(p_ompd_get_threads(context, &threads, &count));
  release(threads);
  RULE(allocated == 0, "%ld pieces are left", allocated);
  return end();
}
