/* A million messages that mean nothing. */
#ifndef FUZZ_H
#define FUZZ_H
#include "../../chance.h"
#include "client.h"
#include <sys/mman.h>

static void fuzz(void) {
  enum { WORDS = 96 };
  const long rounds = fuzz_rounds(0x2007);
  /* Wherever a size leads, no memory is there. */
  const size_t nowhere = 0x80001000;
  char *pages =
      mmap(0, 4096 + nowhere, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
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
        void (*callback)(OMP_COLLECTORAPI_EVENT) = ignore;
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

#endif
