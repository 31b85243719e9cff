/*
 * The Collector API of 2007: names and numbers of the OpenMP ARB's white paper "An OpenMP Runtime
 * API for Profiling". A client asks the dynamic linker for OMP_COLLECTOR_API and calls what it
 * finds.
 */
#ifndef OMP_COLLECTOR_API_H
#define OMP_COLLECTOR_API_H

#ifdef __cplusplus
extern "C" {
#endif

#define OMP_COLLECTOR_API "__omp_collector_api"

/*
 * int __omp_collector_api(void *message);
 *
 * message: entries { int sz, request, error code, size of the answer; char mem[sz - 16]; }, each sz
 * a multiple of 4, the list ended by an int 0. Entries are answered in place, in their order. 0 if
 * the list was read to its end, -1 otherwise.
 */

typedef enum {
  OMP_REQ_START = 0,        /* must be first */
  OMP_REQ_REGISTER = 1,     /* { int event; void (*)(OMP_COLLECTORAPI_EVENT) }, packed or padded */
  OMP_REQ_UNREGISTER = 2,   /* { int event } */
  OMP_REQ_STATE = 3,        /* answers { int state; 8 bytes of wait id }; async-signal-safe */
  OMP_REQ_CURRENT_PRID = 4, /* answers 8 bytes of region id; async-signal-safe */
  OMP_REQ_PARENT_PRID = 5,  /* answers 8 bytes of region id */
  OMP_REQ_STOP = 6,
  OMP_REQ_PAUSE = 7,
  OMP_REQ_RESUME = 8,
  OMP_REQ_LAST
} OMP_COLLECTORAPI_REQUEST;

typedef enum {
  OMP_ERRCODE_OK = 0,
  OMP_ERRCODE_ERROR = 1,
  OMP_ERRCODE_UNKNOWN = 2,
  OMP_ERRCODE_UNSUPPORTED = 3,
  OMP_ERRCODE_SEQUENCE_ERR = 4,
  OMP_ERRCODE_OBSOLETE = 5,
  OMP_ERRCODE_THREAD_ERR = 6,
  OMP_ERRCODE_MEM_TOO_SMALL = 7,
  OMP_ERRCODE_LAST
} OMP_COLLECTORAPI_EC;

typedef enum {
  OMP_EVENT_FORK = 1,
  OMP_EVENT_JOIN = 2,
  OMP_EVENT_THR_BEGIN_IDLE = 3,
  OMP_EVENT_THR_END_IDLE = 4,
  OMP_EVENT_THR_BEGIN_IBAR = 5,
  OMP_EVENT_THR_END_IBAR = 6,
  OMP_EVENT_THR_BEGIN_EBAR = 7,
  OMP_EVENT_THR_END_EBAR = 8,
  OMP_EVENT_THR_BEGIN_LKWT = 9,
  OMP_EVENT_THR_END_LKWT = 10,
  OMP_EVENT_THR_BEGIN_CTWT = 11,
  OMP_EVENT_THR_END_CTWT = 12,
  OMP_EVENT_THR_BEGIN_ODWT = 13,
  OMP_EVENT_THR_END_ODWT = 14,
  OMP_EVENT_THR_BEGIN_MASTER = 15,
  OMP_EVENT_THR_END_MASTER = 16,
  OMP_EVENT_THR_BEGIN_SINGLE = 17,
  OMP_EVENT_THR_END_SINGLE = 18,
  OMP_EVENT_THR_BEGIN_ORDERED = 19,
  OMP_EVENT_THR_END_ORDERED = 20,
  OMP_EVENT_THR_BEGIN_ATWT = 21,
  OMP_EVENT_THR_END_ATWT = 22,
  OMP_EVENT_THR_RESERVED_IMPL = 4096,
  OMP_EVENT_LAST
} OMP_COLLECTORAPI_EVENT;

typedef enum {
  THR_OVHD_STATE = 1,
  THR_WORK_STATE = 2,
  THR_IBAR_STATE = 3,
  THR_EBAR_STATE = 4,
  THR_IDLE_STATE = 5,
  THR_SERIAL_STATE = 6,
  THR_REDUC_STATE = 7,
  THR_LKWT_STATE = 8,
  THR_CTWT_STATE = 9,
  THR_ODWT_STATE = 10,
  THR_ATWT_STATE = 11,
  THR_LAST_STATE
} OMP_COLLECTOR_API_THR_STATE;

#ifdef __cplusplus
}
#endif

#endif
