/* The tool of `omphalos conform --debug`: at some of OMPT's callbacks it writes down what OMPT and
 * the routines say of the thread that is in it, and holds that thread there until the debugger has
 * asked OMPD the same. The environment's OMPHALOS_WITNESS has two descriptors (to write to, to wait
 * at), a seed, and how many stops a kind of callback gets. callbacks.c stands behind it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef union { uint64_t value; void *pointer; } word;
typedef struct { word exit, enter; int exit_flags, enter_flags; } frame;
typedef void (*entry)(void);
typedef entry (*lookup)(const char *);

static int out = -1, go = -1;
static unsigned seed, most;
static int (*get_state)(uint64_t *);
static int (*get_region)(int, word **, int *);
static int (*get_task)(int, int *, word **, frame **, word **, int *);
static word *(*get_thread)(void);

/* ---- what the words of the tool stand for ------------------------------------------------ */

enum { ROOM = 1 << 16 };
/* Of a task the one that met its construct, of a region the one that met it. */
static uint64_t parents[ROOM];
static char leagues[ROOM]; /* of regions: it is a league */
static unsigned last_number;

static void number(word *data, uint64_t kind, const word *parent) {
  if (!data || data->value) return;
  unsigned own = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED) % ROOM;
  parents[own] = parent ? parent->value : 0;
  data->value = kind | own;
}
#define THREAD 0x7100000000000000
#define REGION 0x7200000000000000
#define TASK 0x7300000000000000

/* ---- one stop ---------------------------------------------------------------------------- */

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static char text[1 << 16];
static size_t length;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
  va_list list;
  va_start(list, format);
  int more = vsnprintf(text + length, sizeof text - length, format, list);
  va_end(list);
  if (more > 0 && length + more < sizeof text) length += more;
}

static const char *const routines[] = {
    "get_level", "get_active_level", "get_thread_num", "get_num_threads", "get_max_threads",
    "get_dynamic", "get_thread_limit", "get_max_active_levels", "get_cancellation",
    "get_max_task_priority", "get_proc_bind", "get_num_procs", "get_default_device", "in_final",
    "in_explicit_task", "get_num_teams", "get_team_num", "get_max_teams", "get_teams_thread_limit",
    "get_num_devices", "get_device_num", "get_num_places", "get_partition_num_places"};
enum { ROUTINES = sizeof routines / sizeof *routines };
static int (*found[ROUTINES])(void);
static void (*get_schedule)(int *, int *);
static size_t (*get_format)(char *, size_t);
static uintptr_t (*get_allocator)(void);

static void *routine(const char *name) {
  char whole[64];
  snprintf(whole, sizeof whole, "omp_%s", name);
  return dlsym(RTLD_DEFAULT, whole);
}

static void say_levels(void) {
  for (int level = 0; level < 64; level++) {
    word *data = NULL;
    int size = 0, known = get_region(level, &data, &size);
    if (!known) break;
    uint64_t value = data ? data->value : 0;
    say("region %d %d %lx %d\n", known, size, value, leagues[value % ROOM]);
  }
  for (int level = 0; level < 64; level++) {
    word *data = NULL, *region = NULL;
    frame *at = NULL, none = {{0}, {0}, 0, 0};
    int flags = 0, num = 0, known = get_task(level, &flags, &data, &at, &region, &num);
    if (!known) break;
    if (!at) at = &none;
    say("task %d %x %lx %lx %x %lx %x %lx %d\n", known, flags, data ? data->value : 0,
        at->exit.value, at->exit_flags, at->enter.value, at->enter_flags,
        region ? region->value : 0, num);
    if (data && data->value && !level) say("parent %lx\n", parents[data->value % ROOM]);
    if (region && region->value && !level) say("encountering %lx\n", parents[region->value % ROOM]);
  }
}

static void say_routines(void) {
  say("routines\n");
  for (int i = 0; i < ROUTINES; i++)
    if (found[i]) say("omp %s %d\n", routines[i], found[i]());
  if (get_schedule) {
    int kind = 0, chunk = 0;
    get_schedule(&kind, &chunk);
    say("omp schedule %d\nomp chunk %d\n", kind & 0x7fffffff, chunk);
  }
  if (get_allocator) say("omp get_default_allocator %ld\n", (long)get_allocator());
  /* Some runtimes fill the rest with blanks. */
  char format[512] = "";
  size_t size = get_format ? get_format(format, sizeof format) : sizeof format;
  if (size < sizeof format) say("text affinity_format %.*s\n", (int)size, format);
}

/* Writes down what is known of the calling thread, and waits for the debugger. */
static void tell(const char *event, const char *kind, const char *end, int with_routines) {
  length = 0;
  uint64_t wait = 0;
  int state = get_state(&wait);
  say("stop %s%s%s%s%s\n", event, *kind ? " " : "", kind, *end ? " " : "", end);
  say("pid %d\nlwp %ld\npthread %lx\n", getpid(), syscall(SYS_gettid), (uint64_t)pthread_self());
  say("thread %lx\nstate %x %lx\n", get_thread()->value, state, wait);
  say_levels();
  if (with_routines) say_routines();
  say(".\n");
  for (size_t done = 0; done < length;) {
    ssize_t more = write(out, text + done, length - done);
    if (more > 0) done += more;
    else if (errno != EINTR) break;
  }
  char answer;
  while (read(go, &answer, 1) < 0 && errno == EINTR) {}
}

/* ---- threads that wait ------------------------------------------------------------------- */

/* A thread that is in no callback tells of itself in a signal handler: OMPT's inquiries are made
 * for that. Only one that waits does, in a state that stays what it is while the others go on. */
enum { THREADS = 64 };
static int threads[THREADS];
static unsigned last_thread;
static int asked; /* the thread that is to tell; its negative number while it does; else 0 */
static __thread int inside; /* a callback of ours */

static int stays(int state) {
  return state == 0x14 || state == 0x20 || state == 0x21 || (state >= 0x40 && state <= 0x44);
}

static void interrupted(int signal) {
  (void)signal;
  int before = errno, me = syscall(SYS_gettid), expected = me;
  if (__atomic_compare_exchange_n(&asked, &expected, -me, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    uint64_t wait;
    if (!inside && get_thread() && stays(get_state(&wait))) tell("waiting, interrupted", "", "", 0);
    __atomic_store_n(&asked, 0, __ATOMIC_RELEASE);
  }
  errno = before;
}

/* Asks the others, one after the other. One that does not come soon is left alone. */
static void ask_others(void) {
  int me = syscall(SYS_gettid);
  unsigned count = __atomic_load_n(&last_thread, __ATOMIC_ACQUIRE);
  for (unsigned i = 0; i < count && i < THREADS; i++) {
    int other = __atomic_load_n(&threads[i], __ATOMIC_ACQUIRE), expected = other;
    if (!other || other == me) continue;
    __atomic_store_n(&asked, other, __ATOMIC_RELEASE);
    int gone = syscall(SYS_tgkill, getpid(), other, SIGURG);
    for (int tries = 0; !gone && tries < 100; tries++) {
      if (__atomic_load_n(&asked, __ATOMIC_ACQUIRE) != other) break;
      usleep(500);
    }
    if (__atomic_compare_exchange_n(&asked, &expected, 0, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      continue;
    while (__atomic_load_n(&asked, __ATOMIC_ACQUIRE)) usleep(100);
  }
}

static void listen_to_the_others(void) {
  struct sigaction action = {.sa_handler = interrupted, .sa_flags = SA_RESTART};
  sigaction(SIGURG, &action, NULL);
}
