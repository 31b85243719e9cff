/*
 * A tool that writes one line for each thing it is told, to the file that TRACE_TOOL_OUT names:
 *
 *     <sequence> <thread> <event> key=value ...
 *
 * Every thread, region and task gets a number of its own in its data word the first time it is
 * shown, so a test can see whether the words are kept. TRACE_TOOL_ONLY=a,b registers only these.
 */
#define _GNU_SOURCE
#include "omp-tools.h"
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int out = 2;
static uint64_t sequence, last_id;
static ompt_data_t *own_data;

static ompt_set_callback_t set_callback;
static ompt_get_callback_t get_callback;
static ompt_get_thread_data_t get_thread_data;
static ompt_get_state_t get_state;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;
static ompt_get_task_memory_t get_task_memory;
static ompt_get_target_info_t get_target_info;
static ompt_get_unique_id_t get_unique_id;
static ompt_get_num_procs_t get_num_procs;
static ompt_get_num_places_t get_num_places;
static ompt_get_place_proc_ids_t get_place_proc_ids;
static ompt_get_place_num_t get_place_num;
static ompt_get_partition_place_nums_t get_partition_place_nums;
static ompt_get_proc_id_t get_proc_id;
static ompt_get_num_devices_t get_num_devices;
static ompt_enumerate_states_t enumerate_states;
static ompt_enumerate_mutex_impls_t enumerate_mutex_impls;
static ompt_finalize_tool_t finalize_tool;

static void say(const char *format, ...)
{
  char line[1024];
  unsigned long long number = __atomic_add_fetch(&sequence, 1, __ATOMIC_SEQ_CST);
  int used = snprintf(line, sizeof line, "%llu %ld ", number, (long)syscall(SYS_gettid));
  va_list arguments;
  va_start(arguments, format);
  used += vsnprintf(line + used, sizeof line - used - 1, format, arguments);
  va_end(arguments);
  line[used++] = '\n';
  if (write(out, line, used) != used) abort();
}

static uint64_t fresh(void) { return __atomic_add_fetch(&last_id, 1, __ATOMIC_SEQ_CST); }

/* A new object: its word must be empty. */
static unsigned long long born(ompt_data_t *data)
{
  if (data->value != 0) say("STALE word=%llu", (unsigned long long)data->value);
  return data->value = fresh();
}

/* An object seen before, 0 for a null pointer. */
static unsigned long long seen(const ompt_data_t *data) { return data ? data->value : 0; }

static const char *edge(ompt_scope_endpoint_t endpoint)
{
  return endpoint == ompt_scope_begin ? "begin" : endpoint == ompt_scope_end ? "end" : "beginend";
}

#define WORD(p) (unsigned long long)(p).value

static void on_thread_begin(ompt_thread_t type, ompt_data_t *thread)
{
  say("thread_begin thread=%llu type=%d same=%d", born(thread), type, get_thread_data() == thread);
}
static void on_thread_end(ompt_data_t *thread) { say("thread_end thread=%llu", seen(thread)); }
static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
    unsigned requested, int flags, const void *ra)
{
  say("parallel_begin task=%llu enter=%llx enter_flags=%x region=%llu requested=%u flags=%x ra=%p",
      seen(task), WORD(frame->enter_frame), frame->enter_frame_flags, born(region), requested, flags,
      ra);
}
static void on_parallel_end(ompt_data_t *region, ompt_data_t *task, int flags, const void *ra)
{
  say("parallel_end region=%llu task=%llu flags=%x ra=%p", seen(region), seen(task), flags, ra);
}
static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
    unsigned parallelism, unsigned index, int flags)
{
  if (endpoint == ompt_scope_begin) {
    if (flags & ompt_task_initial) born(region);
    born(task);
  }
  say("implicit_task %s region=%llu task=%llu parallelism=%u index=%u flags=%x", edge(endpoint),
      seen(region), seen(task), parallelism, index, flags);
}
static void on_task_create(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *task,
    int flags, int dependences, const void *ra)
{
  say("task_create encountering=%llu enter=%llx task=%llu flags=%x dependences=%d ra=%p",
      seen(encountering), frame ? WORD(frame->enter_frame) : 0, born(task), flags, dependences, ra);
}
static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
  say("task_schedule prior=%llu status=%d next=%llu", seen(prior), status, seen(next));
}
static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *region, ompt_data_t *task, const void *ra)
{
  say("sync_region %s kind=%d region=%llu task=%llu ra=%p", edge(endpoint), kind, seen(region),
      seen(task), ra);
}
static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *region, ompt_data_t *task, const void *ra)
{
  say("sync_region_wait %s kind=%d region=%llu task=%llu state=%x", edge(endpoint), kind,
      seen(region), seen(task), get_state(NULL));
}
static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *region, ompt_data_t *task, const void *ra)
{
  say("reduction %s kind=%d region=%llu task=%llu ra=%p", edge(endpoint), kind, seen(region),
      seen(task), ra);
}
static void on_work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
    ompt_data_t *task, uint64_t count, const void *ra)
{
  say("work %s type=%d region=%llu task=%llu count=%llu ra=%p", edge(endpoint), type, seen(region),
      seen(task), (unsigned long long)count, ra);
}
static void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
    const void *ra)
{
  say("masked %s region=%llu task=%llu ra=%p", edge(endpoint), seen(region), seen(task), ra);
}
static void on_dispatch(ompt_data_t *region, ompt_data_t *task, ompt_dispatch_t kind,
    ompt_data_t instance)
{
  unsigned long long first = instance.value, count = 1;
  if (kind >= ompt_dispatch_ws_loop_chunk) {
    const ompt_dispatch_chunk_t *chunk = instance.ptr;
    first = chunk->start;
    count = chunk->iterations;
  }
  say("dispatch region=%llu task=%llu kind=%d first=%llu count=%llu", seen(region), seen(task), kind,
      first, count);
}
static void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t wait,
    const void *ra)
{
  say("mutex_acquire kind=%d hint=%u impl=%u wait=%llx ra=%p", kind, hint, impl,
      (unsigned long long)wait, ra);
}
static void on_lock_init(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t wait,
    const void *ra)
{
  say("lock_init kind=%d hint=%u impl=%u wait=%llx ra=%p", kind, hint, impl,
      (unsigned long long)wait, ra);
}
#define MUTEX(name)                                                                                \
  static void on_##name(ompt_mutex_t kind, ompt_wait_id_t wait, const void *ra)                    \
  {                                                                                                \
    say(#name " kind=%d wait=%llx ra=%p", kind, (unsigned long long)wait, ra);                     \
  }
MUTEX(mutex_acquired)
MUTEX(mutex_released)
MUTEX(lock_destroy)
static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait, const void *ra)
{
  say("nest_lock %s wait=%llx ra=%p", edge(endpoint), (unsigned long long)wait, ra);
}
static void on_flush(ompt_data_t *thread, const void *ra)
{
  say("flush thread=%llu ra=%p", seen(thread), ra);
}
static void on_cancel(ompt_data_t *task, int flags, const void *ra)
{
  say("cancel task=%llu flags=%x ra=%p", seen(task), flags, ra);
}
static void on_dependences(ompt_data_t *task, const ompt_dependence_t *deps, int count)
{
  say("dependences task=%llu count=%d first_type=%d", seen(task), count,
      count ? (int)deps[0].dependence_type : 0);
}
static void on_task_dependence(ompt_data_t *source, ompt_data_t *sink)
{
  say("task_dependence source=%llu sink=%llu", seen(source), seen(sink));
}
static void on_error(ompt_severity_t severity, const char *message, size_t length, const void *ra)
{
  say("error severity=%d length=%zu ra=%p message=%.*s", severity, length, ra, (int)length, message);
}

/* Command 64: say what every inquiry answers here. Command 65: end the tool. */
static int on_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *ra)
{
  say("control_tool command=%llu modifier=%llu arg=%d ra=%p", (unsigned long long)command,
      (unsigned long long)modifier, arg != NULL, ra);
  if (command == 64) {
    ompt_wait_id_t wait = 77;
    int state = get_state(&wait);
    say("state value=%x wait=%llx", state, (unsigned long long)wait);
    say("thread_data value=%llu", seen(get_thread_data()));
    for (int level = 0;; level++) {
      ompt_data_t *region = NULL;
      int size = -1, result = get_parallel_info(level, &region, &size);
      say("parallel_info level=%d result=%d region=%llu size=%d", level, result, seen(region), size);
      if (result == 0) break;
    }
    for (int level = 0;; level++) {
      ompt_data_t *task = NULL, *region = NULL;
      ompt_frame_t *frame = NULL;
      int flags = -1, number = -1;
      int result = get_task_info(level, &flags, &task, &frame, &region, &number);
      say("task_info level=%d result=%d flags=%x task=%llu region=%llu number=%d exit=%llx enter=%llx",
          level, result, flags, seen(task), seen(region), number,
          frame ? WORD(frame->exit_frame) : 0, frame ? WORD(frame->enter_frame) : 0);
      if (result == 0) break;
    }
    get_parallel_info(0, NULL, NULL);
    get_task_info(0, NULL, NULL, NULL, NULL, NULL);
    say("negative parallel=%d task=%d", get_parallel_info(-1, NULL, NULL),
        get_task_info(-1, NULL, NULL, NULL, NULL, NULL));
    void *memory = NULL;
    size_t bytes = 0;
    int more = get_task_memory(&memory, &bytes, 0);
    say("task_memory more=%d bytes=%zu", more, bytes);
    say("target_info result=%d devices=%d", get_target_info(NULL, NULL, NULL), get_num_devices());
    uint64_t one = get_unique_id(), two = get_unique_id();
    say("unique_id fresh=%d", one != two && one != 0 && two != 0);
    int ids[3] = {-9, -9, -9};
    int needed = get_place_proc_ids(0, 2, ids);
    say("places procs=%d places=%d place=%d needed=%d ids=%d,%d,%d proc=%d", get_num_procs(),
        get_num_places(), get_place_num(), needed, ids[0], ids[1], ids[2], get_proc_id());
    int nums[2] = {-9, -9};
    needed = get_partition_place_nums(1, nums);
    say("partition needed=%d nums=%d,%d null=%d", needed, nums[0], nums[1],
        get_partition_place_nums(0, NULL));
  } else if (command == 65) {
    finalize_tool();
    say("after_finalize set=%d", set_callback(ompt_callback_work, NULL));
  }
  return (int)modifier;
}

static struct {
  const char *name;
  ompt_callbacks_t number;
  ompt_callback_t function;
} callbacks[] = {
#define ONE(name) {#name, ompt_callback_##name, (ompt_callback_t)on_##name}
  ONE(thread_begin), ONE(thread_end), ONE(parallel_begin), ONE(parallel_end), ONE(implicit_task),
  ONE(task_create), ONE(task_schedule), ONE(sync_region), ONE(sync_region_wait), ONE(reduction),
  ONE(work), ONE(masked), ONE(dispatch), ONE(mutex_acquire), ONE(mutex_acquired),
  ONE(mutex_released), ONE(lock_init), ONE(lock_destroy), ONE(nest_lock), ONE(flush), ONE(cancel),
  ONE(dependences), ONE(task_dependence), ONE(control_tool), ONE(error),
};

static int wanted(const char *name)
{
  const char *only = getenv("TRACE_TOOL_ONLY");
  if (!only) return 1;
  size_t length = strlen(name);
  for (const char *at = only; (at = strstr(at, name)) != NULL; at += length)
    if ((at == only || at[-1] == ',') && (at[length] == 0 || at[length] == ',')) return 1;
  return 0;
}

/* Where the program's own code lies, to tell its return addresses from others. */
static int image(struct dl_phdr_info *info, size_t size, void *unused)
{
  uint64_t end = 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD)
      end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
  say("image start=%llx end=%llx", (unsigned long long)info->dlpi_addr, (unsigned long long)end);
  return 1; /* the first one is the program */
}

#define FIND(name)                                                                                 \
  name = (ompt_##name##_t)lookup("ompt_" #name);                                                   \
  if (!name) say("MISSING ompt_" #name)

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
  own_data = data;
  say("initialize device=%d data=%llu", device, seen(data));
  FIND(set_callback);
  FIND(get_callback);
  FIND(get_thread_data);
  FIND(get_state);
  FIND(get_parallel_info);
  FIND(get_task_info);
  FIND(get_task_memory);
  FIND(get_target_info);
  FIND(get_unique_id);
  FIND(get_num_procs);
  FIND(get_num_places);
  FIND(get_place_proc_ids);
  FIND(get_place_num);
  FIND(get_partition_place_nums);
  FIND(get_proc_id);
  FIND(get_num_devices);
  FIND(enumerate_states);
  FIND(enumerate_mutex_impls);
  FIND(finalize_tool);
  say("lookup unknown=%d device=%d null=%d", lookup("ompt_get_parallel_id") != NULL,
      lookup("ompt_start_trace") != NULL, lookup("") != NULL);
  for (int event = -1; event <= 40; event++) {
    ompt_callback_t previous = NULL;
    if (event >= 1 && event <= 37) continue;
    int set = set_callback((ompt_callbacks_t)event, (ompt_callback_t)on_thread_end);
    int get = get_callback((ompt_callbacks_t)event, &previous);
    say("odd number=%d set=%d get=%d", event, set, get);
  }
  for (size_t i = 0; i < sizeof callbacks / sizeof *callbacks; i++) {
    if (!wanted(callbacks[i].name)) continue;
    ompt_callback_t now = NULL;
    int result = set_callback(callbacks[i].number, callbacks[i].function);
    int got = get_callback(callbacks[i].number, &now);
    say("set name=%s result=%d kept=%d", callbacks[i].name, result,
        got == 1 && now == callbacks[i].function);
  }
  /* Removed again: the answer is "always", and nothing is registered. */
  ompt_callback_t gone;
  set_callback(ompt_callback_target_emi, (ompt_callback_t)on_thread_end);
  int removed = set_callback(ompt_callback_target_emi, NULL);
  say("removed result=%d get=%d", removed, get_callback(ompt_callback_target_emi, &gone));
  int state = ompt_state_undefined, states = 0;
  const char *name;
  while (enumerate_states(state, &state, &name) && states < 1000) states++;
  int impl = ompt_mutex_impl_none, impls = 0;
  while (enumerate_mutex_impls(impl, &impl, &name) && impls < 1000) impls++;
  say("enumerated states=%d impls=%d", states, impls);
  dl_iterate_phdr(image, NULL);
  data->value = 4711;
  return 1;
}

static void finalize(ompt_data_t *data)
{
  say("finalize data=%llu same=%d", seen(data), data == own_data);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
  static ompt_start_tool_result_t result = {initialize, finalize, {42}};
  const char *path = getenv("TRACE_TOOL_OUT");
  if (path) out = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
  say("start_tool version=%u runtime=%s", version, runtime);
  return &result;
}
