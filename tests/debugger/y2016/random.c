/* Questions by chance, with handles by chance: none of them may crash, and no memory stays. */
#include <stdio.h>

#include "y2016.h"

static uint64_t word_of_chance = 88172645463325252u;
static uint64_t chance(void) {
  word_of_chance ^= word_of_chance << 13;
  word_of_chance ^= word_of_chance >> 7;
  return word_of_chance ^= word_of_chance << 17;
}
static void *pool[64];
static void *any(void) {
  uint64_t draw = chance(), handle = (uint64_t)pool[draw / 16 % 64];
  return draw % 16 == 0 ? (void *)chance()
                        : (void *)(draw % 16 == 1 ? handle ^ 1ull << draw / 1024 % 64 : handle);
}
static void keep(void *handle) { pool[chance() % 64] = handle; }
static void keep_all(void **handles, int count) {
  for (int i = 0; i < count; i++) keep(handles[i]);
  release(handles);
}

void random_calls(long calls) {
  begin();
  for (int i = 0; i < 64; i++) pool[i] = space;
  for (long i = 0; i < calls; i++) {
    void *one = any(), *two = any(), *out = NULL, **all;
    ompd_address_t addresses[2];
    ompd_tword_t words[2];
    char *text;
    int number, kind;
    uint64_t id = chance() % 50;
    fail_read = chance() % 50 == 0;
    fail_alloc = chance() % 50 == 0;
    switch (chance() % 40) {
    case 0: if (!p_ompd_get_threads(one, (void *)&all, &number)) keep_all(all, number); break;
    case 1:
        if (!p_ompd_get_thread_in_parallel(one, (void *)&all, &number)) keep_all(all, number);
        break;
    case 2:
        if (!p_ompd_get_implicit_task_in_parallel(one, (void *)&all, &number))
            keep_all(all, number);
        break;
    case 3: if (!p_ompd_get_master_thread_in_parallel(one, (void *)&out)) keep(out); break;
    case 4: if (chance() % 4 == 0) p_ompd_release_thread_handle(one); break;
    case 5: p_ompd_thread_handle_compare(one, two, &number); break;
    case 6: if (!p_ompd_get_thread_handle_string_id(one, &text)) release(text); break;
    case 7: case 8: if (!p_ompd_get_top_parallel_region(one, (void *)&out)) keep(out); break;
    case 9: if (!p_ompd_get_enclosing_parallel_handle(one, (void *)&out)) keep(out); break;
    case 10: if (!p_ompd_get_task_parallel_handle(one, (void *)&out)) keep(out); break;
    case 11: if (chance() % 4 == 0) p_ompd_release_parallel_handle(one); break;
    case 12: p_ompd_parallel_handle_compare(one, two, &number); break;
    case 13: if (!p_ompd_get_parallel_handle_string_id(one, &text)) release(text); break;
    case 14: case 15: if (!p_ompd_get_top_task_region(one, (void *)&out)) keep(out); break;
    case 16: if (!p_ompd_get_generating_ancestor_task_region(one, (void *)&out)) keep(out); break;
    case 17: if (!p_ompd_get_scheduling_ancestor_task_region(one, (void *)&out)) keep(out); break;
    case 18: if (chance() % 4 == 0) p_ompd_release_task_handle(one); break;
    case 19: p_ompd_task_handle_compare(one, two, &number); break;
    case 20: if (!p_ompd_get_task_handle_string_id(one, &text)) release(text); break;
    case 21: p_ompd_get_num_threads(one, words); break;
    case 22: p_ompd_get_level(one, words); break;
    case 23: p_ompd_get_active_level(one, words); break;
    case 24: p_ompd_get_parallel_function(one, addresses); break;
    case 25: p_ompd_get_num_procs(one, words); break;
    case 26: p_ompd_get_thread_limit(one, words); break;
    case 27: p_ompd_get_task_function(one, addresses); break;
    case 28: p_ompd_get_max_threads(one, words); break;
    case 29: p_ompd_get_thread_num(one, words); break;
    case 30:
        p_ompd_in_parallel(one, words), p_ompd_in_final(one, words), p_ompd_get_dynamic(one, words);
        break;
    case 31: p_ompd_get_nested(one, words), p_ompd_get_max_active_levels(one, words); break;
    case 32: p_ompd_get_schedule(one, (void *)&kind, words); break;
    case 33: p_ompd_get_proc_bind(one, (void *)&kind); break;
    case 34: p_ompd_is_implicit(one, words); break;
    case 35: p_ompd_get_task_frame(one, &addresses[0], &addresses[1]); break;
    case 36: p_ompd_get_osthread(one, chance() % 3, chance() % 9, words); break;
    case 37: p_ompd_get_state(one, (void *)&kind, &id); break;
    case 38: p_ompd_get_icv_from_scope(one, chance() % 10, id, words); break;
    case 39:
      if (chance() % 32 == 0) p_ompd_release_address_space_handle(one);
      if (!p_ompd_process_initialize((void *)&context, (void *)&out)) keep(out);
      break;
    }
  }
  printf("%ld calls, %ld pieces of memory left\n", calls, allocated);
}
