/* A program with a region of its own, whose library (library.c) had one in its constructor. With
 * -DLOADED the library comes while the program runs, with another one that also needs the
 * runtime. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#ifdef LOADED
static int ask(void *library, const char *name) { return ((int (*)(void))dlsym(library, name))(); }
#else
int early_members(void), early_forks(void);
#endif

int main(int count, char **arguments) {
#ifdef LOADED
  void *library = count > 1 ? dlopen(arguments[1], RTLD_NOW) : 0;
  if (!library) return fprintf(stderr, "%s\n", dlerror()), 2;
  ask(library, "outer_region");
  int early = ask(library, "early_members"), forks = ask(library, "early_forks");
#else
  int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
  members++;
  int early = members == 2 ? early_members() : -1, forks = early_forks();
  (void)count, (void)arguments;
#endif
  printf("forks %d\n", forks);
  return early != 2;
}
