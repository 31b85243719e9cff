/* A debugger that asks everything that OMPD of 2013 can be asked: y2013 live|core|run WHAT
 * dump|codes|random|enable|enabled|runs|handles. Here the debugger has ompd_initialize(), which the
 * library calls. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "y2013.h"

#define POINTER(name, arguments) ompd_rc_t(*p_##name) arguments;
FOREACH_OMPD_FN(POINTER)
#undef POINTER
int (*p_ompd_enable)(ompd_enable_setting_t);

int process;
static long allocated;
static int fail_alloc, fail_read, asked, ready = 1;

static ompd_rc_t allocate(ompd_context_t *of, size_t bytes, void **memory) {
  (void)of;
  if (fail_alloc || !(*memory = malloc(bytes))) return ompt_rc_error;
  allocated++;
  return ompd_rc_ok;
}
static ompd_rc_t release_in(ompd_context_t *of, void *memory) {
  (void)of;
  allocated--;
  free(memory);
  return ompd_rc_ok;
}
void release(void *memory) { release_in(context, memory); }
static ompd_rc_t sizes(ompd_context_t *of, ompd_target_type_sizes_t *sizes) {
  (void)of;
  *sizes = (ompd_target_type_sizes_t){1, 2, 4, 8, 8, 8};
  return ompd_rc_ok;
}
static ompd_rc_t symbol(ompd_context_t *of, const char *name, ompd_taddr_t *address) {
  (void)of;
  return (*address = target_symbol(name)) ? ompd_rc_ok : ompt_rc_error;
}
static ompd_rc_t get(ompd_context_t *of, ompd_taddr_t *address, void *buffer, ompd_tword_t bytes) {
  (void)of;
  return fail_read || target_read(*address, buffer, bytes) ? ompt_rc_error : ompd_rc_ok;
}
static ompd_rc_t put(ompd_context_t *of, ompd_taddr_t *address, void *buffer, ompd_tword_t bytes) {
  (void)of;
  return target_write(*address, buffer, bytes) ? ompt_rc_error : ompd_rc_ok;
}
static ompd_rc_t convert(ompd_context_t *of, const void *input, void *output, int bytes) {
  (void)of;
  memcpy(output, input, bytes);
  return ompd_rc_ok;
}

ompt_rc_t ompd_initialize(ompd_callbacks_t *data) {
  asked++;
  *data = (ompd_callbacks_t){.d_alloc_memory = allocate,
                             .d_free_memory = release_in,
                             .t_sizeof_prim_type = sizes,
                             .t_symbol_addr_lookup = symbol,
                             .t_read_memory = get,
                             .t_write_memory = put,
                             .target_to_host = convert};
  return ready ? ompd_rc_ok : ompt_rc_error;
}

/* By the name in ompt_debugger_plugin, in LD_LIBRARY_PATH. */
void load(void) {
  uint64_t name = 0, at = target_symbol("ompt_debugger_plugin");
  if (!at || target_read(at, &name, 8)) printf("WRONG: no ompt_debugger_plugin\n"), exit(2);
  void *library = dlopen(target_text(name), RTLD_NOW | RTLD_LOCAL);
  if (!library) printf("WRONG: %s\n", dlerror()), exit(2);
#define FIND(name, arguments) \
  if (!(p_##name = (void *)dlsym(library, #name))) \
    printf("WRONG: the library has no " #name "\n"), exit(2);
  FOREACH_OMPD_FN(FIND)
#undef FIND
  p_ompd_enable = (void *)dlsym(library, "ompd_enable");
}

#define NUMBER(type, function, handle)                    \
  do {                                                    \
    type number = -1;                                     \
    OK(function(context, handle, &number));               \
    printf("    %s %ld\n", #function + 2, (long)number);  \
  } while (0)

/* What may be unknown: then there is a code for it, and no value. */
#define KNOWN(call)                                                             \
  do {                                                                          \
    ompd_rc_t is = call;                                                        \
    if (is == ompd_rc_needs_state_tracking) printf("    %s untracked\n", #call); \
    else if (is != ompd_rc_unavailable) EXPECT(ompd_rc_ok, is);                 \
  } while (0)

static void show_task(ompd_task_handle_t task) {
  ompd_taddr_t exit = 0, enter = 0, function = 0;
  int kind, chunk;
  KNOWN(p_ompd_get_task_function(context, task, &function));
  KNOWN(p_ompd_get_task_frame(context, task, &exit, &enter));
  OK(p_ompd_get_schedule(context, task, &kind, &chunk));
  printf("  task: function %#lx, exit %#lx, enter %#lx, schedule %d %d\n", function, exit, enter,
         kind, chunk);
  NUMBER(int, p_ompd_get_max_threads, task);
  NUMBER(int, p_ompd_get_thread_num, task);
  NUMBER(int, p_ompd_in_parallel, task);
  NUMBER(int, p_ompd_in_final, task);
  NUMBER(int, p_ompd_get_dynamic, task);
  NUMBER(int, p_ompd_get_nested, task);
  NUMBER(int, p_ompd_get_max_active_levels, task);
  NUMBER(int, p_ompd_get_proc_bind, task);
}

static void dump(void) {
  ompd_thread_handle_t *threads, *members;
  ompd_task_handle_t *tasks;
  ompd_breakpoints_t places;
  ompd_tword_t word;
  const char *text;
  int version, nthreads, count;
  OK(p_ompd_get_version_string(&text));
  OK(p_ompd_get_version_compatibility(&version));
  printf("library %d, %s\n", version, text);
  OK(p_ompd_get_breakpoints(context, &places));
  printf("places %#lx %#lx %#lx %#lx\n", places.parallel_pre_execute, places.parallel_post_execute,
         places.task_pre_execute, places.task_post_execute);
  OK(p_ompd_display_control_vars(&text));
  printf("%s", text);
  release((void *)text);
  OK(p_ompd_get_num_procs(&word));
  OK(p_ompd_get_thread_limit(&word));
  OK(p_ompd_get_threads(context, &threads, &nthreads));
  for (int i = 0; i < nthreads; i++) {
    ompd_osthread_t native = {.kind = ompd_osthread_lwp}, pthread = {.kind = ompd_osthread_pthread};
    ompd_thread_handle_t again;
    int state;
    uint64_t wait;
    OK(p_ompd_get_osthread(context, threads[i], &native));
    OK(p_ompd_get_osthread(context, threads[i], &pthread));
    OK(p_ompd_get_thread_handle(context, &native, &again));
    if (again != threads[i]) printf("WRONG: two handles of a thread differ\n");
    OK(p_ompd_get_thread_handle(context, &pthread, &again));
    if (again != threads[i]) printf("WRONG: two handles of a thread differ\n");
    OK(p_ompd_get_state(context, threads[i], &state, &wait));
    printf("thread %ld: state %#x, waits for %#lx\n", (long)native.data.lwp, state, wait);
    ompd_parallel_handle_t region, other;
    if (p_ompd_get_innermost_parallel_region(context, threads[i], &region) != ompd_rc_ok) continue;
    OK(p_ompd_get_top_parallel_region(context, threads[i], &other));
    if (region != other) printf("WRONG: the other name gives another region\n");
    for (;;) {
      ompd_taddr_t function = 0;
      ompd_parallel_id_t id = 0;
      KNOWN(p_ompd_get_parallel_function(context, region, &function));
      KNOWN(p_ompd_get_parallel_id(context, region, &id));
      printf("  region: function %#lx, id %lu\n", function, (unsigned long)id);
      NUMBER(ompd_tword_t, p_ompd_get_num_threads, region);
      NUMBER(ompd_tword_t, p_ompd_get_level, region);
      NUMBER(ompd_tword_t, p_ompd_get_active_level, region);
      OK(p_ompd_get_thread_in_parallel(context, region, &members, &count));
      release(members);
      OK(p_ompd_get_implicit_task_in_parallel(context, region, &tasks, &count));
      release(tasks);
      ompd_rc_t code = p_ompd_get_enclosing_parallel_handle(context, region, &other);
      EXPECT(code, p_ompd_get_ancestor_parallel_handle(context, region, &other));
      if (code != ompd_rc_ok) break;
      region = other;
    }
    ompd_task_handle_t task;
    OK(p_ompd_get_top_task_region(context, threads[i], &task));
    do show_task(task);
    while (p_ompd_get_ancestor_task_handle(context, task, &task) == ompd_rc_ok);
  }
  release(threads);
  if (asked != 1) printf("WRONG: ompd_initialize() was called %d times\n", asked);
  printf("%ld pieces of memory left\n", allocated);
}

static void codes(void) {
  ompd_thread_handle_t *threads;
  ompd_tword_t word;
  int count, small;
  const char *text;
  EXPECT(ompt_rc_bad_input, p_ompd_get_error_string(99, &text));
  for (int code = 0; code < 7; code++) OK(p_ompd_get_error_string(code, &text));
  ready = 0;
  EXPECT(ompt_rc_error, p_ompd_get_threads(context, &threads, &count));
  ready = 1;
  /* These name no process: also before any was named. */
  OK(p_ompd_get_num_procs(&word));
  OK(p_ompd_get_thread_limit(&word));
  OK(p_ompd_display_control_vars(&text));
  release((void *)text);
  EXPECT(ompt_rc_bad_input, p_ompd_get_threads(NULL, &threads, &count));
  fail_read = 1;
  EXPECT(ompt_rc_error, p_ompd_get_threads(context, &threads, &count));
  fail_read = 0;
  fail_alloc = 1;
  EXPECT(ompt_rc_error, p_ompd_get_threads(context, &threads, &count));
  fail_alloc = 0;
  OK(p_ompd_get_threads(context, &threads, &count));
  EXPECT(ompt_rc_bad_input, p_ompd_get_threads(context, &threads, NULL));
  EXPECT(ompd_rc_stale_handle, p_ompd_get_level(context, 4711, &word));
  EXPECT(ompt_rc_bad_input, p_ompd_get_level(context, threads[0], &word));
  EXPECT(ompt_rc_bad_input, p_ompd_get_state(context, threads[0], NULL, NULL));
  EXPECT(ompt_rc_unsupported,
         p_ompd_get_thread_handle(context, &(ompd_osthread_t){.kind = 7}, &threads[0]));
  EXPECT(ompd_rc_unavailable,
         p_ompd_get_thread_handle(
             context, &(ompd_osthread_t){.kind = ompd_osthread_lwp, .data.lwp = 1}, &threads[0]));
  EXPECT(ompd_rc_stale_handle, p_ompd_in_final(context, 0, &small));
  release(threads);
  printf("%ld pieces of memory left\n", allocated);
}

static uint64_t word_of_chance = 88172645463325252u;
static uint64_t chance(void) {
  word_of_chance ^= word_of_chance << 13;
  word_of_chance ^= word_of_chance >> 7;
  return word_of_chance ^= word_of_chance << 17;
}
static uint64_t pool[64];
static uint64_t any(void) {
  uint64_t draw = chance(), handle = pool[draw / 16 % 64];
  return draw % 16 == 0 ? chance() : draw % 16 == 1 ? handle ^ 1ull << draw / 1024 % 64 : handle;
}
static void keep(uint64_t handle) { pool[chance() % 64] = handle; }

static void random_calls(long calls) {
  ompd_tword_t word;
  for (long i = 0; i < calls; i++) {
    uint64_t one = any(), out = 0, *all, id;
    int small, other;
    const char *text;
    fail_read = chance() % 50 == 0;
    fail_alloc = chance() % 50 == 0;
    switch (chance() % 24) {
    case 0:
    case 1:
      if (!p_ompd_get_threads(context, &all, &small)) {
        while (small--) keep(all[small]);
        release(all);
      }
      break;
    case 2:
      if (!p_ompd_get_thread_in_parallel(context, one, &all, &small)) {
        while (small--) keep(all[small]);
        release(all);
      }
      break;
    case 3:
      if (!p_ompd_get_implicit_task_in_parallel(context, one, &all, &small)) {
        while (small--) keep(all[small]);
        release(all);
      }
      break;
    case 4: case 5: if (!p_ompd_get_innermost_parallel_region(context, one, &out)) keep(out); break;
    case 6: if (!p_ompd_get_enclosing_parallel_handle(context, one, &out)) keep(out); break;
    case 7: case 8: if (!p_ompd_get_top_task_region(context, one, &out)) keep(out); break;
    case 9: if (!p_ompd_get_ancestor_task_handle(context, one, &out)) keep(out); break;
    case 10: p_ompd_get_num_procs(&word), p_ompd_get_thread_limit(&word); break;
    case 11:
      p_ompd_get_num_threads(context, one, &word), p_ompd_get_level(context, one, &word);
      break;
    case 12:
      p_ompd_get_active_level(context, one, &word), p_ompd_get_parallel_id(context, one, &id);
      break;
    case 13: p_ompd_get_parallel_function(context, one, &id); break;
    case 14:
      if (!p_ompd_get_thread_handle(
              context, &(ompd_osthread_t){.kind = chance() % 3, .data.lwp = chance() % 65536},
              &out))
        keep(out);
      break;
    case 15: p_ompd_get_osthread(context, one, &(ompd_osthread_t){.kind = chance() % 3}); break;
    case 16: p_ompd_get_state(context, one, &small, &id); break;
    case 17:
      p_ompd_get_max_threads(context, one, &small), p_ompd_get_thread_num(context, one, &small);
      break;
    case 18: p_ompd_in_parallel(context, one, &small), p_ompd_in_final(context, one, &small); break;
    case 19:
      p_ompd_get_dynamic(context, one, &small), p_ompd_get_nested(context, one, &small);
      break;
    case 20:
      p_ompd_get_max_active_levels(context, one, &small),
          p_ompd_get_proc_bind(context, one, &small);
      break;
    case 21: p_ompd_get_schedule(context, one, &small, &other); break;
    case 22:
      p_ompd_get_task_frame(context, one, &out, &id), p_ompd_get_task_function(context, one, &id);
      break;
    case 23: if (!p_ompd_display_control_vars(&text)) release((void *)text); break;
    }
  }
  printf("%ld calls, %ld pieces of memory left\n", calls, allocated);
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  target_open(argv[1], argv[2]);
  if (!strcmp(argv[3], "runs")) return runs(argv + 4), 0;
  if (!strcmp(argv[3], "handles")) return handles(), 0;
  load();
  if (!strcmp(argv[3], "dump")) dump();
  if (!strcmp(argv[3], "codes")) codes();
  if (!strcmp(argv[3], "random")) random_calls(argc > 4 ? atol(argv[4]) : 10000);
  if (!strcmp(argv[3], "enable")) {
    int count;
    OK(p_ompd_get_threads(context, NULL, &count));
    EXPECT(strcmp(argv[1], "live") ? ompt_rc_unsupported : ompd_rc_ok, p_ompd_enable(1));
    printf("asked\n");
  }
  if (!strcmp(argv[3], "enabled")) {
    uint32_t word = 1;
    target_read(target_symbol("omphalos_enable"), &word, sizeof word);
    printf("word %u\n", word);
  }
  target_close();
  return 0;
}
