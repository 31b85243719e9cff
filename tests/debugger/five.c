/* A debugger that asks everything that OMPD 5.0 to 6.0 can be asked, of a live process and of a core:
 *   five live|core WHAT dump     what each thread, region and task is, and every ICV of each
 *   five live|core WHAT codes    each return code that a function can give
 *   five live|core WHAT random N so many calls of anything with any handle
 * Everything that it prints is the same for a process and its core. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ompd.h"
#include "target.h"

#define POINTER(name, arguments) static ompd_rc_t(*p_##name) arguments;
FOREACH_OMPD_FN(POINTER)
#undef POINTER
static char *(*p_snapshot)(ompd_address_space_handle_t *);
static char *(*p_why)(const char *, const char *);
static void (*p_free)(char *);

/* ---- callbacks ----------------------------------------------------------------------------- */

static long allocated;
static int fail_alloc, fail_read, fail_sizes;
static int context; /* its address names the process */

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
static ompd_rc_t print(const char *string, int category) {
  printf("library (%d): %s", category, string);
  return ompd_rc_ok;
}
static ompd_rc_t sizes(ompd_address_space_context_t *space, ompd_device_type_sizes_t *sizes) {
  (void)space;
  *sizes = (ompd_device_type_sizes_t){1, 2, 4, 8, 8, 8};
  return fail_sizes ? ompd_rc_error : ompd_rc_ok;
}
static ompd_rc_t symbol(ompd_address_space_context_t *space, ompd_thread_context_t *thread, const char *name,
                        ompd_address_t *address, const char *file) {
  (void)thread, (void)file;
  if ((void *)space != &context) return ompd_rc_bad_input;
  address->segment = ompd_segment_none;
  address->address = target_symbol(name);
  return address->address ? ompd_rc_ok : ompd_rc_error;
}
static ompd_rc_t get(ompd_address_space_context_t *space, ompd_thread_context_t *thread, const ompd_address_t *address,
                     ompd_size_t bytes, void *buffer) {
  (void)space, (void)thread;
  return fail_read || target_read(address->address, buffer, bytes) ? ompd_rc_error : ompd_rc_ok;
}
static ompd_rc_t put(ompd_address_space_context_t *space, ompd_thread_context_t *thread, const ompd_address_t *address,
                     ompd_size_t bytes, const void *buffer) {
  (void)space, (void)thread;
  return target_write(address->address, buffer, bytes) ? ompd_rc_error : ompd_rc_ok;
}
static ompd_rc_t convert(ompd_address_space_context_t *space, const void *input, ompd_size_t unit, ompd_size_t count,
                         void *output) {
  (void)space;
  memcpy(output, input, unit * count);
  return ompd_rc_ok;
}
static ompd_rc_t thread_context(ompd_address_space_context_t *space, ompd_thread_id_t kind, ompd_size_t size,
                                const void *id, ompd_thread_context_t **thread) {
  (void)space, (void)kind, (void)size, (void)id, (void)thread;
  return ompd_rc_unavailable;
}
static ompd_callbacks_t callbacks = {allocate, release, print,   sizes,   symbol,        get,
                                     put,      get,     convert, convert, thread_context};

/* ---- start --------------------------------------------------------------------------------- */

static ompd_address_space_handle_t *space;

/* Loads the first library of ompd_dll_locations that speaks this version. */
static void load(void) {
  uint64_t list = 0, entry, at = target_symbol("ompd_dll_locations");
  if (!at || target_read(at, &list, 8) || !list) {
    fprintf(stderr, "debugger: no ompd_dll_locations\n");
    exit(2);
  }
  for (; !target_read(list, &entry, 8) && entry; list += 8) {
    const char *name = target_text(entry);
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library || !dlsym(library, "ompd_get_api_version")) continue;
#define FIND(name, arguments)                                     \
  if (!(p_##name = (void *)dlsym(library, #name))) {              \
    fprintf(stderr, "debugger: the library has no " #name "\n"); \
    exit(2);                                                      \
  }
    FOREACH_OMPD_FN(FIND)
#undef FIND
    p_snapshot = (void *)dlsym(library, "omphalos_snapshot");
    p_why = (void *)dlsym(library, "omphalos_why");
    p_free = (void *)dlsym(library, "omphalos_free");
    return;
  }
  fprintf(stderr, "debugger: no library of ompd_dll_locations can be loaded\n");
  exit(2);
}

#define EXPECT(code, call)                                                              \
  do {                                                                                  \
    ompd_rc_t is = call;                                                                \
    if (is != (code)) {                                                                 \
      printf("WRONG: %s is %d, must be %d (%s:%d)\n", #call, is, code, __FILE__, __LINE__); \
    }                                                                                   \
  } while (0)
#define OK(call) EXPECT(ompd_rc_ok, call)

static void begin(ompd_word_t version) {
  OK(p_ompd_initialize(version, &callbacks));
  ompd_rc_t code = p_ompd_process_initialize((void *)&context, &space);
  if (code != ompd_rc_ok) {
    fprintf(stderr, "debugger: ompd_process_initialize: %d\n", code);
    exit(2);
  }
}

/* ---- dump ---------------------------------------------------------------------------------- */

static struct { ompd_icv_id_t id; char name[64]; ompd_scope_t scope; } icvs[256];
static int nicvs;
static char states[0x400][64];

static void enumerate(void) {
  ompd_icv_id_t id = 0;
  for (int more = 1; more && nicvs < 256;) {
    const char *name;
    ompd_scope_t scope;
    OK(p_ompd_enumerate_icvs(space, id, &id, &name, &scope, &more));
    icvs[nicvs].id = id;
    icvs[nicvs].scope = scope;
    snprintf(icvs[nicvs++].name, 64, "%s", name);
    release((void *)name);
  }
  ompd_word_t state = 0x102;
  for (ompd_word_t more = 1; more;) {
    const char *name;
    OK(p_ompd_enumerate_states(space, state, &state, &name, &more));
    if (state >= 0 && state < 0x400) snprintf(states[state], 64, "%s", name);
    release((void *)name);
  }
}

static void dump_icvs(void *handle, ompd_scope_t scope) {
  for (int i = 0; i < nicvs; i++) {
    if (icvs[i].scope != scope) continue;
    ompd_word_t number = 0;
    const char *text = 0;
    ompd_rc_t of_number = p_ompd_get_icv_from_scope(handle, scope, icvs[i].id, &number);
    ompd_rc_t of_text = p_ompd_get_icv_string_from_scope(handle, scope, icvs[i].id, &text);
    printf("    %s = ", icvs[i].name);
    if (of_number == ompd_rc_ok || of_number == ompd_rc_incomplete)
      printf("%ld%s", (long)number, of_number == ompd_rc_ok ? "" : ", ...");
    else
      printf("code %d", of_number);
    if (of_text == ompd_rc_ok)
      printf(" \"%s\"\n", text), release((void *)text);
    else
      printf(" code %d\n", of_text);
  }
}

static void dump_data(void *handle, ompd_scope_t scope) {
  ompd_word_t value;
  ompd_address_t pointer;
  ompd_rc_t code = p_ompd_get_tool_data(handle, scope, &value, &pointer);
  if (code == ompd_rc_ok)
    printf("    data %ld\n", (long)value);
  else if (code != ompd_rc_unavailable)
    printf("WRONG: tool data: %d\n", code);
}

static void dump_task(ompd_task_handle_t *task, int depth) {
  ompd_address_t function;
  ompd_frame_info_t exit, enter;
  OK(p_ompd_get_task_function(task, &function));
  OK(p_ompd_get_task_frame(task, &exit, &enter));
  printf("  task %d: function %#lx, exit %#lx (%ld), enter %#lx (%ld)\n", depth, function.address,
         exit.frame_address.address, (long)exit.frame_flag, enter.frame_address.address, (long)enter.frame_flag);
  dump_icvs(task, ompd_scope_task);
  dump_data(task, ompd_scope_task);
  ompd_parallel_handle_t *region;
  OK(p_ompd_get_task_parallel_handle(task, &region));
  OK(p_ompd_rel_parallel_handle(region));
}

static void dump_tasks(ompd_thread_handle_t *thread) {
  ompd_task_handle_t *task, *next;
  if (p_ompd_get_curr_task_handle(thread, &task) != ompd_rc_ok) {
    printf("  no task\n");
    return;
  }
  for (int depth = 0; depth < 50; depth++) {
    dump_task(task, depth);
    ompd_task_handle_t *maker;
    ompd_rc_t made = p_ompd_get_generating_task_handle(task, &maker);
    ompd_rc_t code = p_ompd_get_scheduling_task_handle(task, &next);
    if (made == ompd_rc_ok) {
      int same = 2;
      if (code == ompd_rc_ok) OK(p_ompd_task_handle_compare(maker, next, &same));
      printf("    made by the interrupted one: %s\n", same == 0 ? "yes" : "no");
      OK(p_ompd_rel_task_handle(maker));
    }
    OK(p_ompd_rel_task_handle(task));
    if (code != ompd_rc_ok) {
      EXPECT(ompd_rc_unavailable, code);
      return;
    }
    task = next;
  }
  OK(p_ompd_rel_task_handle(task));
}

static void dump_regions(ompd_thread_handle_t *thread) {
  ompd_parallel_handle_t *region, *next;
  if (p_ompd_get_curr_parallel_handle(thread, &region) != ompd_rc_ok) {
    printf("  no region\n");
    return;
  }
  for (int depth = 0; depth < 50; depth++) {
    printf("  region %d:\n", depth);
    dump_icvs(region, ompd_scope_parallel);
    dump_data(region, ompd_scope_parallel);
    for (int num = 0;; num++) {
      ompd_thread_handle_t *member;
      ompd_task_handle_t *task;
      if (p_ompd_get_thread_in_parallel(region, num, &member) != ompd_rc_ok) {
        EXPECT(ompd_rc_bad_input, p_ompd_get_task_in_parallel(region, num, &task));
        break;
      }
      uint64_t pthread = 0;
      int lwp = 0, order;
      OK(p_ompd_get_thread_id(member, OMPD_THREAD_ID_PTHREAD, sizeof pthread, &pthread));
      OK(p_ompd_get_thread_id(member, OMPD_THREAD_ID_LWP, sizeof lwp, &lwp));
      OK(p_ompd_thread_handle_compare(member, thread, &order));
      OK(p_ompd_get_task_in_parallel(region, num, &task));
      ompd_address_t function;
      OK(p_ompd_get_task_function(task, &function));
      printf("    member %d: thread %d%s, function %#lx\n", num, lwp, order ? "" : " (itself)", function.address);
      OK(p_ompd_rel_task_handle(task));
      OK(p_ompd_rel_thread_handle(member));
    }
    ompd_rc_t code = p_ompd_get_enclosing_parallel_handle(region, &next);
    int order = 0;
    if (code == ompd_rc_ok) OK(p_ompd_parallel_handle_compare(region, next, &order));
    if (code == ompd_rc_ok && !order) printf("WRONG: a region around itself\n");
    OK(p_ompd_rel_parallel_handle(region));
    if (code != ompd_rc_ok) {
      EXPECT(ompd_rc_unavailable, code);
      return;
    }
    region = next;
  }
  OK(p_ompd_rel_parallel_handle(region));
}

static void dump(void) {
  begin(201811);
  enumerate();
  ompd_word_t version;
  const char *text;
  OK(p_ompd_get_api_version(&version));
  OK(p_ompd_get_version_string(&text));
  printf("library %ld, %s\n", (long)version, text);
  OK(p_ompd_get_omp_version(space, &version));
  OK(p_ompd_get_omp_version_string(space, &text));
  printf("runtime %ld, %s\n", (long)version, text);
  release((void *)text);
  dump_icvs(space, ompd_scope_address_space);
  const char *const *settings;
  OK(p_ompd_get_display_control_vars(space, &settings));
  for (int i = 0; settings[i]; i++) printf("  %s\n", settings[i]);
  OK(p_ompd_rel_display_control_vars(&settings));
  ompd_thread_id_t *kinds;
  ompd_size_t *sizes;
  int count;
  OK(p_ompd_get_device_thread_id_kinds(space, &kinds, &sizes, &count));
  for (int i = 0; i < count; i++) printf("kind of threads %ld, %ld bytes\n", (long)kinds[i], (long)sizes[i]);
  release(kinds);
  release(sizes);
  int lwps[4096], nthreads = target_threads(lwps, 4096);
  for (int i = 0; i < nthreads; i++) {
    ompd_thread_handle_t *thread, *again;
    ompd_rc_t code = p_ompd_get_thread_handle(space, OMPD_THREAD_ID_LWP, sizeof lwps[i], &lwps[i], &thread);
    if (code != ompd_rc_ok) {
      EXPECT(ompd_rc_unavailable, code);
      printf("thread %d: not OpenMP's\n", lwps[i]);
      continue;
    }
    ompd_word_t state;
    ompd_wait_id_t wait;
    uint64_t pthread;
    int order;
    target_bytes();
    OK(p_ompd_get_state(thread, &state, &wait));
    if (target_bytes() > 1024) printf("WRONG: a state takes more than 1024 bytes to read\n");
    printf("thread %d: %s, waits for %#lx\n", lwps[i], state < 0x400 ? states[state] : "?", (long)wait);
    OK(p_ompd_get_thread_id(thread, OMPD_THREAD_ID_PTHREAD, sizeof pthread, &pthread));
    OK(p_ompd_get_thread_handle(space, OMPD_THREAD_ID_PTHREAD, sizeof pthread, &pthread, &again));
    OK(p_ompd_thread_handle_compare(thread, again, &order));
    if (order) printf("WRONG: two handles of a thread differ\n");
    OK(p_ompd_rel_thread_handle(again));
    ompd_address_space_handle_t *device;
    OK(p_ompd_get_device_from_thread(thread, &device));
    OK(p_ompd_get_omp_version(device, &version));
    OK(p_ompd_rel_address_space_handle(device)); /* the process stays */
    dump_icvs(thread, ompd_scope_thread);
    dump_data(thread, ompd_scope_thread);
    dump_regions(thread);
    dump_tasks(thread);
    OK(p_ompd_rel_thread_handle(thread));
  }
  OK(p_ompd_rel_address_space_handle(space));
  OK(p_ompd_finalize());
  printf("%ld pieces of memory left\n", allocated);
}

/* ---- codes --------------------------------------------------------------------------------- */

static ompd_icv_id_t icv(const char *name, ompd_scope_t *scope) {
  for (int i = 0; i < nicvs; i++)
    if (!strcmp(icvs[i].name, name)) {
      *scope = icvs[i].scope;
      return icvs[i].id;
    }
  printf("WRONG: no %s\n", name);
  return 0;
}

static void codes(void) {
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
  for (int i = 0; i < 4; i++) OK(p_ompd_initialize((ompd_word_t[]){201811, 202011, 202111, 202411}[i], &callbacks));
  EXPECT(ompd_rc_bad_input, p_ompd_get_api_version(NULL));
  EXPECT(ompd_rc_bad_input, p_ompd_get_version_string(NULL));
  EXPECT(ompd_rc_bad_input, p_ompd_process_initialize(NULL, &other));
  EXPECT(ompd_rc_bad_input, p_ompd_process_initialize((void *)&context, NULL));
  EXPECT(ompd_rc_incompatible, p_ompd_process_initialize((void *)&order, &other)); /* its callback finds nothing */
  fail_sizes = 1;
  EXPECT(ompd_rc_callback_error, p_ompd_process_initialize((void *)&context, &other));
  fail_sizes = 0;
  fail_read = 1;
  EXPECT(ompd_rc_device_read_error, p_ompd_process_initialize((void *)&context, &other));
  fail_read = 0;
  begin(202411);
  enumerate();
  EXPECT(ompd_rc_bad_input, p_ompd_enumerate_icvs(space, 1000, &(ompd_icv_id_t){0}, &text, &(ompd_scope_t){0}, &order));
  EXPECT(ompd_rc_bad_input, p_ompd_enumerate_icvs(space, 0, NULL, NULL, NULL, NULL));
  EXPECT(ompd_rc_bad_input, p_ompd_enumerate_states(space, 0x999, &word, &text, &word));
  EXPECT(ompd_rc_bad_input, p_ompd_enumerate_states(space, 0x102, NULL, NULL, NULL));
  EXPECT(ompd_rc_stale_handle, p_ompd_enumerate_states(NULL, 0x102, &word, &text, &word));
  EXPECT(ompd_rc_unsupported, p_ompd_device_initialize(space, NULL, OMPD_DEVICE_KIND_CUDA, 0, NULL, &other));
  EXPECT(ompd_rc_bad_input, p_ompd_device_initialize(space, NULL, OMPD_DEVICE_KIND_HOST, 8, NULL, &other));
  EXPECT(ompd_rc_bad_input, p_ompd_device_initialize(space, NULL, OMPD_DEVICE_KIND_HOST, 3, &(int){0}, &other));
  EXPECT(ompd_rc_bad_input, p_ompd_device_initialize(space, NULL, OMPD_DEVICE_KIND_HOST, sizeof(int), &(int){1}, &other));
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
    if (p_ompd_get_thread_handle(space, OMPD_THREAD_ID_LWP, sizeof lwps[i], &lwps[i], &thread)) thread = NULL;
  int lwp = 1;
  uint64_t pthread = 1;
  EXPECT(ompd_rc_unavailable, p_ompd_get_thread_handle(space, OMPD_THREAD_ID_LWP, sizeof lwp, &lwp, &second));
  EXPECT(ompd_rc_unavailable, p_ompd_get_thread_handle(space, OMPD_THREAD_ID_PTHREAD, 8, &pthread, &second));
  EXPECT(ompd_rc_bad_input, p_ompd_get_thread_handle(space, OMPD_THREAD_ID_PTHREAD, 4, &pthread, &second));
  EXPECT(ompd_rc_bad_input, p_ompd_get_thread_handle(space, OMPD_THREAD_ID_LWP, 4, NULL, &second));
  EXPECT(ompd_rc_bad_input, p_ompd_get_thread_handle(space, OMPD_THREAD_ID_LWP, 4, &lwp, NULL));
  EXPECT(ompd_rc_unsupported, p_ompd_get_thread_handle(space, OMPD_THREAD_ID_CUDALOGICAL, 8, &pthread, &second));
  EXPECT(ompd_rc_stale_handle, p_ompd_get_thread_handle(NULL, OMPD_THREAD_ID_LWP, 4, &lwp, &second));
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
  EXPECT(getenv("EXPECT_LIST") ? ompd_rc_incomplete : ompd_rc_ok, p_ompd_get_icv_from_scope(thread, scope, id, &word));
  EXPECT(ompd_rc_bad_input, p_ompd_get_tool_data(thread, ompd_scope_thread, NULL, &address));
  EXPECT(ompd_rc_unsupported, p_ompd_get_tool_data(space, ompd_scope_address_space, &word, &address));
  EXPECT(ompd_rc_incompatible_handle, p_ompd_get_tool_data(space, ompd_scope_task, &word, &address));
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

/* ---- random -------------------------------------------------------------------------------- */

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
  case 2: if (!p_ompd_get_omp_version_string(one, &text)) release((void *)text); break;
  case 3: if (!p_ompd_get_thread_in_parallel(one, number, (void *)&out)) keep(out); break;
  case 4:
  case 5: if (!p_ompd_get_thread_handle(one, chance() % 4, 4 + 4 * (chance() % 2), id, (void *)&out)) keep(out); break;
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
  case 25: if (!p_ompd_enumerate_states(one, chance() % 0x140, &words[0], &text, &words[1])) release((void *)text); break;
  case 26: p_ompd_get_state(one, &words[0], id); break;
  case 27: {
    const char *const *list;
    if (!p_ompd_get_display_control_vars(one, &list)) p_ompd_rel_display_control_vars(&list);
    break;
  }
  case 28: if (!p_ompd_enumerate_icvs(one, chance() % 60, (ompd_icv_id_t *)id, &text, &scope, &number)) release((void *)text); break;
  case 29: p_ompd_get_icv_from_scope(one, chance() % 10, chance() % 60, &words[0]); break;
  case 30: if (!p_ompd_get_icv_string_from_scope(one, chance() % 10, chance() % 60, &text)) release((void *)text); break;
  case 31: p_ompd_get_tool_data(one, chance() % 10, &words[0], &address); break;
  case 32:
    if (chance() % 64 == 0) p_ompd_finalize();
    p_ompd_initialize(201811, &callbacks);
    break;
  }
}

static void random_calls(long count) {
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

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: five live|core WHAT dump|codes|random|snapshot [N]\n");
    return 2;
  }
  target_open(argv[1], argv[2]);
  load();
  if (!strcmp(argv[3], "dump"))
    dump();
  else if (!strcmp(argv[3], "codes"))
    codes();
  else if (!strcmp(argv[3], "random"))
    random_calls(argc > 4 ? atol(argv[4]) : 10000);
  else {
    begin(201811);
    char *now = p_snapshot(space), *why = p_why(now, NULL), *none = p_why("{", NULL);
    printf("%s\n%s\n%s\n", now, why, none ? none : "none");
    p_free(now);
    p_free(why);
    p_free(NULL);
  }
  target_close();
  return 0;
}
