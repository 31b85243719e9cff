/* Calls of anything with any handle: right ones, old ones, damaged ones. */
#include <stdio.h>

#include "five.h"

static uint64_t word_of_chance = 88172645463325252u;
static uint64_t chance(void) {
  word_of_chance ^= word_of_chance << 13;
  word_of_chance ^= word_of_chance >> 7;
  return word_of_chance ^= word_of_chance << 17;
}

static int some_lwp;
static void *pool[64];
static void *any(void) {
  uint64_t draw = chance();
  if (draw % 16 == 0) return (void *)chance();
  if (draw % 16 == 1) return NULL;
  uint64_t handle = (uint64_t)pool[draw / 16 % 64];
  return (void *)(draw % 16 == 2 ? handle ^ 1ull << draw / 1024 % 64 : handle);
}
static void keep(void *handle) { pool[chance() % 64] = handle; }

static void anything(void) {
  void *out = NULL, *one = any(), *two = any();
  uint64_t id[2] = {chance() % 3 ? (uint64_t)some_lwp : chance(), 0};
  ompd_word_t words[2];
  ompd_address_t address;
  ompd_frame_info_t frames[2];
  const char *text = NULL;
  ompd_scope_t scope;
  int number = (int)(chance() % 7) - 1;
  switch (chance() % 33) {
  case 0: if (!p_ompd_process_initialize((void *)&context, (void *)&out)) keep(out); break;
  case 1: if (chance() % 8 == 0) p_ompd_rel_address_space_handle(one); break;
  case 2: if (!p_ompd_get_omp_version_string(one, &text)) give_back((void *)text); break;
  case 3: if (!p_ompd_get_thread_in_parallel(one, number, (void *)&out)) keep(out); break;
  case 4:
  case 5:
    if (!p_ompd_get_thread_handle(one, chance() % 4, 4 + 4 * (chance() % 2), id, (void *)&out))
      keep(out);
    break;
  case 6: if (chance() % 4 == 0) p_ompd_rel_thread_handle(one); break;
  case 7: p_ompd_thread_handle_compare(one, two, &number); break;
  case 8: p_ompd_get_thread_id(one, chance() % 3, chance() % 9, id); break;
  case 9: if (!p_ompd_get_device_from_thread(one, (void *)&out)) keep(out); break;
  case 10:
  case 11: if (!p_ompd_get_curr_parallel_handle(one, (void *)&out)) keep(out); break;
  case 12: if (!p_ompd_get_enclosing_parallel_handle(one, (void *)&out)) keep(out); break;
  case 13: if (!p_ompd_get_task_parallel_handle(one, (void *)&out)) keep(out); break;
  case 14: if (chance() % 4 == 0) p_ompd_rel_parallel_handle(one); break;
  case 15: p_ompd_parallel_handle_compare(one, two, &number); break;
  case 16:
  case 17: if (!p_ompd_get_curr_task_handle(one, (void *)&out)) keep(out); break;
  case 18: if (!p_ompd_get_generating_task_handle(one, (void *)&out)) keep(out); break;
  case 19: if (!p_ompd_get_scheduling_task_handle(one, (void *)&out)) keep(out); break;
  case 20: if (!p_ompd_get_task_in_parallel(one, number, (void *)&out)) keep(out); break;
  case 21: if (chance() % 4 == 0) p_ompd_rel_task_handle(one); break;
  case 22: p_ompd_task_handle_compare(one, two, &number); break;
  case 23: p_ompd_get_task_function(one, &address); break;
  case 24: p_ompd_get_task_frame(one, &frames[0], &frames[1]); break;
  case 25:
    if (!p_ompd_enumerate_states(one, chance() % 0x140, &words[0], &text, &words[1]))
      give_back((void *)text);
    break;
  case 26: p_ompd_get_state(one, &words[0], id); break;
  case 27: {
    const char *const *list;
    if (!p_ompd_get_display_control_vars(one, &list)) p_ompd_rel_display_control_vars(&list);
    break;
  }
  case 28:
    if (!p_ompd_enumerate_icvs(one, chance() % 60, (ompd_icv_id_t *)id, &text, &scope, &number))
      give_back((void *)text);
    break;
  case 29: p_ompd_get_icv_from_scope(one, chance() % 10, chance() % 60, &words[0]); break;
  case 30:
    if (!p_ompd_get_icv_string_from_scope(one, chance() % 10, chance() % 60, &text))
      give_back((void *)text);
    break;
  case 31: p_ompd_get_tool_data(one, chance() % 10, &words[0], &address); break;
  case 32:
    if (chance() % 64 == 0) p_ompd_finalize();
    p_ompd_initialize(201811, &callbacks);
    break;
  }
}

void random_calls(long count) {
  begin(201811);
  target_threads(&some_lwp, 1);
  for (int i = 0; i < 64; i++) pool[i] = space;
  for (long i = 0; i < count; i++) {
    fail_read = chance() % 50 == 0;
    fail_alloc = chance() % 50 == 0;
    anything();
  }
  printf("%ld calls, %ld pieces of memory left\n", count, allocated);
}
