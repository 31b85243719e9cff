/* A reduction that waits, of code that leaves its barrier to the runtime: its location stands for a
   barrier, and none follows. No compiler here makes such code any more, so the calls are written
   out. */
#include <stddef.h>

struct location {
  int reserved_1, flags, reserved_2, reserved_3;
  const char *source;
};

extern int __kmpc_global_thread_num(struct location *);
extern int __kmpc_reduce(struct location *, int, int, size_t, void *, void (*)(void *, void *),
                         int (*)[8]);
extern void __kmpc_end_reduce(struct location *, int, int (*)[8]);

/* KMP_IDENT_KMPC, and KMP_IDENT_BARRIER_IMPL_FOR or KMP_IDENT_BARRIER_EXPL. */
static struct location implicit = {0, 0x42, 0, 0, ";marked.c;main;1;1;;"};
static struct location explicit = {0, 0x22, 0, 0, ";marked.c;main;2;2;;"};
static int name[8];
static int sum;

static void combine(void *into, void *from)
{
  **(int **)into += **(int **)from;
}

static void reduce(struct location *location)
{
  int one = 1;
  void *data[] = {&one};
  int thread = __kmpc_global_thread_num(location);
  if (__kmpc_reduce(location, thread, 1, sizeof data, data, combine, &name) == 1) {
    sum += one;
    __kmpc_end_reduce(location, thread, &name);
  }
}

int main(void)
{
#pragma omp parallel num_threads(2)
  {
    reduce(&implicit);
    reduce(&explicit);
  }
  return sum == 4 ? 0 : 2;
}
