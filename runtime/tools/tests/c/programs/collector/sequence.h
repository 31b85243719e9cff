/* Who may ask when. */
#ifndef SEQUENCE_H
#define SEQUENCE_H
#include "client.h"

static void sequence(void) {
  int nothing = 0;
  CHECK(api(&nothing) == 0, "an empty list");
  for (int request = OMP_REQ_REGISTER; request < OMP_REQ_LAST; request++)
    CHECK(ask(request, 16, 0, 0).code == OMP_ERRCODE_SEQUENCE_ERR, "before START: %d", request);
  CHECK(simple(OMP_REQ_LAST) == OMP_ERRCODE_SEQUENCE_ERR, "LAST before START");
  CHECK(simple(-1) == OMP_ERRCODE_SEQUENCE_ERR, "-1 before START");
  for (int round = 0; round < 3; round++) {
    CHECK(simple(OMP_REQ_START) == OMP_ERRCODE_OK, "START");
    CHECK(simple(OMP_REQ_START) == OMP_ERRCODE_SEQUENCE_ERR, "second START");
    CHECK(simple(OMP_REQ_LAST) == OMP_ERRCODE_UNKNOWN, "LAST");
    CHECK(simple(-1) == OMP_ERRCODE_UNKNOWN, "-1");
    CHECK(state() == THR_SERIAL_STATE, "state %d", state());
    CHECK(current() == 0, "outside");
#pragma omp parallel num_threads(2)
    {
      CHECK(current() != 0, "inside");
      CHECK(state() == THR_WORK_STATE, "state %d", state());
    }
    CHECK(simple(OMP_REQ_PAUSE) == OMP_ERRCODE_OK && simple(OMP_REQ_PAUSE) == OMP_ERRCODE_OK,
          "PAUSE");
    CHECK(simple(OMP_REQ_RESUME) == OMP_ERRCODE_OK && simple(OMP_REQ_RESUME) == OMP_ERRCODE_OK,
          "RESUME");
    CHECK(simple(OMP_REQ_STOP) == OMP_ERRCODE_OK, "STOP");
    CHECK(simple(OMP_REQ_STOP) == OMP_ERRCODE_SEQUENCE_ERR, "second STOP");
    CHECK(ask(OMP_REQ_STATE, 12, 0, 0).code == OMP_ERRCODE_SEQUENCE_ERR, "STATE after STOP");
  }
}

#endif
