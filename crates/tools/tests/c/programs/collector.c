/* A client of the Collector API and the program it looks at, in one: it finds the interface as the
 * tools of its time did, and checks what it is answered. The first argument names the check. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <omp_collector_api.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

static int failures;
#define CHECK(condition, ...)                                                                      \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      __atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED);                                          \
      fprintf(stderr, "line %d: %s: ", __LINE__, #condition);                                      \
      fprintf(stderr, __VA_ARGS__);                                                                \
      fputc('\n', stderr);                                                                         \
    }                                                                                              \
  } while (0)

static int (*api)(void *);

static void find_api(void) {
  if (!api) api = (int (*)(void *))dlsym(RTLD_DEFAULT, OMP_COLLECTOR_API);
}

struct entry {
  int size, request, code, answer;
  char mem[24];
  int end;
};

static struct entry ask(int request, int room, const void *input, int length) {
  struct entry e;
  memset(&e, 0, sizeof e);
  e.size = 16 + room;
  e.request = request;
  e.code = e.answer = -1;
  if (length) memcpy(e.mem, input, length);
  memset((char *)&e + e.size, 0, 4);
  int rc = api(&e);
  CHECK(rc == 0, "request %d", request);
  return e;
}

static int simple(int request) { return ask(request, 0, 0, 0).code; }

static int packed_register(int event, void (*callback)(OMP_COLLECTORAPI_EVENT)) {
  char mem[12];
  memcpy(mem, &event, 4);
  memcpy(mem + 4, &callback, 8);
  return ask(OMP_REQ_REGISTER, 12, mem, 12).code;
}

static int padded_register(int event, void (*callback)(OMP_COLLECTORAPI_EVENT)) {
  struct {
    int event;
    void *callback;
  } mem;
  memset(&mem, 0x5a, sizeof mem);
  mem.event = event;
  mem.callback = (void *)callback;
  return ask(OMP_REQ_REGISTER, sizeof mem, &mem, sizeof mem).code;
}

static int state_at(int room, int offset, uint64_t *wait) {
  struct entry e = ask(OMP_REQ_STATE, room, 0, 0);
  CHECK(e.code == OMP_ERRCODE_OK && e.answer == offset + 8, "code %d size %d", e.code, e.answer);
  int state;
  memcpy(&state, e.mem, 4);
  if (wait) memcpy(wait, e.mem + offset, 8);
  return state;
}
static int state(void) { return state_at(12, 4, 0); }

static uint64_t id(int request, int *code) {
  struct entry e = ask(request, 8, 0, 0);
  uint64_t id = 0;
  memcpy(&id, e.mem, 8);
  if (code) *code = e.code;
  else CHECK(e.code == OMP_ERRCODE_OK && e.answer == 8, "code %d size %d", e.code, e.answer);
  return id;
}
static uint64_t current(void) { return id(OMP_REQ_CURRENT_PRID, 0); }

/* --- who may ask when ------------------------------------------------------------------------- */

static void sequence(void) {
  int nothing = 0;
  CHECK(api(&nothing) == 0, "an empty list");
  for (int request = OMP_REQ_REGISTER; request < OMP_REQ_LAST; request++)
    CHECK(ask(request, 16, 0, 0).code == OMP_ERRCODE_SEQUENCE_ERR, "before START: %d", request);
  CHECK(simple(OMP_REQ_LAST) == OMP_ERRCODE_UNKNOWN, "LAST");
  CHECK(simple(-1) == OMP_ERRCODE_UNKNOWN, "-1");
  for (int round = 0; round < 3; round++) {
    CHECK(simple(OMP_REQ_START) == OMP_ERRCODE_OK, "START");
    CHECK(simple(OMP_REQ_START) == OMP_ERRCODE_SEQUENCE_ERR, "second START");
    CHECK(state() == THR_SERIAL_STATE, "state %d", state());
    CHECK(current() == 0, "outside");
#pragma omp parallel num_threads(2)
    {
      CHECK(current() != 0, "inside");
      CHECK(state() == THR_WORK_STATE, "state %d", state());
    }
    CHECK(simple(OMP_REQ_PAUSE) == OMP_ERRCODE_OK && simple(OMP_REQ_PAUSE) == OMP_ERRCODE_OK, "PAUSE");
    CHECK(simple(OMP_REQ_RESUME) == OMP_ERRCODE_OK && simple(OMP_REQ_RESUME) == OMP_ERRCODE_OK, "RESUME");
    CHECK(simple(OMP_REQ_STOP) == OMP_ERRCODE_OK, "STOP");
    CHECK(simple(OMP_REQ_STOP) == OMP_ERRCODE_SEQUENCE_ERR, "second STOP");
    CHECK(ask(OMP_REQ_STATE, 12, 0, 0).code == OMP_ERRCODE_SEQUENCE_ERR, "STATE after STOP");
  }
}

/* --- sizes, layouts, batches -------------------------------------------------------------------- */

static int forks;
static void on_fork(OMP_COLLECTORAPI_EVENT event) {
  CHECK(event == OMP_EVENT_FORK, "event %d", event);
  __atomic_add_fetch(&forks, 1, __ATOMIC_RELAXED);
}
static void fork_twice(void) {
  for (int i = 0; i < 2; i++) {
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
  }
}

static void layouts(void) {
  simple(OMP_REQ_START);
  for (int room = 0; room < 12; room += 4) {
    struct entry e = ask(OMP_REQ_REGISTER, room, 0, 0);
    CHECK(e.code == OMP_ERRCODE_MEM_TOO_SMALL && e.answer == 12, "%d: %d %d", room, e.code, e.answer);
    e = ask(OMP_REQ_STATE, room, 0, 0);
    CHECK(e.code == OMP_ERRCODE_MEM_TOO_SMALL && e.answer == 12, "%d: %d %d", room, e.code, e.answer);
    /* What there is room for is there: some clients make room for the state alone. */
    int state = 0;
    memcpy(&state, e.mem, room ? 4 : 0);
    CHECK(!room || state == THR_SERIAL_STATE, "%d: state %d", room, state);
  }
  for (int room = 0; room < 8; room += 4) {
    struct entry e = ask(OMP_REQ_CURRENT_PRID, room, 0, 0);
    CHECK(e.code == OMP_ERRCODE_MEM_TOO_SMALL && e.answer == 8, "%d: %d %d", room, e.code, e.answer);
  }
  struct entry e = ask(OMP_REQ_UNREGISTER, 0, 0, 0);
  CHECK(e.code == OMP_ERRCODE_MEM_TOO_SMALL && e.answer == 4, "%d %d", e.code, e.answer);
  CHECK(packed_register(0, on_fork) == OMP_ERRCODE_UNKNOWN, "event 0");
  CHECK(packed_register(23, on_fork) == OMP_ERRCODE_UNKNOWN, "event 23");
  CHECK(packed_register(-5, on_fork) == OMP_ERRCODE_UNKNOWN, "event -5");
  CHECK(packed_register(OMP_EVENT_THR_RESERVED_IMPL, on_fork) == OMP_ERRCODE_UNSUPPORTED, "ours");
  CHECK(packed_register(OMP_EVENT_FORK, 0) == OMP_ERRCODE_ERROR, "no callback");

  CHECK(packed_register(OMP_EVENT_FORK, on_fork) == OMP_ERRCODE_OK, "packed");
  fork_twice();
  CHECK(forks == 2, "%d", forks);
  CHECK(state_at(20, 4, 0) == THR_SERIAL_STATE, "packed, with room");
  CHECK(padded_register(OMP_EVENT_FORK, on_fork) == OMP_ERRCODE_OK, "padded");
  fork_twice();
  CHECK(forks == 4, "replaced, not added: %d", forks);
  CHECK(state_at(16, 8, 0) == THR_SERIAL_STATE, "padded");
  CHECK(state_at(12, 4, 0) == THR_SERIAL_STATE, "no room for padding");

  simple(OMP_REQ_PAUSE);
  fork_twice();
  CHECK(forks == 4, "paused: %d", forks);
  CHECK(padded_register(OMP_EVENT_FORK, on_fork) == OMP_ERRCODE_OK, "while paused");
  simple(OMP_REQ_RESUME);
  fork_twice();
  CHECK(forks == 6, "resumed: %d", forks);
  int event = OMP_EVENT_FORK;
  CHECK(ask(OMP_REQ_UNREGISTER, 4, &event, 4).code == OMP_ERRCODE_OK, "UNREGISTER");
  CHECK(ask(OMP_REQ_UNREGISTER, 4, &event, 4).code == OMP_ERRCODE_OK, "again: ignored");
  fork_twice();
  CHECK(forks == 6, "unregistered: %d", forks);

  /* One list: the state, a request that nobody knows, the id with more room than it needs, STOP, and
   * one after it. */
  int list[] = {28, OMP_REQ_STATE, -1, -1, 0, 0, 0, 16, 77,  -1, -1, 48, OMP_REQ_CURRENT_PRID,
                -1, -1,            9,  9,  9, 9, 9, 9, 9,  9,  16, OMP_REQ_STOP, -1, -1,
                16, OMP_REQ_PAUSE, -1, -1, 0};
  CHECK(api(list) == 0, "a batch");
  CHECK(list[2] == OMP_ERRCODE_OK && list[4] == THR_SERIAL_STATE, "%d %d", list[2], list[4]);
  CHECK(list[9] == OMP_ERRCODE_UNKNOWN && list[10] == 0, "%d", list[9]);
  CHECK(list[13] == OMP_ERRCODE_OK && list[14] == 8 && list[15] == 0 && list[17] == 9, "%d", list[13]);
  CHECK(list[25] == OMP_ERRCODE_OK && list[29] == OMP_ERRCODE_SEQUENCE_ERR, "%d %d", list[25], list[29]);

  simple(OMP_REQ_START);
  fork_twice();
  CHECK(forks == 6, "a new session has no callbacks: %d", forks);
  /* What cannot be an entry. */
  int bad[] = {16, OMP_REQ_PAUSE, -1, -1, 18, OMP_REQ_PAUSE, -1, -1, 0, 0};
  CHECK(api(bad) == -1 && bad[2] == OMP_ERRCODE_OK && bad[6] == -1, "%d %d", bad[2], bad[6]);
  CHECK(api((char *)bad + 2) == -1, "misaligned");
  CHECK(api(0) == -1, "null");
  /* A size that leads out of the memory there is, and a mem that ends with it. */
  char *pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages + 4096, 4096, PROT_NONE);
  int *last = (int *)(pages + 4096 - 16);
  last[0] = 4096;
  last[1] = OMP_REQ_STATE;
  CHECK(api(last) == -1 && last[2] == OMP_ERRCODE_ERROR, "%d", last[2]);
  last[1] = OMP_REQ_REGISTER;
  CHECK(api(last) == -1 && last[2] != OMP_ERRCODE_OK, "%d", last[2]);
  last[0] = 16;
  last[1] = OMP_REQ_RESUME;
  CHECK(api(last) == -1 && last[2] == OMP_ERRCODE_OK, "no terminator: %d", last[2]);
}

/* --- region ids --------------------------------------------------------------------------------- */

static uint64_t forked[64], parents[64];
static int regions;
static void on_nested_fork(OMP_COLLECTORAPI_EVENT event) {
  int at = __atomic_fetch_add(&regions, 1, __ATOMIC_RELAXED);
  forked[at] = current();
  parents[at] = id(OMP_REQ_PARENT_PRID, 0);
  (void)event;
}
static void on_join(OMP_COLLECTORAPI_EVENT event) { (void)event; }

static uint64_t parent_of(uint64_t region) {
  for (int i = 0; i < regions; i++)
    if (forked[i] == region) return parents[i];
  CHECK(0, "no FORK said %#lx", (unsigned long)region);
  return -1;
}

static void *stranger(void *unused) {
  int code;
  CHECK(state() == THR_SERIAL_STATE, "a thread that OpenMP does not know");
  CHECK(current() == 0, "a thread that OpenMP does not know");
  id(OMP_REQ_PARENT_PRID, &code);
  CHECK(code == OMP_ERRCODE_THREAD_ERR, "%d", code);
  return unused;
}

static void ids(void) {
  simple(OMP_REQ_START);
  packed_register(OMP_EVENT_FORK, on_nested_fork);
  packed_register(OMP_EVENT_JOIN, on_join);
  omp_set_max_active_levels(3);
  for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(2)
    {
      uint64_t outer = current();
      int code;
      uint64_t parent = id(OMP_REQ_PARENT_PRID, &code);
      if (omp_get_thread_num() == 0) CHECK(code == 0 && parent == 0, "%d", code);
      else CHECK(code == OMP_ERRCODE_THREAD_ERR, "%d", code);
      CHECK(outer && parent_of(outer) == 0, "outermost");
#pragma omp barrier
#pragma omp parallel num_threads(2)
      {
        uint64_t inner = current();
        CHECK(inner && inner != outer && parent_of(inner) == outer, "inner");
        parent = id(OMP_REQ_PARENT_PRID, &code);
        if (omp_get_thread_num() == 0) CHECK(code == 0 && parent == outer, "%d", code);
        else CHECK(code == OMP_ERRCODE_THREAD_ERR, "%d", code);
#pragma omp parallel num_threads(1)
        CHECK(parent_of(current()) == inner, "innermost");
      }
      CHECK(current() == outer, "back");
    }
    CHECK(current() == 0, "outside again");
  }
  CHECK(regions == 3 * (1 + 2 + 4), "%d", regions);
  for (int i = 0; i < regions; i++)
    for (int j = 0; j < i; j++) CHECK(forked[i] != forked[j], "ids are unique");
  pthread_t thread;
  pthread_create(&thread, 0, stranger, 0);
  pthread_join(thread, 0);
}

/* --- every event -------------------------------------------------------------------------------- */

static int seen[OMP_EVENT_THR_END_ATWT + 1];
static int wrong_state[OMP_EVENT_THR_END_ATWT + 1];
static __thread int depth[OMP_EVENT_THR_END_ATWT + 1];

static int state_of(int event) {
  switch (event) {
  case OMP_EVENT_THR_BEGIN_IDLE: return THR_IDLE_STATE;
  case OMP_EVENT_THR_BEGIN_IBAR: return THR_IBAR_STATE;
  case OMP_EVENT_THR_BEGIN_EBAR: return THR_EBAR_STATE;
  case OMP_EVENT_THR_BEGIN_LKWT: return THR_LKWT_STATE;
  case OMP_EVENT_THR_BEGIN_CTWT: return THR_CTWT_STATE;
  case OMP_EVENT_THR_BEGIN_ODWT: return THR_ODWT_STATE;
  case OMP_EVENT_THR_BEGIN_ATWT: return THR_ATWT_STATE;
  default: return 0;
  }
}

static void on_event(OMP_COLLECTORAPI_EVENT event) {
  __atomic_add_fetch(&seen[event], 1, __ATOMIC_RELAXED);
  if (event > 2) {
    int begin = event & 1 ? event : event - 1;
    depth[begin] += event & 1 ? 1 : -1;
    CHECK(depth[begin] == (event & 1), "event %d: depth %d", event, depth[begin]);
  }
  uint64_t wait = 0;
  int now = state_at(12, 4, &wait);
  if (state_of(event) && now != state_of(event))
    __atomic_add_fetch(&wrong_state[event], 1, __ATOMIC_RELAXED);
  if (event >= OMP_EVENT_THR_BEGIN_IBAR && event < OMP_EVENT_THR_BEGIN_MASTER && now == state_of(event))
    CHECK(wait != 0, "event %d: no wait id", event);
}

static void work(void) {
  static omp_lock_t lock;
  static omp_nest_lock_t nest;
  static long double wide;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(4)
  {
#pragma omp barrier
#pragma omp critical
    usleep(3000);
    omp_set_lock(&lock);
    usleep(3000);
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    usleep(3000);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
#pragma omp master
    usleep(10);
#pragma omp single
    usleep(10);
#pragma omp for ordered schedule(dynamic)
    for (int i = 0; i < 8; i++) {
#pragma omp ordered
      usleep(3000);
    }
    for (int i = 0; i < 2000; i++) {
#pragma omp atomic
      wide += 1;
    }
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  CHECK(wide > 0, "the sum");
}

static void events(void) {
  simple(OMP_REQ_START);
  for (int event = OMP_EVENT_FORK; event <= OMP_EVENT_THR_END_ATWT; event++)
    CHECK(packed_register(event, on_event) == OMP_ERRCODE_OK, "event %d", event);
  work();
  work();
  simple(OMP_REQ_PAUSE);
  for (int event = OMP_EVENT_FORK; event <= OMP_EVENT_THR_END_ATWT; event++)
    printf("event %d seen %d wrong_state %d\n", event, seen[event], wrong_state[event]);
}

/* --- a sampling profiler ------------------------------------------------------------------------ */

static volatile long samples, bad_samples;
static void on_signal(int number) {
  (void)number;
  int list[] = {28, OMP_REQ_STATE, -1, -1, -1, -1, -1, 24, OMP_REQ_CURRENT_PRID, -1, -1, -1, -1, 0};
  int rc = api(list);
  int ok = list[2] == OMP_ERRCODE_OK && list[4] >= THR_OVHD_STATE && list[4] < THR_LAST_STATE &&
           list[9] == OMP_ERRCODE_OK;
  int none = list[2] == OMP_ERRCODE_SEQUENCE_ERR || list[9] == OMP_ERRCODE_SEQUENCE_ERR;
  __atomic_add_fetch(&samples, 1, __ATOMIC_RELAXED);
  if (rc || !(ok || none)) __atomic_add_fetch(&bad_samples, 1, __ATOMIC_RELAXED);
}

static void sampling(void) {
  signal(SIGPROF, on_signal);
  struct itimerval timer = {{0, 200}, {0, 200}};
  setitimer(ITIMER_PROF, &timer, 0);
  for (int round = 0; samples < 100; round++) {
    simple(OMP_REQ_START);
    packed_register(OMP_EVENT_FORK, on_join);
    packed_register(OMP_EVENT_THR_BEGIN_IBAR, on_join);
    for (int i = 0; i < 50; i++) {
#pragma omp parallel num_threads(1 + i % 4)
      {
        double sum = 0;
        for (int k = 0; k < 3000; k++) sum += k;
        if (sum < 0) abort();
#pragma omp barrier
      }
    }
    simple(round & 1 ? OMP_REQ_PAUSE : OMP_REQ_RESUME);
    simple(OMP_REQ_STOP);
  }
  struct itimerval off = {{0, 0}, {0, 0}};
  setitimer(ITIMER_PROF, &off, 0);
  CHECK(bad_samples == 0, "%ld samples, %ld bad", samples, bad_samples);
}

/* --- a million messages that mean nothing ------------------------------------------------------- */

/* FUZZ_SEED: a positive number, instead of this one; FUZZ_ROUNDS: how many instead of a million. */
static uint64_t seed = 0x2007;
static uint32_t chance(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed >> 16;
}

static void nothing(OMP_COLLECTORAPI_EVENT event) { (void)event; }

static void fuzz(void) {
  enum { WORDS = 96 };
  const char *said = getenv("FUZZ_SEED");
  if (said && atoll(said) > 0) seed = atoll(said);
  said = getenv("FUZZ_ROUNDS");
  long rounds = said ? atol(said) : 1000000;
  /* Wherever a size leads, no memory is there. */
  const size_t nowhere = 0x80001000;
  char *pages = mmap(0, 4096 + nowhere, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(pages != MAP_FAILED, "mmap");
  mprotect(pages, 4096, PROT_READ | PROT_WRITE);
  int *message = (int *)(pages + 4096) - WORDS;
  long codes[OMP_ERRCODE_LAST] = {0}, returns[2] = {0};
  for (long round = 0; round < rounds; round++) {
    for (int i = 0; i < WORDS; i++) message[i] = chance();
    int at = 0, entries[WORDS], count = 0, valid = 1;
    while (at + 12 < WORDS && chance() % 8) {
      int size = 16 + 4 * (chance() % 9);
      int kind = chance() % 32;
      if (kind == 0) size = chance();
      else if (kind == 1) size = 1 + chance() % 15;
      else if (kind == 2) size |= 2;
      else if (kind == 3) size = -size;
      if (size == 0) size = 4;
      message[at] = size;
      message[at + 1] = chance() % 16 ? (int)(chance() % 12) - 1 : (int)chance();
      if (message[at + 1] == OMP_REQ_REGISTER || message[at + 1] == OMP_REQ_UNREGISTER) {
        message[at + 4] = chance() % 4 ? (int)(chance() % 26) - 1 : (int)chance();
        if (chance() % 16 == 0) message[at + 4] = OMP_EVENT_THR_RESERVED_IMPL;
        void (*callback)(OMP_COLLECTORAPI_EVENT) = nothing;
        memcpy(message + at + 5, &callback, 8);
        if (chance() % 2) memcpy(message + at + 6, &callback, 8);
      }
      message[at + 2] = 99;
      entries[count++] = at;
      if (size < 16 || size % 4 || at + size / 4 >= WORDS) {
        valid = size >= 16 && size % 4 == 0 ? -1 : 0;
        break;
      }
      at += size / 4;
    }
    if (valid == 1) message[at] = 0;
    int misaligned = chance() % 64 == 0;
    int rc = api((char *)message + misaligned);
    returns[rc != 0]++;
    if (misaligned) {
      CHECK(rc == -1, "misaligned: %d", rc);
      continue;
    }
    CHECK(rc == (valid == 1 ? 0 : -1), "round %ld: %d", round, rc);
    for (int i = 0; i < count; i++) {
      int code = message[entries[i] + 2];
      int last = i == count - 1;
      if (last && valid == 0) CHECK(code == 99, "not an entry, but answered %d", code);
      else if (code < 0 || code >= OMP_ERRCODE_LAST) CHECK(0, "round %ld: code %d", round, code);
      else codes[code]++;
    }
  }
  printf("returned 0: %ld, -1: %ld\n", returns[0], returns[1]);
  for (int code = 0; code < OMP_ERRCODE_LAST; code++) printf("code %d: %ld\n", code, codes[code]);
  for (int code = 0; code < OMP_ERRCODE_LAST; code++)
    if (code != OMP_ERRCODE_OBSOLETE && code != OMP_ERRCODE_THREAD_ERR && code != OMP_ERRCODE_ERROR)
      CHECK(codes[code] > 0, "code %d never came", code);
  CHECK(codes[OMP_ERRCODE_OBSOLETE] == 0, "nothing is obsolete");
}

/* --- late, among threads at work ------------------------------------------------------------------ */

enum { LATE = 3 };
static pthread_barrier_t meeting;
static int heard;

static void on_barrier(OMP_COLLECTORAPI_EVENT event) {
  (void)event;
  __atomic_add_fetch(&heard, 1, __ATOMIC_RELAXED);
}

static void listen_late(void) {
  CHECK(simple(OMP_REQ_START) == OMP_ERRCODE_OK, "START");
  CHECK(packed_register(OMP_EVENT_THR_BEGIN_EBAR, on_barrier) == OMP_ERRCODE_OK, "REGISTER");
}

static void one_barrier(void) {
#pragma omp critical
  __asm__ volatile("");
#pragma omp barrier
}

static void meet(void) { pthread_barrier_wait(&meeting); }

/* Four barriers, with the main thread's requests between them. */
static void four_barriers(void) {
  for (int i = 0; i < 4; i++) {
    one_barrier();
    meet();
    meet();
  }
}

static void *at_work(void *leaves) {
  if (leaves) {
    one_barrier();
    pthread_exit(0);
  }
  four_barriers();
  return 0;
}

/* Requests while `others` threads wait between two barriers: nobody hears the first, all hear the second,
 * nobody the third, all the fourth. */
static void change_sides(int others) {
  heard = 0;
  meet();
  CHECK(heard == 0, "%d", heard);
  listen_late();
  meet();
  meet();
  CHECK(heard == others, "%d of %d", heard, others);
  CHECK(simple(OMP_REQ_STOP) == OMP_ERRCODE_OK, "STOP");
  meet();
  meet();
  CHECK(heard == others, "%d of %d after STOP", heard, others);
  listen_late();
  meet();
  meet();
  CHECK(heard == 2 * others, "%d of %d", heard, 2 * others);
  CHECK(simple(OMP_REQ_STOP) == OMP_ERRCODE_OK, "STOP");
  meet();
}

static void *request(void *threads) {
  change_sides(*(int *)threads);
  return 0;
}

static void late(void) {
  pthread_t threads[32];
  /* Threads that knew the runtime and are gone when a client comes. */
  for (int i = 0; i < 32; i++) pthread_create(&threads[i], 0, at_work, "");
  for (int i = 0; i < 32; i++) pthread_join(threads[i], 0);
  pthread_barrier_init(&meeting, 0, LATE + 1);
  for (int i = 0; i < LATE; i++) pthread_create(&threads[i], 0, at_work, 0);
  change_sides(LATE);
  for (int i = 0; i < LATE; i++) pthread_join(threads[i], 0);
  /* The threads of one team, and their requests from outside. */
  int members = 0;
#pragma omp parallel num_threads(LATE)
  {
#pragma omp single
    members = omp_get_num_threads();
  }
  pthread_barrier_destroy(&meeting);
  pthread_barrier_init(&meeting, 0, members + 1);
  pthread_create(&threads[0], 0, request, &members);
#pragma omp parallel num_threads(LATE)
  four_barriers();
  pthread_join(threads[0], 0);
}

/* --- before the runtime ------------------------------------------------------------------------- */

#ifdef EARLY
static int early_code = -1;
static void early(void) {
  find_api();
  early_code = simple(OMP_REQ_START);
  packed_register(OMP_EVENT_FORK, on_fork);
}
__attribute__((section(".preinit_array"), used)) static void (*const before_all)(void) = early;

static void *before_the_runtime(void *unused) {
  int code;
  id(OMP_REQ_PARENT_PRID, &code);
  CHECK(code == OMP_ERRCODE_THREAD_ERR, "%d", code);
  return unused;
}

static void after_early(void) {
  CHECK(early_code == OMP_ERRCODE_OK, "%d", early_code);
  CHECK(current() == 0 && id(OMP_REQ_PARENT_PRID, 0) == 0, "the initial thread");
  pthread_t thread;
  pthread_create(&thread, 0, before_the_runtime, 0);
  pthread_join(thread, 0);
  /* The session waits for the runtime: what the program sets for itself still counts. */
  setenv("OMP_NUM_THREADS", "3", 1);
  CHECK(omp_get_max_threads() == 3, "%d", omp_get_max_threads());
  CHECK(simple(OMP_REQ_START) == OMP_ERRCODE_SEQUENCE_ERR, "second START");
  CHECK(state() == THR_SERIAL_STATE, "state %d", state());
  fork_twice();
  CHECK(forks == 2, "%d", forks);
}
#endif

int main(int argc, char **argv) {
  find_api();
  if (!api) return fprintf(stderr, "no %s\n", OMP_COLLECTOR_API), 2;
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "sequence")) sequence();
  else if (!strcmp(what, "layouts")) layouts();
  else if (!strcmp(what, "ids")) ids();
  else if (!strcmp(what, "events")) events();
  else if (!strcmp(what, "sampling")) sampling();
  else if (!strcmp(what, "fuzz")) fuzz();
  else if (!strcmp(what, "late")) late();
#ifdef EARLY
  else if (!strcmp(what, "early")) after_early();
#endif
  else return fprintf(stderr, "unknown check %s\n", what), 2;
  return failures != 0;
}
