/* The callbacks of the tool, and its start. record.c stands before it. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* The first of each kind, and some of those that follow. */
static void at(int event, const char *name, int construct, const char *kind, int endpoint) {
  static unsigned seen[64][512], held[64][512];
  static const char *const ends[] = {"", "begin", "end", "at once"};
  int which = (construct & 127) * 4 + (endpoint & 3);
  unsigned count = __atomic_fetch_add(&seen[event][which], 1, __ATOMIC_RELAXED);
  unsigned dice = (seed + event * 31u + which * 17u + count) * 2654435761u;
  if (count && event != 11 && (dice >> 24) % 3) return;
  unsigned room = event == 11 ? 8 * most : most; /* where the program wants it */
  if (__atomic_fetch_add(&held[event][which], 1, __ATOMIC_RELAXED) >= room) return;
  /* Where the thread does not come from the program, a runtime may be in the middle of its own
   * records, or hold a lock that a routine takes. */
  int closing = (event == 16 || event == 23) && (construct == 2 || construct == 9);
  int between = event == 1 || event == 7 || closing;
  if (!get_thread()) return; /* not the runtime's yet, or no more */
  inside = 1;
  pthread_mutex_lock(&one_at_a_time);
  tell(name, kind, ends[endpoint & 3], !between);
  if (event == 11 || event == 27 || (dice >> 16) % 4 == 0) ask_others();
  pthread_mutex_unlock(&one_at_a_time);
  inside = 0;
}

/* ---- callbacks --------------------------------------------------------------------------- */

#define NAME(list, number) \
  ((unsigned)(number) < sizeof list / sizeof *list && list[number] ? list[number] : "")
static const char *const syncs[] = {
    "", "barrier", "implicit barrier", "explicit barrier", "implementation barrier", "taskwait",
    "taskgroup", "reduction", "workshare barrier", "parallel barrier", "teams barrier"};
static const char *const works[] = {
    "", "loop", "sections", "single", "single of others", "workshare", "distribute", "taskloop",
    "scope", "workdistribute", "static loop", "dynamic loop", "guided loop", "loop"};
static const char *const mutexes[] = {
    "", "lock", "test lock", "nest lock", "test nest lock", "critical", "atomic", "ordered"};
static const char *const statuses[] = {
    "", "complete", "yield", "cancel", "detach", "early fulfil", "late fulfil", "switch",
    "taskwait complete"};

static void thread_begin(int kind, word *thread) {
  number(thread, THREAD, NULL);
  unsigned own = __atomic_fetch_add(&last_thread, 1, __ATOMIC_ACQ_REL);
  if (own < THREADS) __atomic_store_n(&threads[own], syscall(SYS_gettid), __ATOMIC_RELEASE);
  at(1, "thread begin", kind, "", 0);
}
static void parallel_begin(word *task, const frame *f, word *region, unsigned asked, int flags,
                           const void *place) {
  number(region, REGION, task);
  leagues[region->value % ROOM] = flags >= 0;
  at(3, "parallel begin", flags < 0, flags < 0 ? "" : "of teams", 0);
}
static void parallel_end(word *region, word *task, int flags, const void *place) {
  at(4, "parallel end", flags < 0, flags < 0 ? "" : "of teams", 0);
}
static void task_create(word *task, const frame *f, word *made, int flags, int dependences,
                        const void *place) {
  number(made, TASK, task);
  at(5, "task create", flags & 15, "", 0);
}
static void task_schedule(word *prior, int status, word *next) {
  at(6, "task schedule", status, NAME(statuses, status), 0);
}
static void implicit_task(int end, word *region, word *task, unsigned size, unsigned num,
                          int flags) {
  word none = {region ? parents[region->value % ROOM] : 0};
  if (end == 1) number(task, TASK, region && region->value ? &none : NULL);
  at(7, flags & 1 ? "initial task" : "implicit task", flags & 1, "", end);
}
static int control_tool(uint64_t command, uint64_t modifier, void *argument, const void *place) {
  at(11, "control tool", 0, "", 0);
  return 0;
}
static void sync_wait(int kind, int end, word *region, word *task, const void *place) {
  at(16, "waiting at", kind, NAME(syncs, kind), end);
}
static void released(int kind, uint64_t wait, const void *place) {
  at(17, "mutex released", kind, NAME(mutexes, kind), 0);
}
static void work(int kind, int end, word *region, word *task, uint64_t count, const void *place) {
  at(20, "work", kind, NAME(works, kind), end);
}
static void masked(int end, word *region, word *task, const void *place) {
  at(21, "masked", 0, "", end);
}
static void sync_region(int kind, int end, word *region, word *task, const void *place) {
  at(23, "at", kind, NAME(syncs, kind), end);
}
static void acquire(int kind, unsigned hint, unsigned how, uint64_t wait, const void *place) {
  at(26, "mutex acquire", kind, NAME(mutexes, kind), 0);
}
static void acquired(int kind, uint64_t wait, const void *place) {
  at(27, "mutex acquired", kind, NAME(mutexes, kind), 0);
}
static void nest_lock(int end, uint64_t wait, const void *place) {
  at(28, "nest lock again", 0, "", end);
}
static void cancel(word *task, int flags, const void *place) {
  at(30, "cancel", flags & 15, "", 0);
}
static void reduction(int kind, int end, word *region, word *task, const void *place) {
  at(31, "reduction", kind, "", end);
}
static void dispatch(word *region, word *task, int kind, word instance) {
  at(32, "dispatch", kind, "", 0);
}
static void target(int kind, int end, int device, word *task, word *own, word *data,
                   const void *place) {
  number(own, TASK, task);
  at(33, "target", kind, "", end);
}

/* ---- start ------------------------------------------------------------------------------- */

static int begin(lookup ask, int device, word *data) {
  get_state = (void *)ask("ompt_get_state");
  get_region = (void *)ask("ompt_get_parallel_info");
  get_task = (void *)ask("ompt_get_task_info");
  get_thread = (void *)ask("ompt_get_thread_data");
  int (*set)(int, entry) = (void *)ask("ompt_set_callback");
  if (!get_state || !get_region || !get_task || !get_thread || !set) return 0;
  for (int i = 0; i < ROUTINES; i++) found[i] = routine(routines[i]);
  get_schedule = routine("get_schedule");
  get_format = routine("get_affinity_format");
  get_allocator = routine("get_default_allocator");
  const struct { int event; void *callback; } all[] = {
      {1, thread_begin}, {3, parallel_begin}, {4, parallel_end}, {5, task_create},
      {6, task_schedule}, {7, implicit_task}, {11, control_tool}, {16, sync_wait},
      {17, released}, {20, work}, {21, masked}, {23, sync_region}, {26, acquire}, {27, acquired},
      {28, nest_lock}, {30, cancel}, {31, reduction}, {32, dispatch}, {33, target}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) set(all[i].event, (entry)all[i].callback);
  return 1;
}
static void end(word *data) { (void)data; }

struct tool { int (*begin)(lookup, int, word *); void (*end)(word *); word data; };
struct tool *ompt_start_tool(unsigned version, const char *runtime) {
  static struct tool tool = {begin, end, {0}};
  const char *how = getenv("OMPHALOS_WITNESS");
  if (!how || sscanf(how, "%d %d %u %u", &out, &go, &seed, &most) != 4) return NULL;
  /* The debugger is the parent, which some kernels let look only if we say so. */
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  listen_to_the_others();
  return &tool;
}
