/*
 * A tool of the generation of 2016. It registers everything, checks the stream as it comes, and
 * says at the end what it saw (counts.h). Objects have data words, with -DOMPT_2016_IDS the
 * runtime's ids.
 */
#include "ompt-2016.h"
#include "rules.h"
#include "storm.h"

/* What ompt_set_callback answers of an event that never occurs. */
enum { NEVER_OCCURS = 2 };

#ifdef OMPT_2016_IDS
#define NAME(ref) (ref)
#define NEW(ref) (ref)
#define REF uint64_t
#else
typedef ompt_data_t *word;
#define REF word
static uint64_t name_of(ompt_data_t *ref) { return ref ? ref->id : 0; }
static uint64_t new_name(ompt_data_t *ref)
{
  CHECK(ref && ref->id == 0, "a word that is not fresh");
  return ref->id = fresh();
}
#define NAME(ref) name_of(ref)
#define NEW(ref) new_name(ref)
#endif
static ompt_set_callback_t ompt_set_callback;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;
static ompt_get_state_t get_state;
static uint64_t current_region(int level)
{
  REF region = 0;
  int size = -1;
  return get_parallel_info(level, &region, &size) ? NAME(region) : 0;
}
static uint64_t current_task(int level)
{
  REF task = 0, region = 0;
  ompt_task_type_t type = 0;
  ompt_frame_t *frame = 0;
  uint32_t num = 99;
  if (!get_task_info(level, &type, &task, &frame, &region, &num)) return 0;
  CHECK(type >= ompt_task_initial && type <= ompt_task_target && frame && num < 99, "task info");
  return NAME(task);
}
static int current_state(void) { ompt_wait_id_t wait; return get_state(&wait); }

static void on_thread_begin(ompt_thread_type_t type, REF t)
{
  CHECK(type == ompt_thread_initial || type == ompt_thread_worker, "type %d", type);
  thread_begins(NEW(t));
}
static void on_thread_end(REF t) { thread_ends(NAME(t)); }
static void on_parallel_begin(REF t, const ompt_frame_t *f, REF r, uint32_t requested,
                              ompt_invoker_t invoker, const void *ra)
{
  CHECK(requested >= 1 && requested < 100, "requested %u", requested);
  CHECK(invoker == ompt_invoker_program || invoker == ompt_invoker_runtime, "invoker %d", invoker);
  CHECK(ra, "no return address");
  region_begins(NAME(t), f, NEW(r));
}
static void on_parallel_end(REF r, REF t, ompt_invoker_t invoker, const void *ra)
{
  (void)invoker;
  (void)ra;
  region_ends(NAME(t), NAME(r));
}
static void on_implicit(ompt_scope_endpoint_t e, REF r, REF t, uint32_t num)
{
  CHECK(num < 100, "thread %u", num);
  implicit(e == ompt_scope_begin, NAME(r), e == ompt_scope_begin ? NEW(t) : NAME(t));
}
static void on_task_create(REF p, const ompt_frame_t *f, REF t, ompt_task_type_t type,
                           ompt_bool_t dependent, const void *ra)
{
  (void)ra;
  CHECK(type == ompt_task_explicit && (dependent == 0 || dependent == 1), "type %d", type);
  task_created(NAME(p), f, NEW(t));
}
static void on_task_schedule(REF prior, ompt_bool_t completed, REF next)
{
  CHECK(completed == 0 || completed == 1, "completed %d", completed);
  if (completed) task_ended(NAME(prior));
  else CHECK(next, "to nothing");
  switched(next ? NAME(next) : 0);
}
static void on_dependences(REF t, const ompt_task_dependence_t *deps, int n)
{
  CHECK(t && deps && n > 0, "no dependences");
  for (int i = 0; i < n; i++)
    CHECK(deps[i].dependence_flags >= 1 && deps[i].dependence_flags <= 3 && deps[i].variable_addr,
          "dependence");
  count(dependences);
}
static void on_pair(REF source, REF sink) { CHECK(source && sink, "a pair of nothing"); }
static void on_sync(ompt_sync_region_kind_t kind, ompt_scope_endpoint_t e, REF r, REF t,
                    const void *ra)
{
  (void)ra;
  sync(0, kind, e == ompt_scope_begin, NAME(r), NAME(t));
}
static void on_sync_wait(ompt_sync_region_kind_t kind, ompt_scope_endpoint_t e, REF r, REF t,
                         const void *ra)
{
  (void)ra;
  sync(1, kind, e == ompt_scope_begin, NAME(r), NAME(t));
}
static void on_work(ompt_worksharing_type_t kind, ompt_scope_endpoint_t e, REF r, REF t,
                    const void *ra)
{
  (void)ra;
  CHECK(kind >= ompt_worksharing_loop && kind <= ompt_worksharing_distribute, "work %d", kind);
  if (e == ompt_scope_begin && kind == ompt_worksharing_loop) count(loops);
  if (e == ompt_scope_begin && kind == ompt_worksharing_single_executor) count(singles);
  work(kind, e == ompt_scope_begin, NAME(r), NAME(t));
}
static void on_master(ompt_scope_endpoint_t e, REF r, REF t, const void *ra)
{
  (void)ra;
  master(e == ompt_scope_begin, NAME(r), NAME(t));
}
static void on_idle(ompt_scope_endpoint_t e) { idles_now(e == ompt_scope_begin); }
static __thread uint64_t asks_for;
static void on_acquire(ompt_mutex_kind_t kind, uint32_t hint, uint32_t impl, ompt_wait_id_t w,
                       const void *ra)
{
  (void)hint; (void)impl; (void)ra;
  CHECK(!asks_for, "asks for two, or owns what it asks for");
  asks_for = w;
  CHECK(kind > ompt_mutex && kind <= ompt_mutex_ordered && w, "mutex %d", kind);
}
static void on_acquired(ompt_mutex_kind_t kind, ompt_wait_id_t w, const void *ra)
{
  (void)kind; (void)ra;
  CHECK(!asks_for || asks_for == w, "asks for one and gets another");
  asks_for = 0;
  got(w);
}
static void on_released(ompt_mutex_kind_t kind, ompt_wait_id_t w, const void *ra)
{
  (void)kind;
  (void)ra;
  gave(w);
}
static void on_nested(ompt_scope_endpoint_t e, ompt_wait_id_t w, const void *ra)
{
  (void)ra;
  static __thread int inside;
  CHECK(inside != (e == ompt_scope_begin) && w, "the inner acquisition");
  inside = e == ompt_scope_begin;
  count(nested);
}
static void on_init(ompt_bool_t nest, ompt_wait_id_t w, uint32_t hint, uint32_t kind,
                    const void *ra)
{
  (void)hint;
  (void)kind;
  (void)ra;
  CHECK((nest == 0 || nest == 1) && w, "lock");
  count(locks);
}
static void on_destroy(ompt_bool_t nest, ompt_wait_id_t w, const void *ra)
{
  (void)ra;
  CHECK((nest == 0 || nest == 1) && w, "lock");
  count(locks);
}
static void on_control(uint64_t command, uint64_t modifier, const void *ra)
{
  (void)command;
  (void)modifier;
  CHECK(ra, "no return address");
  count(controls);
}
static void on_flush(REF t, const void *ra)
{
  (void)ra;
  CHECK(NAME(t) == self, "another thread");
  flushed();
}

static ompt_get_target_info_t get_target_info;
static __thread uint64_t target_now;
static void on_target(int32_t device, ompt_target_type_t kind, REF task, ompt_scope_endpoint_t e,
                      ompt_id_t target, const void *ra)
{
  known();
  CHECK(device == 0 && kind >= ompt_target && kind <= ompt_target_update && target && ra,
        "target kind %d", kind);
  CHECK(NAME(task) == current_task(0), "not in the encountering task");
  if (e == ompt_scope_begin) count(targets);
  else CHECK(target_now == target, "another target ends");
  target_now = e == ompt_scope_begin ? target : 0;
}
static void on_target_data(ompt_id_t target, ompt_id_t operation, ompt_target_data_op_t op,
                           void *host, void *device, size_t bytes)
{
  (void)host; (void)device; (void)bytes;
  CHECK(target == target_now && operation, "an operation of another target");
  CHECK(op >= ompt_target_data_alloc && op <= ompt_target_data_delete, "operation %d", op);
}
static void on_target_submit(ompt_id_t target, ompt_id_t operation, uint32_t requested,
                             uint32_t granted)
{
  ompt_id_t now, host_operation;
  (void)requested; (void)granted;
  CHECK(target == target_now && operation, "a region of another target");
  CHECK(get_target_info(&now, &host_operation) && now == target, "no target to ask for");
}
static void on_target_map(ompt_id_t target, uint32_t items, void **host, void **device,
                          size_t *bytes, uint32_t *flags)
{
  CHECK(target == target_now, "a map of another target");
  for (uint32_t i = 0; i < items; i++)
    CHECK(host[i] == device[i] && flags[i] < 0x20 && bytes, "map");
}

#include "register.h"

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
  CHECK(runtime && version == 2, "version %u", version);
  ompt_set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
  get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
  get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  get_state = (ompt_get_state_t)lookup("ompt_get_state");
#ifdef OMPT_2016_IDS
  CHECK(lookup("ompt_get_thread_id"), "lookup");
#else
  CHECK(lookup("ompt_get_thread_data"), "lookup");
#endif
  CHECK(!lookup("ompt_get_unique_id") && !lookup("ompt_target_get_time"), "lookup");
  CHECK(((ompt_get_num_devices_t)lookup("ompt_get_num_devices"))() == 0, "devices");
  CHECK(((ompt_target_get_device_id_t)lookup("ompt_target_get_device_id"))() == -1, "device");
  ompt_id_t target, operation;
  get_target_info = (ompt_get_target_info_t)lookup("ompt_get_target_info");
  CHECK(!get_target_info(&target, &operation), "target");
  ompt_enumerate_states_t states = (ompt_enumerate_states_t)lookup("ompt_enumerate_states");
  omp_state_t state = omp_state_undefined;
  const char *name;
  int number = 0;
  while (states(state, &state, &name)) number++;
  CHECK(number == 16, "%d states", number);
  ompt_enumerate_mutex_kinds_t kinds =
      (ompt_enumerate_mutex_kinds_t)lookup("ompt_enumerate_mutex_kinds");
  uint32_t kind = 0;
  number = 0;
  while (kinds(kind, &kind, &name)) number++;
  CHECK(number >= 1, "no mutex kinds");

  SET(thread_begin, on_thread_begin); SET(thread_end, on_thread_end);
  SET(parallel_begin, on_parallel_begin); SET(parallel_end, on_parallel_end);
  SET(task_create, on_task_create);
  SET(task_schedule, on_task_schedule);
  SET(implicit_task, on_implicit);
  SET(target, on_target); SET(target_data, on_target_data); SET(target_submit, on_target_submit);
  SET(target_data_map, on_target_map);
  SET(control, on_control); SET(runtime_shutdown, say_counts); SET(idle, on_idle);
  SET(sync_region_wait, on_sync_wait); SET(sync_region, on_sync);
  SET(mutex_release, on_released); SET(mutex_acquire, on_acquire); SET(mutex_acquired, on_acquired);
  SET(task_dependences, on_dependences); SET(task_dependence_pair, on_pair);
  SET(worksharing, on_work); SET(master, on_master);
  SET(init_lock, on_init);
  SET(destroy_lock, on_destroy);
  SET(nested_lock, on_nested);
  SET(flush, on_flush);
  CHECK(failed == 0 && unsupported == 0, "%d events cannot be registered, %d never occur", failed,
        unsupported);
  CHECK(ompt_set_callback((ompt_event_t)0, 0) == 0 && ompt_set_callback((ompt_event_t)99, 0) == 0,
        "no such event");
  CHECK(current_state() != omp_state_undefined, "state");
  storm();
}

ompt_initialize_fn_t *ompt_tool(void) { return getenv("OLDER_TOOL_DECLINES") ? 0 : initialize; }
