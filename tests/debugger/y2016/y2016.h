/* What the parts of the debugger of 2016 share. */
#ifndef Y2016_H
#define Y2016_H

#include "../target.h"
#include "ompd-2016.h"

/* The program is linked with -rdynamic: none of these names is for the libraries that it loads. */
#pragma GCC visibility push(hidden)

/* The library's functions. */
#define POINTER(name, arguments) extern ompd_rc_t(*p_##name) arguments;
FOREACH_OMPD_FN(POINTER)
#undef POINTER

/* The debugger's side: its callbacks, and what makes them fail. */
extern ompd_callbacks_t callbacks;
extern int fail_alloc, fail_read;
/* Pieces of memory that the library has. */
extern long allocated;
ompd_rc_t release(void *memory);
/* Its address names the process. */
extern int context;

/* The process, once `begin` has started the library. */
extern ompd_address_space_handle_t *space;
void load(void);
void begin(void);

/* The questions: see y2016.c. */
void dump(void);
void codes(void);
void random_calls(long count);
/* Runs the program that was started. */
void runs(int late);

#pragma GCC visibility pop

#define EXPECT(code, call) \
  do { \
    ompd_rc_t is = call; \
    if (is != (code)) \
      printf("WRONG: %s is %d, must be %d (%s:%d)\n", #call, is, code, __FILE__, __LINE__); \
  } while (0)
#define OK(call) EXPECT(ompd_rc_ok, call)

#endif
