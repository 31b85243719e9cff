/* The interface as a client uses it: one request a call, and CHECK, which counts what is not as it
 * should be. */
#ifndef CLIENT_H
#define CLIENT_H
#include <dlfcn.h>
#include <omp_collector_api.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int failures;
#define CHECK(condition, ...)                                                                      \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      __atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED);                                          \
      fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition);                              \
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
#ifdef TAU
/* By this function of its file TAU is known. */
void Tau_omp_event_handler(OMP_COLLECTORAPI_EVENT event);
void Tau_omp_event_handler(OMP_COLLECTORAPI_EVENT event) { (void)event; }
#endif

static uint64_t current(void) { return id(OMP_REQ_CURRENT_PRID, 0); }

static void ignore(OMP_COLLECTORAPI_EVENT event) { (void)event; }

#endif
