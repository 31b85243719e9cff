/* The codes that wrong questions get, and what fails on the debugger's side. */
#include <stdio.h>

#include "y2016.h"

void codes(void) {
  ompd_tword_t word;
  ompd_state_t state;
  ompd_thread_handle_t **threads;
  ompd_task_handle_t *task;
  const char *const *settings;
  int count;
  EXPECT(ompd_rc_unsupported, p_ompd_finalize());
  EXPECT(ompd_rc_error, p_ompd_process_initialize((void *)&context, &space));
  EXPECT(ompd_rc_bad_input, p_ompd_initialize(NULL));
  EXPECT(ompd_rc_bad_input, p_ompd_initialize(&(ompd_callbacks_t){0}));
  EXPECT(ompd_rc_bad_input, p_ompd_get_version(NULL));
  OK(p_ompd_initialize(&callbacks));
  fail_read = 1;
  EXPECT(ompd_rc_target_read_error, p_ompd_process_initialize((void *)&context, &space));
  fail_read = 0;
  begin();
  EXPECT(ompd_rc_bad_input, p_ompd_get_threads(space, &threads, NULL));
  fail_alloc = 1;
  EXPECT(ompd_rc_nomem, p_ompd_get_threads(space, &threads, &count));
  EXPECT(ompd_rc_nomem, p_ompd_get_display_control_vars(space, &settings));
  fail_alloc = 0;
  OK(p_ompd_get_threads(space, &threads, &count));
  EXPECT(ompd_rc_bad_input, p_ompd_get_state(threads[0], NULL, NULL));
  EXPECT(ompd_rc_bad_input, p_ompd_get_level((void *)threads[0], &word));
  EXPECT(ompd_rc_stale_handle, p_ompd_get_level(NULL, &word));
  EXPECT(ompd_rc_bad_input, p_ompd_get_thread_num(threads[0], NULL));
  EXPECT(ompd_rc_unsupported, p_ompd_get_osthread(threads[0], ompd_osthread_winthread, 8, &word));
  EXPECT(ompd_rc_bad_input, p_ompd_get_osthread(threads[0], ompd_osthread_pthread, 4, &word));
  EXPECT(ompd_rc_bad_input, p_ompd_release_display_control_vars((void *)&word));
  OK(p_ompd_get_top_task_region(threads[0], &task));
  OK(p_ompd_release_task_handle(task));
  EXPECT(ompd_rc_stale_handle, p_ompd_release_task_handle(task));
  EXPECT(ompd_rc_stale_handle, p_ompd_is_implicit(task, &word));
  OK(p_ompd_release_address_space_handle(space));
  EXPECT(ompd_rc_stale_handle, p_ompd_get_state(threads[0], &state, NULL));
  release(threads);
  OK(p_ompd_finalize());
  printf("%ld pieces of memory left\n", allocated);
}
