/*
 * A program that is its own debugger: it reads its own memory, plants breakpoints into itself, and
 * says which rule does not hold. For both generations (own.h, places_2016.c).
 */
#ifndef TRAP_H
#define TRAP_H
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

static int broken;
#define RULE(condition, ...) \
  do { \
    if (!(condition) && __atomic_add_fetch(&broken, 1, __ATOMIC_RELAXED) < 20) { \
      printf("WRONG, %s:%d: %s: ", __FILE__, __LINE__, #condition); \
      printf(" " __VA_ARGS__); \
      puts(""); \
    } \
  } while (0)
#define EXPECT(code, call) \
  do { \
    int is = call; \
    RULE(is == (int)(code), "%s is %d, must be %d", #call, is, (int)(code)); \
  } while (0)
#define OK(call) EXPECT(ompd_rc_ok, call)
/* The program's last words. */
static int end(void)
{
  if (!broken) puts("it holds");
  return broken != 0;
}

/* The own memory, for reading and writing. */
static int memory = -1;
static void open_memory(void)
{
  memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  RULE(memory >= 0, "no memory");
}
static int64_t kernel_number(void) { return syscall(SYS_gettid); }

/* One thread at a time asks: OMPD is a debugger's. */
__attribute__((unused)) static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;
#define ALONE(...) \
  do { \
    pthread_mutex_lock(&asking); \
    __VA_ARGS__; \
    pthread_mutex_unlock(&asking); \
  } while (0)

/* A breakpoint: `at_place` is called on the thread that comes there. Each of the runtime's is a
 * function that only returns, so the thread returns from it afterwards. */
static uint64_t places[8];
static int nplaces;
static void at_place(int place);
static void on_trap(int number, siginfo_t *info, void *at)
{
  greg_t *registers = ((ucontext_t *)at)->uc_mcontext.gregs;
  (void)number, (void)info;
  for (int i = 0; i < nplaces; i++)
    if (places[i] == (uint64_t)registers[REG_RIP] - 1) {
      at_place(i);
      registers[REG_RIP] = *(greg_t *)registers[REG_RSP];
      registers[REG_RSP] += 8;
      return;
    }
  abort();
}
__attribute__((unused)) static void plant(uint64_t address)
{
  unsigned char before = 0, trap = 0xcc;
  struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER};
  sigaction(SIGTRAP, &action, NULL);
  RULE(pread(memory, &before, 1, address) == 1 && before == 0xc3, "no place: %#x", before);
  places[nplaces++] = address;
  RULE(pwrite(memory, &trap, 1, address) == 1, "it cannot be planted");
}

#endif
