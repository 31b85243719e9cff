/* What the parts of the debugger of 2013 share. */
#ifndef Y2013_H
#define Y2013_H

#include "../target.h"
#include "ompd-2013.h"

/* The program is linked with -rdynamic: none of these names is for the libraries that it loads. */
#pragma GCC visibility push(hidden)

/* The library's functions. */
#define POINTER(name, arguments) extern ompd_rc_t(*p_##name) arguments;
FOREACH_OMPD_FN(POINTER)
#undef POINTER
extern int (*p_ompd_enable)(ompd_enable_setting_t);

/* Its address names the process. */
extern int process;
static ompd_context_t *const context = (ompd_context_t *)&process;
/* Loads the library that the program names. */
void load(void);
void release(void *memory);

/* Runs the program that was started: see runs.c. */
void runs(char **words);
void handles(void);

#pragma GCC visibility pop

#define EXPECT(code, call) \
  do { \
    int is = call; \
    if (is != (int)(code)) \
      printf("WRONG: %s is %d, must be %d (%s:%d)\n", #call, is, code, __FILE__, __LINE__); \
  } while (0)
#define OK(call) EXPECT(ompd_rc_ok, call)

#endif
