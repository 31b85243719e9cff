/* Each return code that a function can give. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "five.h"

static ompd_icv_id_t icv(const char *name, ompd_scope_t *scope) {
  for (int i = 0; i < nicvs; i++)
    if (!strcmp(icvs[i].name, name)) {
      *scope = icvs[i].scope;
      return icvs[i].id;
    }
  printf("WRONG: no %s\n", name);
  return 0;
}

void codes(void) {
  ompd_address_space_handle_t *other;
  ompd_word_t word;
  ompd_address_t address;
  ompd_frame_info_t frame;
  const char *text;
  int order;
  EXPECT(ompd_rc_unsupported, p_ompd_finalize());
  EXPECT(ompd_rc_error, p_ompd_process_initialize((void *)&context, &other));
  EXPECT(ompd_rc_unsupported, p_ompd_initialize(4711, &callbacks));
  EXPECT(ompd_rc_bad_input, p_ompd_initialize(201811, NULL));
  ompd_callbacks_t none = {0};
  EXPECT(ompd_rc_bad_input, p_ompd_initialize(201811, &none));
  for (int i = 0; i < 4; i++)
    OK(p_ompd_initialize((ompd_word_t[]){201811, 202011, 202111, 202411}[i], &callbacks));
  EXPECT(ompd_rc_bad_input, p_ompd_get_api_version(NULL));
  EXPECT(ompd_rc_bad_input, p_ompd_get_version_string(NULL));
  EXPECT(ompd_rc_bad_input, p_ompd_process_initialize(NULL, &other));
  EXPECT(ompd_rc_bad_input, p_ompd_process_initialize((void *)&context, NULL));
  EXPECT(ompd_rc_incompatible,
         p_ompd_process_initialize((void *)&order, &other)); /* its callback finds nothing */
  fail_sizes = 1;
  EXPECT(ompd_rc_callback_error, p_ompd_process_initialize((void *)&context, &other));
  fail_sizes = 0;
  fail_read = 1;
  EXPECT(ompd_rc_device_read_error, p_ompd_process_initialize((void *)&context, &other));
  fail_read = 0;
  begin(202411);
  enumerate();
  EXPECT(ompd_rc_bad_input, p_ompd_enumerate_icvs(space, 1000, &(ompd_icv_id_t){0}, &text,
                                                  &(ompd_scope_t){0}, &order));
  EXPECT(ompd_rc_bad_input, p_ompd_enumerate_icvs(space, 0, NULL, NULL, NULL, NULL));
  EXPECT(ompd_rc_bad_input, p_ompd_enumerate_states(space, 0x999, &word, &text, &word));
  EXPECT(ompd_rc_bad_input, p_ompd_enumerate_states(space, 0x102, NULL, NULL, NULL));
  EXPECT(ompd_rc_stale_handle, p_ompd_enumerate_states(NULL, 0x102, &word, &text, &word));
  EXPECT(ompd_rc_unsupported,
         p_ompd_device_initialize(space, NULL, OMPD_DEVICE_KIND_CUDA, 0, NULL, &other));
  EXPECT(ompd_rc_bad_input,
         p_ompd_device_initialize(space, NULL, OMPD_DEVICE_KIND_HOST, 8, NULL, &other));
  EXPECT(ompd_rc_bad_input,
         p_ompd_device_initialize(space, NULL, OMPD_DEVICE_KIND_HOST, 3, &(int){0}, &other));
  EXPECT(ompd_rc_bad_input, p_ompd_device_initialize(space, NULL, OMPD_DEVICE_KIND_HOST,
                                                     sizeof(int), &(int){1}, &other));
  OK(p_ompd_device_initialize(space, NULL, OMPD_DEVICE_KIND_HOST, sizeof(int), &(int){0}, &other));
  OK(p_ompd_device_initialize(space, NULL, OMPD_DEVICE_KIND_HOST, 0, NULL, &other));
  OK(p_ompd_get_omp_version(other, &word));
  EXPECT(ompd_rc_bad_input, p_ompd_get_omp_version(space, NULL));
  EXPECT(ompd_rc_bad_input, p_ompd_get_omp_version_string(space, NULL));
  EXPECT(ompd_rc_bad_input, p_ompd_get_device_thread_id_kinds(space, NULL, NULL, NULL));
  fail_alloc = 1;
  EXPECT(ompd_rc_nomem, p_ompd_get_omp_version_string(space, &text));
  const char *const *settings, *const *wrong = (const char *const *)&text;
  EXPECT(ompd_rc_nomem, p_ompd_get_display_control_vars(space, &settings));
  fail_alloc = 0;
  EXPECT(ompd_rc_bad_input, p_ompd_get_display_control_vars(space, NULL));
  OK(p_ompd_get_display_control_vars(space, &settings));
  EXPECT(ompd_rc_bad_input, p_ompd_rel_display_control_vars(NULL));
  EXPECT(ompd_rc_bad_input, p_ompd_rel_display_control_vars(&wrong));
  const char *const *same = settings;
  OK(p_ompd_rel_display_control_vars(&settings));
  EXPECT(ompd_rc_bad_input, p_ompd_rel_display_control_vars(&same));

  int lwps[4096], nthreads = target_threads(lwps, 4096);
  ompd_thread_handle_t *thread = NULL, *second;
  for (int i = 0; i < nthreads && !thread; i++)
    if (p_ompd_get_thread_handle(space, OMPD_THREAD_ID_LWP, sizeof lwps[i], &lwps[i], &thread))
      thread = NULL;
  int lwp = 1;
  uint64_t pthread = 1;
  EXPECT(ompd_rc_unavailable,
         p_ompd_get_thread_handle(space, OMPD_THREAD_ID_LWP, sizeof lwp, &lwp, &second));
  EXPECT(ompd_rc_unavailable,
         p_ompd_get_thread_handle(space, OMPD_THREAD_ID_PTHREAD, 8, &pthread, &second));
  EXPECT(ompd_rc_bad_input,
         p_ompd_get_thread_handle(space, OMPD_THREAD_ID_PTHREAD, 4, &pthread, &second));
  EXPECT(ompd_rc_bad_input, p_ompd_get_thread_handle(space, OMPD_THREAD_ID_LWP, 4, NULL, &second));
  EXPECT(ompd_rc_bad_input, p_ompd_get_thread_handle(space, OMPD_THREAD_ID_LWP, 4, &lwp, NULL));
  EXPECT(ompd_rc_unsupported,
         p_ompd_get_thread_handle(space, OMPD_THREAD_ID_CUDALOGICAL, 8, &pthread, &second));
  EXPECT(ompd_rc_stale_handle,
         p_ompd_get_thread_handle(NULL, OMPD_THREAD_ID_LWP, 4, &lwp, &second));
  EXPECT(ompd_rc_bad_input, p_ompd_get_thread_id(thread, OMPD_THREAD_ID_PTHREAD, 3, &pthread));
  EXPECT(ompd_rc_bad_input, p_ompd_get_thread_id(thread, OMPD_THREAD_ID_PTHREAD, 8, NULL));
  EXPECT(ompd_rc_unsupported, p_ompd_get_thread_id(thread, OMPD_THREAD_ID_WINTHREAD, 8, &pthread));
  EXPECT(ompd_rc_bad_input, p_ompd_get_state(thread, NULL, NULL));
  OK(p_ompd_get_state(thread, &word, NULL));
  EXPECT(ompd_rc_bad_input, p_ompd_get_device_from_thread(thread, NULL));
  EXPECT(ompd_rc_bad_input, p_ompd_thread_handle_compare(thread, thread, NULL));
  fail_read = 1;
  EXPECT(ompd_rc_device_read_error, p_ompd_get_state(thread, &word, NULL));
  fail_read = 0;

  ompd_parallel_handle_t *region, *around;
  ompd_task_handle_t *task;
  EXPECT(ompd_rc_bad_input, p_ompd_get_curr_parallel_handle(thread, NULL));
  OK(p_ompd_get_curr_parallel_handle(thread, &region));
  OK(p_ompd_get_curr_task_handle(thread, &task));
  EXPECT(ompd_rc_bad_input, p_ompd_get_thread_in_parallel(region, -5, &second));
  EXPECT(ompd_rc_bad_input, p_ompd_get_thread_in_parallel(region, 1 << 20, &second));
  EXPECT(ompd_rc_bad_input, p_ompd_get_task_in_parallel(region, -1, &(ompd_task_handle_t *){0}));
  EXPECT(ompd_rc_bad_input, p_ompd_get_task_frame(task, NULL, &frame));
  EXPECT(ompd_rc_bad_input, p_ompd_get_task_function(task, NULL));
  while (p_ompd_get_enclosing_parallel_handle(region, &around) == ompd_rc_ok) {
    OK(p_ompd_rel_parallel_handle(region));
    region = around;
  }
  EXPECT(ompd_rc_unavailable, p_ompd_get_enclosing_parallel_handle(region, &around));
  EXPECT(ompd_rc_bad_input, p_ompd_get_enclosing_parallel_handle(region, NULL));
  OK(p_ompd_get_task_in_parallel(region, 0, &task));
  EXPECT(ompd_rc_unavailable, p_ompd_get_generating_task_handle(task, &(ompd_task_handle_t *){0}));
  EXPECT(ompd_rc_unavailable, p_ompd_get_scheduling_task_handle(task, &(ompd_task_handle_t *){0}));
  /* swapped */
  EXPECT(ompd_rc_bad_input, p_ompd_get_state((void *)task, &word, NULL));
  EXPECT(ompd_rc_bad_input, p_ompd_get_task_function((void *)thread, &address));
  EXPECT(ompd_rc_bad_input, p_ompd_rel_parallel_handle((void *)task));
  EXPECT(ompd_rc_bad_input, p_ompd_get_omp_version((void *)region, &word));
  /* scopes */
  ompd_scope_t scope;
  ompd_icv_id_t id = icv("levels-var", &scope);
  EXPECT(ompd_rc_incompatible_handle, p_ompd_get_icv_from_scope(thread, scope, id, &word));
  EXPECT(ompd_rc_bad_input, p_ompd_get_icv_from_scope(thread, 99, id, &word));
  EXPECT(ompd_rc_bad_input, p_ompd_get_icv_from_scope(region, scope, 4711, &word));
  EXPECT(ompd_rc_bad_input, p_ompd_get_icv_from_scope(region, scope, id, NULL));
  EXPECT(ompd_rc_bad_input, p_ompd_get_icv_string_from_scope(region, scope, id, NULL));
  EXPECT(ompd_rc_stale_handle, p_ompd_get_icv_from_scope(NULL, scope, id, &word));
  id = icv("affinity-format-var", &scope);
  EXPECT(ompd_rc_incompatible, p_ompd_get_icv_from_scope(space, scope, id, &word));
  id = icv("nthreads-var", &scope);
  EXPECT(getenv("EXPECT_LIST") ? ompd_rc_incomplete : ompd_rc_ok,
         p_ompd_get_icv_from_scope(thread, scope, id, &word));
  EXPECT(ompd_rc_bad_input, p_ompd_get_tool_data(thread, ompd_scope_thread, NULL, &address));
  EXPECT(ompd_rc_unsupported,
         p_ompd_get_tool_data(space, ompd_scope_address_space, &word, &address));
  EXPECT(ompd_rc_incompatible_handle,
         p_ompd_get_tool_data(space, ompd_scope_task, &word, &address));
  /* stale */
  OK(p_ompd_rel_task_handle(task));
  EXPECT(ompd_rc_stale_handle, p_ompd_rel_task_handle(task));
  EXPECT(ompd_rc_stale_handle, p_ompd_get_task_function(task, &address));
  OK(p_ompd_rel_address_space_handle(space));
  EXPECT(ompd_rc_stale_handle, p_ompd_get_state(thread, &word, NULL));
  OK(p_ompd_finalize());
  EXPECT(ompd_rc_stale_handle, p_ompd_rel_parallel_handle(region));
  printf("%ld pieces of memory left\n", allocated);
}
