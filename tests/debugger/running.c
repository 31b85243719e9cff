/* See running.h. While one thread is stepped over a breakpoint, the others stand still. */
#define _GNU_SOURCE
#include "running.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target.h"

static int pid, over; /* the process; the thread that stands at a breakpoint */
static struct { uint64_t at; unsigned char byte; } breaks[64];
static int nbreaks;
static int stopped[4096], nstopped; /* threads that stand still, and what they were told */
static int told[4096], ntold;       /* stops that were reported while another was looked for */
static int told_status[4096];

static void fail(const char *what) {
  fprintf(stderr, "debugger: %s: %s\n", what, strerror(errno));
  exit(2);
}

static int break_at(uint64_t address) {
  for (int i = 0; i < nbreaks; i++)
    if (breaks[i].at == address) return i;
  return -1;
}

void running_break(uint64_t address) {
  unsigned char trap = 0xcc;
  if (break_at(address) >= 0 || !address || nbreaks == 64) return;
  breaks[nbreaks].at = address;
  if (target_read(address, &breaks[nbreaks++].byte, 1) || target_write(address, &trap, 1))
    fail("breakpoint");
}

static uint64_t entry(void) {
  char path[64];
  Elf64_auxv_t pair;
  snprintf(path, sizeof path, "/proc/%d/auxv", pid);
  FILE *file = fopen(path, "r");
  while (file && fread(&pair, sizeof pair, 1, file) == 1)
    if (pair.a_type == AT_ENTRY) return fclose(file), pair.a_un.a_val;
  fail(path);
  return 0;
}

void running_start(const char *command) {
  char *words[16], *copy = strdup(command);
  int count = 0, status;
  for (char *word = strtok(copy, " "); word && count < 15; word = strtok(0, " "))
    words[count++] = word;
  words[count] = 0;
  if (!(pid = fork())) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    execv(words[0], words);
    _exit(127);
  }
  if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status)) fail(words[0]);
  ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
  stopped[nstopped++] = pid;
  target_look(pid);
  uint64_t start = entry();
  running_break(start);
  if (running_go().address != start) fail("the program does not begin");
  target_look(pid);
}

/* A thread that stopped: whether it is at a breakpoint, which its next step is to pass. */
static int at_break(int lwp, struct stop *stop) {
  struct user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, lwp, 0, &registers)) return 0;
  if (break_at(registers.rip - 1) < 0) return 0;
  registers.rip--;
  ptrace(PTRACE_SETREGS, lwp, 0, &registers);
  *stop = (struct stop){RUNNING_BREAK, lwp, registers.rip};
  return 1;
}

/* Stops all other threads. What they had to say is told later. */
static void stop_others(void) {
  char path[64];
  for (int found = 1; found;) {
    found = 0;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *dir = opendir(path);
    for (struct dirent *one; dir && (one = readdir(dir));) {
      int lwp = atoi(one->d_name), known = lwp <= 0, status;
      for (int i = 0; i < nstopped; i++) known |= stopped[i] == lwp;
      if (known) continue;
      found = 1;
      syscall(SYS_tgkill, pid, lwp, SIGSTOP);
      while (waitpid(lwp, &status, __WALL) == lwp && WIFSTOPPED(status) &&
             WSTOPSIG(status) != SIGSTOP) {
        if (WSTOPSIG(status) == SIGTRAP && status >> 16) {
          ptrace(PTRACE_CONT, lwp, 0, 0);
          continue;
        }
        told[ntold] = lwp;
        told_status[ntold++] = status;
        /* The stop that was sent is still to come: it changes nothing then. */
        break;
      }
      stopped[nstopped++] = lwp;
    }
    if (dir) closedir(dir);
  }
}

static void step_over(int lwp) {
  struct user_regs_struct registers;
  unsigned char trap = 0xcc;
  int status;
  if (ptrace(PTRACE_GETREGS, lwp, 0, &registers)) return;
  int at = break_at(registers.rip);
  if (at < 0) return;
  target_write(breaks[at].at, &breaks[at].byte, 1);
  /* The stop that was sent to a thread which had stopped by itself comes first. */
  do {
    ptrace(PTRACE_SINGLESTEP, lwp, 0, 0);
    if (waitpid(lwp, &status, __WALL) != lwp) break;
  } while (WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
  target_write(breaks[at].at, &trap, 1);
}

/* What the status of a thread means to the debugger; 0: nothing, it goes on. */
static int means(int lwp, int status, struct stop *stop) {
  int signal = WSTOPSIG(status);
  if (signal == SIGTRAP && status >> 16 == 0 && at_break(lwp, stop)) return 1;
  if (signal == SIGUSR1) return *stop = (struct stop){RUNNING_ASKED, lwp, 0}, 1;
  int quiet = signal == SIGTRAP || signal == SIGSTOP;
  ptrace(PTRACE_CONT, lwp, 0, quiet ? 0 : signal);
  return 0;
}

struct stop running_go(void) {
  struct stop stop;
  int status, lwp;
  if (over) step_over(over);
  over = 0;
  while (ntold) {
    lwp = told[--ntold];
    if (!means(lwp, told_status[ntold], &stop)) {
      for (int i = 0; i < nstopped; i++)
        if (stopped[i] == lwp) stopped[i] = stopped[--nstopped];
      continue;
    }
    over = lwp;
    target_look(pid);
    return stop;
  }
  while (nstopped) ptrace(PTRACE_CONT, stopped[--nstopped], 0, 0);
  for (;;) {
    if ((lwp = waitpid(-1, &status, __WALL)) < 0) fail("waitpid");
    if (WIFSTOPPED(status)) {
      if (!means(lwp, status, &stop)) continue;
      stopped[nstopped++] = over = lwp;
      stop_others();
      target_look(pid);
      return stop;
    }
    if (lwp == pid)
      return (struct stop){RUNNING_ENDED, WIFEXITED(status) ? WEXITSTATUS(status) : 256, 0};
  }
}
