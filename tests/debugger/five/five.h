/* What the parts of the debugger share. */
#ifndef FIVE_H
#define FIVE_H

#include "../target.h"
#include "ompd.h"

/* The program is linked with -rdynamic: none of these names is for the libraries that it loads. */
#pragma GCC visibility push(hidden)

/* The library's functions. */
#define POINTER(name, arguments) extern ompd_rc_t(*p_##name) arguments;
FOREACH_OMPD_FN(POINTER)
#undef POINTER

/* The debugger's side: its callbacks, and what makes them fail. */
extern ompd_callbacks_t callbacks;
extern int fail_alloc, fail_read, fail_sizes;
/* What is no OMPD. */
extern char *(*p_snapshot)(ompd_address_space_handle_t *);
extern char *(*p_look)(ompd_address_space_handle_t *, const char *, const char *);
extern char *(*p_why)(const char *, const char *);
extern void (*p_free)(char *);
/* Pieces of memory that the library has. */
extern long allocated;
ompd_rc_t give_back(void *memory);
/* Its address names the process. */
extern int context;

/* The process, once `begin` has started the library with this version. */
extern ompd_address_space_handle_t *space;
void begin(ompd_word_t version);

/* All ICVs, once `enumerate` has asked for them. */
struct icv {
  ompd_icv_id_t id;
  char name[64];
  ompd_scope_t scope;
};
extern struct icv icvs[256];
extern int nicvs;
void enumerate(void);

/* The questions: see five.c. */
void dump(void);
void codes(void);
void random_calls(long count);
void looks(long count, long seed);

#pragma GCC visibility pop

#define EXPECT(code, call)                                                              \
  do {                                                                                  \
    ompd_rc_t is = call;                                                                \
    if (is != (code)) {                                                                 \
      printf("WRONG: %s is %d, must be %d (%s:%d)\n", #call, is, code, __FILE__, __LINE__); \
    }                                                                                   \
  } while (0)
#define OK(call) EXPECT(ompd_rc_ok, call)

#endif
