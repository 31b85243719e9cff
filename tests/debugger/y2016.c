/* A debugger that asks everything that OMPD of 2016 can be asked: y2016 live|core WHAT dump|codes|random [N]. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ompd-2016.h"
#include "target.h"

#define POINTER(name, arguments) static ompd_rc_t(*p_##name) arguments;
FOREACH_OMPD_FN(POINTER)
#undef POINTER

static long allocated;
static int fail_alloc, fail_read, context;

static ompd_rc_t allocate(ompd_size_t bytes, void **memory) {
  if (fail_alloc || !(*memory = malloc(bytes))) return ompd_rc_nomem;
  allocated++;
  return ompd_rc_ok;
}
static ompd_rc_t release(void *memory) {
  allocated--;
  free(memory);
  return ompd_rc_ok;
}
static ompd_rc_t print(const char *string) {
  printf("library: %s", string);
  return ompd_rc_ok;
}
static ompd_rc_t sizes(ompd_address_space_context_t *space, ompd_target_type_sizes_t *sizes) {
  (void)space;
  *sizes = (ompd_target_type_sizes_t){1, 2, 4, 8, 8, 8};
  return ompd_rc_ok;
}
static ompd_rc_t symbol(ompd_address_space_context_t *space, ompd_thread_context_t *thread, const char *name,
                        ompd_address_t *address) {
  (void)space, (void)thread;
  *address = (ompd_address_t){OMPD_SEGMENT_UNSPECIFIED, target_symbol(name)};
  return address->address ? ompd_rc_ok : ompd_rc_error;
}
static ompd_rc_t get(ompd_address_space_context_t *space, ompd_thread_context_t *thread, const ompd_address_t *address,
                     ompd_tword_t bytes, void *buffer) {
  (void)space, (void)thread;
  return fail_read || target_read(address->address, buffer, bytes) ? ompd_rc_error : ompd_rc_ok;
}
static ompd_rc_t put(ompd_address_space_context_t *space, ompd_thread_context_t *thread, const ompd_address_t *address,
                     ompd_tword_t bytes, const void *buffer) {
  (void)space, (void)thread;
  return target_write(address->address, buffer, bytes) ? ompd_rc_error : ompd_rc_ok;
}
static ompd_rc_t convert(ompd_address_space_context_t *space, const void *input, int unit, int count, void *output) {
  (void)space;
  memcpy(output, input, (size_t)unit * count);
  return ompd_rc_ok;
}
static ompd_callbacks_t callbacks = {allocate, release, print, sizes, symbol, get, put, convert, convert, 0, 0};

#define EXPECT(code, call)                                                                        \
  do {                                                                                            \
    ompd_rc_t is = call;                                                                          \
    if (is != (code)) printf("WRONG: %s is %d, must be %d (line %d)\n", #call, is, code, __LINE__); \
  } while (0)
#define OK(call) EXPECT(ompd_rc_ok, call)

static ompd_address_space_handle_t *space;

static void load(void) {
  uint64_t list = 0, entry, at = target_symbol("ompd_dll_locations");
  if (!at || target_read(at, &list, 8)) exit(2);
  for (; !target_read(list, &entry, 8) && entry; list += 8) {
    void *library = dlopen(target_text(entry), RTLD_NOW | RTLD_LOCAL);
    if (!library || !dlsym(library, "ompd_get_version")) continue;
#define FIND(name, arguments) \
  if (!(p_##name = (void *)dlsym(library, #name))) printf("WRONG: the library has no " #name "\n"), exit(2);
    FOREACH_OMPD_FN(FIND)
#undef FIND
    return;
  }
  printf("WRONG: no library of this generation\n");
  exit(2);
}

static void begin(void) {
  OK(p_ompd_initialize(&callbacks));
  OK(p_ompd_process_initialize((void *)&context, &space));
}

#define NUMBER(function, handle)                          \
  do {                                                    \
    ompd_tword_t number = -1;                             \
    OK(function(handle, &number));                        \
    printf("    %s %ld\n", #function + 2, (long)number);  \
  } while (0)

static void show_task(ompd_task_handle_t *task) {
  ompd_address_t exit, enter, function;
  ompd_sched_t kind;
  ompd_proc_bind_t bind;
  ompd_tword_t chunk;
  char *name;
  OK(p_ompd_get_task_function(task, &function));
  OK(p_ompd_get_task_frame(task, &exit, &enter));
  OK(p_ompd_get_schedule(task, &kind, &chunk));
  OK(p_ompd_get_proc_bind(task, &bind));
  OK(p_ompd_get_task_handle_string_id(task, &name));
  printf("  task %s: function %#lx, exit %#lx, enter %#lx, schedule %d %ld, bind %d\n", name, function.address,
         exit.address, enter.address, kind, (long)chunk, bind);
  release(name);
  NUMBER(p_ompd_get_level, task);
  NUMBER(p_ompd_get_active_level, task);
  NUMBER(p_ompd_get_max_threads, task);
  NUMBER(p_ompd_in_parallel, task);
  NUMBER(p_ompd_in_final, task);
  NUMBER(p_ompd_get_dynamic, task);
  NUMBER(p_ompd_get_nested, task);
  NUMBER(p_ompd_is_implicit, task);
}

static void show_region(ompd_parallel_handle_t *region) {
  ompd_address_t function;
  ompd_thread_handle_t **threads, *master;
  ompd_task_handle_t **tasks;
  int nthreads, ntasks, count, order;
  char *name;
  OK(p_ompd_get_parallel_function(region, &function));
  OK(p_ompd_get_parallel_handle_string_id(region, &name));
  printf("  region %s: function %#lx\n", name, function.address);
  release(name);
  NUMBER(p_ompd_get_num_threads, region);
  OK(p_ompd_get_thread_in_parallel(region, NULL, &count));
  OK(p_ompd_get_thread_in_parallel(region, &threads, &nthreads));
  OK(p_ompd_get_implicit_task_in_parallel(region, &tasks, &ntasks));
  if (count != nthreads || nthreads != ntasks) printf("WRONG: %d, %d threads, %d tasks\n", count, nthreads, ntasks);
  OK(p_ompd_get_master_thread_in_parallel(region, &master));
  OK(p_ompd_thread_handle_compare(master, threads[0], &order));
  if (order) printf("WRONG: thread 0 is not the primary one\n");
  OK(p_ompd_release_thread_handle(master));
  for (int i = 0; i < nthreads; i++) {
    OK(p_ompd_release_thread_handle(threads[i]));
    OK(p_ompd_release_task_handle(tasks[i]));
  }
  release(threads);
  release(tasks);
}

static void dump(void) {
  int version, nthreads;
  const char *text, *const *settings;
  ompd_thread_handle_t **threads;
  begin();
  OK(p_ompd_get_version(&version));
  OK(p_ompd_get_version_string(&text));
  printf("library %d, %s\n", version, text);
  OK(p_ompd_get_display_control_vars(space, &settings));
  for (int i = 0; settings[i]; i++) printf("  %s\n", settings[i]);
  OK(p_ompd_release_display_control_vars(settings));
  NUMBER(p_ompd_get_num_procs, space);
  NUMBER(p_ompd_get_thread_limit, space);
  OK(p_ompd_get_threads(space, &threads, &nthreads));
  for (int i = 0; i < nthreads; i++) {
    ompd_state_t state;
    ompd_wait_id_t wait;
    uint64_t pthread;
    uint32_t lwp;
    char *name;
    ompd_thread_handle_t *again;
    int order;
    OK(p_ompd_get_state(threads[i], &state, &wait));
    OK(p_ompd_get_osthread(threads[i], ompd_osthread_pthread, 8, &pthread));
    OK(p_ompd_get_osthread(threads[i], ompd_osthread_lwp, 4, &lwp));
    OK(p_ompd_get_thread_handle(space, ompd_osthread_lwp, 4, &lwp, &again));
    OK(p_ompd_thread_handle_compare(threads[i], again, &order));
    if (order) printf("WRONG: two handles of a thread differ\n");
    OK(p_ompd_release_thread_handle(again));
    OK(p_ompd_get_thread_handle_string_id(threads[i], &name));
    printf("thread %s %u: state %#x, waits for %#lx\n", name, lwp, state, (long)wait);
    release(name);
    NUMBER(p_ompd_get_thread_num, threads[i]);
    ompd_parallel_handle_t *region, *around;
    if (p_ompd_get_top_parallel_region(threads[i], &region) != ompd_rc_ok) {
      OK(p_ompd_release_thread_handle(threads[i]));
      continue;
    }
    NUMBER(p_ompd_get_max_active_levels, threads[i]);
    OK(p_ompd_get_current_parallel_handle(threads[i], &around));
    OK(p_ompd_parallel_handle_compare(region, around, &order));
    if (order) printf("WRONG: the draft's region is another one\n");
    OK(p_ompd_release_parallel_handle(around));
    for (int depth = 0;; depth++) {
      show_region(region);
      ompd_rc_t code = p_ompd_get_enclosing_parallel_handle(region, &around);
      OK(p_ompd_release_parallel_handle(region));
      region = around;
      if (code != ompd_rc_ok) break;
    }
    ompd_task_handle_t *task, *next;
    OK(p_ompd_get_top_task_region(threads[i], &task));
    OK(p_ompd_get_current_task_handle(threads[i], &next));
    OK(p_ompd_task_handle_compare(task, next, &order));
    if (order) printf("WRONG: the draft's task is another one\n");
    OK(p_ompd_release_task_handle(next));
    for (;;) {
      show_task(task);
      OK(p_ompd_get_task_parallel_handle(task, &region));
      OK(p_ompd_release_parallel_handle(region));
      if (p_ompd_get_generating_ancestor_task_region(task, &next) == ompd_rc_ok) OK(p_ompd_release_task_handle(next));
      ompd_rc_t code = p_ompd_get_scheduling_ancestor_task_region(task, &next);
      OK(p_ompd_release_task_handle(task));
      if (code != ompd_rc_ok) break;
      task = next;
    }
    OK(p_ompd_release_thread_handle(threads[i]));
  }
  release(threads);
  uint64_t id = 0;
  for (int more = 1, scope; more;) {
    OK(p_ompd_enumerate_icvs(space, id, &id, &text, &scope, &more));
    ompd_tword_t value;
    if (scope == 2 && p_ompd_get_icv_from_scope(space, scope, id, &value) == ompd_rc_ok) printf("  %s %ld\n", text, (long)value);
    release((void *)text);
  }
  OK(p_ompd_release_address_space_handle(space));
  OK(p_ompd_finalize());
  printf("%ld pieces of memory left\n", allocated);
}

static void codes(void) {
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

static uint64_t word_of_chance = 88172645463325252u;
static uint64_t chance(void) {
  word_of_chance ^= word_of_chance << 13;
  word_of_chance ^= word_of_chance >> 7;
  return word_of_chance ^= word_of_chance << 17;
}
static void *pool[64];
static void *any(void) {
  uint64_t draw = chance(), handle = (uint64_t)pool[draw / 16 % 64];
  return draw % 16 == 0 ? (void *)chance() : (void *)(draw % 16 == 1 ? handle ^ 1ull << draw / 1024 % 64 : handle);
}
static void keep(void *handle) { pool[chance() % 64] = handle; }
static void keep_all(void **handles, int count) {
  for (int i = 0; i < count; i++) keep(handles[i]);
  release(handles);
}

static void random_calls(long calls) {
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
    case 1: if (!p_ompd_get_thread_in_parallel(one, (void *)&all, &number)) keep_all(all, number); break;
    case 2: if (!p_ompd_get_implicit_task_in_parallel(one, (void *)&all, &number)) keep_all(all, number); break;
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
    case 30: p_ompd_in_parallel(one, words), p_ompd_in_final(one, words), p_ompd_get_dynamic(one, words); break;
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

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  target_open(argv[1], argv[2]);
  load();
  if (!strcmp(argv[3], "dump")) dump();
  if (!strcmp(argv[3], "codes")) codes();
  if (!strcmp(argv[3], "random")) random_calls(argc > 4 ? atol(argv[4]) : 10000);
  target_close();
  return 0;
}
