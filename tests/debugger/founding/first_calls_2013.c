/* The functions without a context may be the very first ones, and count as those of the process. */
#include "own.h"
static void at_place(int place) { (void)place; }
int main(void)
{
  ompd_tword_t word = 0;
  const char *text;
  load();
  omp_get_max_threads();
  OK(p_ompd_get_num_procs(&word));
  RULE(word == omp_get_num_procs(), "%ld", (long)word);
  OK(p_ompd_get_thread_limit(&word));
  OK(p_ompd_display_control_vars(&text));
  EXPECT(ompd_rc_ok, p_ompd_enable(1));
  return end();
}
