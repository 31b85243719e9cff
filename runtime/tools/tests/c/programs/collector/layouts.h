/* Sizes, layouts and batches of requests, and what is none. */
#ifndef LAYOUTS_H
#define LAYOUTS_H
#include "client.h"
#include "forks.h"
#include <sys/mman.h>

static void layouts(void) {
  simple(OMP_REQ_START);
  for (int room = 0; room < 12; room += 4) {
    struct entry e = ask(OMP_REQ_REGISTER, room, 0, 0);
    CHECK(e.code == OMP_ERRCODE_MEM_TOO_SMALL && e.answer == 12, "%d: %d %d", room, e.code,
          e.answer);
    e = ask(OMP_REQ_STATE, room, 0, 0);
    CHECK(e.code == OMP_ERRCODE_MEM_TOO_SMALL && e.answer == 12, "%d: %d %d", room, e.code,
          e.answer);
    /* What there is room for is there: some clients make room for the state alone. */
    int state = 0;
    memcpy(&state, e.mem, room ? 4 : 0);
    CHECK(!room || state == THR_SERIAL_STATE, "%d: state %d", room, state);
  }
  for (int room = 0; room < 8; room += 4) {
    struct entry e = ask(OMP_REQ_CURRENT_PRID, room, 0, 0);
    CHECK(e.code == OMP_ERRCODE_MEM_TOO_SMALL && e.answer == 8, "%d: %d %d", room, e.code,
          e.answer);
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

  /* One list: the state, a request that nobody knows, the id with more room than it needs, STOP,
   * and one after it. */
  int list[] = {28, OMP_REQ_STATE, -1, -1, 0, 0, 0, 16, 77,  -1, -1, 48, OMP_REQ_CURRENT_PRID,
                -1, -1,            9,  9,  9, 9, 9, 9, 9,  9,  16, OMP_REQ_STOP, -1, -1,
                16, OMP_REQ_PAUSE, -1, -1, 0};
  CHECK(api(list) == 0, "a batch");
  CHECK(list[2] == OMP_ERRCODE_OK && list[4] == THR_SERIAL_STATE, "%d %d", list[2], list[4]);
  CHECK(list[9] == OMP_ERRCODE_UNKNOWN && list[10] == 0, "%d", list[9]);
  CHECK(list[13] == OMP_ERRCODE_OK && list[14] == 8 && list[15] == 0 && list[17] == 9, "%d",
        list[13]);
  CHECK(list[25] == OMP_ERRCODE_OK && list[29] == OMP_ERRCODE_SEQUENCE_ERR, "%d %d", list[25],
        list[29]);

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

#endif
