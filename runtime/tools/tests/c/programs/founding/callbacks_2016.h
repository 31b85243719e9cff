/* The callbacks of the tool, and its start. A word ends with + for a begin and - for an end. */
#define ENDS(e, word) ((e) == ompt_scope_begin ? word "+" : word "-")

static __thread int is_worker;
static int workers_begun, workers_ended;
static void on_thread_begin(ompt_thread_type_t type, REF thread) {
  CHECK(noted == 0 && !is_worker, "not the first event of its thread");
  struct note *n = note("thread+");
  n->number = type;
  n->other = new_name(thread);
  is_worker = type == ompt_thread_worker;
  if (is_worker) __atomic_add_fetch(&workers_begun, 1, __ATOMIC_RELAXED);
}
static void on_thread_end(REF thread) {
  CHECK(thread_now() == name_of(thread), "another thread ends");
  if (is_worker) __atomic_add_fetch(&workers_ended, 1, __ATOMIC_RELAXED);
  CHECK(!is_worker || !strcmp(last_told, "idle-"), "%s before the end", last_told);
  note("thread-")->other = name_of(thread);
  gone = is_worker;
}
static void on_parallel_begin(REF task, const ompt_frame_t *frame, REF region, uint32_t requested,
                              ompt_invoker_t invoker, const void *ra) {
  struct note *n = note("parallel+");
  n->task = name_of(task), n->region = new_name(region), n->number = requested;
  n->other = invoker, n->ra = ra, n->frame = frame;
}
static void on_parallel_end(REF region, REF task, ompt_invoker_t invoker, const void *ra) {
  struct note *n = note("parallel-");
  n->task = name_of(task), n->region = name_of(region), n->other = invoker, n->ra = ra;
}
static void on_implicit(ompt_scope_endpoint_t e, REF region, REF task, uint32_t number) {
  uint64_t name = e == ompt_scope_begin ? new_name(task) : name_of(task);
  struct note *n = note(ENDS(e, "implicit"));
  n->task = name, n->region = name_of(region), n->number = number;
}
static void on_create(REF maker, const ompt_frame_t *frame, REF task, ompt_task_type_t type,
                      ompt_bool_t dependent, const void *ra) {
  struct note *n = note("create");
  n->task = new_name(task), n->other = name_of(maker), n->number = 10 * type + dependent;
  n->ra = ra, n->frame = frame;
}
static void on_schedule(REF prior, ompt_bool_t completed, REF next) {
  struct note *n = note(completed ? "completed" : "suspended");
  n->other = name_of(prior), n->task = name_of(next);
}
static void on_idle(ompt_scope_endpoint_t e) { note(ENDS(e, "idle")); }
static void on_sync(ompt_sync_region_kind_t kind, ompt_scope_endpoint_t e, REF region, REF task,
                    const void *ra) {
  static const char *const words[][2] = {
      {"barrier+", "barrier-"}, {"taskwait+", "taskwait-"}, {"taskgroup+", "taskgroup-"}};
  struct note *n = note(words[kind - 1][e - 1]);
  n->region = name_of(region), n->task = name_of(task), n->ra = ra;
  CHECK(!telling || n->task == n->current, "%s in another task", n->what);
}
static void on_wait(ompt_sync_region_kind_t kind, ompt_scope_endpoint_t e, REF region, REF task,
                    const void *ra) {
  struct note *n = note(ENDS(e, "wait"));
  n->region = name_of(region), n->task = name_of(task), n->number = kind, n->ra = ra;
  CHECK(!telling || n->task == n->current, "%s in another task", n->what);
}
static void on_work(ompt_worksharing_type_t kind, ompt_scope_endpoint_t e, REF region, REF task,
                    const void *ra) {
  static const char *const words[][2] = {
      {"loop+", "loop-"},   {"sections+", "sections-"},   {"single+", "single-"},
      {"other+", "other-"}, {"workshare+", "workshare-"}, {"distribute+", "distribute-"}};
  struct note *n = note(words[kind - 1][e - 1]);
  n->region = name_of(region), n->task = name_of(task), n->ra = ra;
}
static void on_master(ompt_scope_endpoint_t e, REF region, REF task, const void *ra) {
  struct note *n = note(ENDS(e, "master"));
  n->region = name_of(region), n->task = name_of(task), n->ra = ra;
}
static void on_acquire(ompt_mutex_kind_t kind, uint32_t hint, uint32_t impl, ompt_wait_id_t wait,
                       const void *ra) {
  struct note *n = note("acquire");
  n->number = kind, n->other = hint, n->wait = wait, n->ra = ra, n->region = impl;
}
static void on_acquired(ompt_mutex_kind_t kind, ompt_wait_id_t wait, const void *ra) {
  struct note *n = note("acquired");
  n->number = kind, n->wait = wait, n->ra = ra;
}
static void on_release(ompt_mutex_kind_t kind, ompt_wait_id_t wait, const void *ra) {
  struct note *n = note("release");
  n->number = kind, n->wait = wait, n->ra = ra;
}
static void on_nested(ompt_scope_endpoint_t e, ompt_wait_id_t wait, const void *ra) {
  struct note *n = note(ENDS(e, "nested"));
  n->wait = wait, n->ra = ra;
}
static void on_init(ompt_bool_t nest, ompt_wait_id_t wait, uint32_t hint, uint32_t kind,
                    const void *ra) {
  struct note *n = note(nest ? "init_nest" : "init");
  n->wait = wait, n->other = hint, n->number = kind, n->ra = ra;
}
static void on_destroy(ompt_bool_t nest, ompt_wait_id_t wait, const void *ra) {
  struct note *n = note(nest ? "destroy_nest" : "destroy");
  n->wait = wait, n->ra = ra;
}
static void on_dependences(REF task, const ompt_task_dependence_t *list, int count) {
  struct note *n = note("dependences");
  n->task = name_of(task), n->number = count, n->other = list[0].dependence_flags;
  n->frame = list[0].variable_addr;
}
static void on_pair(REF source, REF sink) {
  struct note *n = note("pair");
  n->other = name_of(source), n->task = name_of(sink);
}
static void on_flush(REF thread, const void *ra) {
  struct note *n = note("flush");
  n->other = name_of(thread), n->ra = ra;
}
static void on_control(uint64_t command, uint64_t modifier, const void *ra) {
  struct note *n = note("control");
  n->number = command, n->other = modifier, n->ra = ra;
}
static void on_target(int32_t device, ompt_target_type_t kind, REF task, ompt_scope_endpoint_t e,
                      ompt_id_t target, const void *ra) {
  struct note *n = note(ENDS(e, "target"));
  n->number = kind, n->task = name_of(task), n->other = target, n->ra = ra, n->wait = device;
}
/* The first word on the device before the transfer to it and before the kernel, and on the host
 * before the transfer back. */
static int on_device = -1, at_submit = -1, on_host = -1;
static const int *device_data;
static void on_data(ompt_id_t target, ompt_id_t operation, ompt_target_data_op_t kind, void *host,
                    void *device, size_t bytes) {
  static const char *const words[] = {"alloc", "to", "from", "delete"};
  struct note *n = note(words[kind - 1]);
  n->other = target, n->wait = operation, n->frame = host, n->ra = device, n->number = bytes;
  if (kind == ompt_target_data_transfer_to_dev) on_device = *(device_data = device);
  if (kind == ompt_target_data_transfer_from_dev) on_host = *(int *)host;
}
static void on_submit(ompt_id_t target, ompt_id_t operation, uint32_t requested, uint32_t granted) {
  struct note *n = note("submit");
  if (device_data) at_submit = *device_data;
  n->other = target, n->wait = operation, n->number = requested, n->region = granted;
}
static void on_map(ompt_id_t target, uint32_t items, void **host, void **device, size_t *bytes,
                   uint32_t *flags) {
  struct note *n = note("map");
  n->other = target, n->wait = items, n->frame = host[0], n->ra = device[0];
  n->number = bytes[0], n->region = flags[0];
}
/* Set when the program is at its end: workers have ended, and nobody is told anything more. */
static int shut_down, says_end;
static void on_shutdown(void) {
  shut_down++;
  if (says_end)
    fprintf(stderr, "end %d: %d of %d workers\n", shut_down, workers_ended, workers_begun);
}

static const struct { int event; void *callback; int always; } callbacks[] = {
    {ompt_event_thread_begin, on_thread_begin, 1}, {ompt_event_thread_end, on_thread_end, 1},
    {ompt_event_parallel_begin, on_parallel_begin, 1},
    {ompt_event_parallel_end, on_parallel_end, 1}, {ompt_event_task_create, on_create, 1},
    {ompt_event_task_schedule, on_schedule, 1}, {ompt_event_implicit_task, on_implicit, 1},
    {ompt_event_target, on_target, 0}, {ompt_event_target_data, on_data, 0},
    {ompt_event_target_submit, on_submit, 0}, {ompt_event_control, on_control, 1},
    {ompt_event_runtime_shutdown, on_shutdown, 1}, {ompt_event_idle, on_idle, 1},
    {ompt_event_sync_region_wait, on_wait, 1}, {ompt_event_mutex_release, on_release, 0},
    {ompt_event_task_dependences, on_dependences, 1}, {ompt_event_task_dependence_pair, on_pair, 1},
    {ompt_event_worksharing, on_work, 0}, {ompt_event_master, on_master, 0},
    {ompt_event_target_data_map, on_map, 0}, {ompt_event_sync_region, on_sync, 1},
    {ompt_event_init_lock, on_init, 1}, {ompt_event_destroy_lock, on_destroy, 1},
    {ompt_event_mutex_acquire, on_acquire, 0}, {ompt_event_mutex_acquired, on_acquired, 0},
    {ompt_event_nested_lock, on_nested, 1}, {ompt_event_flush, on_flush, 0},
};
enum { EVENTS = sizeof callbacks / sizeof *callbacks };

/* What a check does while the initializer runs. */
static void (*while_initializing)(void);
static int asked, initialized;
static char runtime_said[256];
static unsigned version_said;
static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version) {
  lookup_name = lookup;
  snprintf(runtime_said, sizeof runtime_said, "%s", runtime ? runtime : "");
  version_said = version;
  initialized++;
#define LOOK_UP(variable, name) variable = (name##_t)lookup(#name)
  LOOK_UP(set_callback, ompt_set_callback);
  LOOK_UP(get_callback, ompt_get_callback);
  LOOK_UP(get_parallel_info, ompt_get_parallel_info);
  LOOK_UP(get_task_info, ompt_get_task_info);
  LOOK_UP(get_state, ompt_get_state);
  LOOK_UP(get_target_info, ompt_get_target_info);
  LOOK_UP(enumerate_states, ompt_enumerate_states);
  LOOK_UP(enumerate_mutex_kinds, ompt_enumerate_mutex_kinds);
#ifdef OMPT_2016_IDS
  LOOK_UP(get_thread_id, ompt_get_thread_id);
#else
  LOOK_UP(get_thread_data, ompt_get_thread_data);
#endif
  for (int i = 0; i < EVENTS; i++) {
    int answer = set_callback(callbacks[i].event, (ompt_callback_t)callbacks[i].callback);
    CHECK(answer == (callbacks[i].always ? 4 : 3), "event %d: %d", callbacks[i].event, answer);
  }
  if (while_initializing) while_initializing();
}
