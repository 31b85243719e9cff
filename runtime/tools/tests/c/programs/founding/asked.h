/* A thread is asked what it does while it does it: by a signal, whose handler runs `answer_here` on
 * that thread. So threads stand where a test wants them, and no clock decides. */
#ifndef ASKED_H
#define ASKED_H
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <time.h>

/* The including file's: what the thread says, kept where `ask_thread` leaves it. */
static void answer_here(void);

enum { MEMBERS = 3, PATIENCE_SECONDS = 20 };
static pthread_t member[MEMBERS];
static int answered;

static void on_question(int number) {
  (void)number;
  answer_here();
  __atomic_store_n(&answered, 1, __ATOMIC_RELEASE);
}

static void expect_questions(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_question;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, 0);
}

static void ask_thread(pthread_t thread) {
  __atomic_store_n(&answered, 0, __ATOMIC_RELAXED);
  pthread_kill(thread, SIGUSR1);
  while (!__atomic_load_n(&answered, __ATOMIC_ACQUIRE)) sched_yield();
}

/* Whether the thread comes to where `there` holds of its answer. */
static int comes_to(pthread_t thread, int (*there)(int), int wanted) {
  time_t begun = time(0);
  do {
    ask_thread(thread);
    if (there(wanted)) return 1;
    sched_yield();
  } while (time(0) - begun < PATIENCE_SECONDS);
  return 0;
}

/* Where a team's members meet without OpenMP. */
static pthread_barrier_t meeting_place;
static void meet_members(void) { pthread_barrier_wait(&meeting_place); }

static int signalled;
static void signal_all(void) { __atomic_store_n(&signalled, 1, __ATOMIC_RELEASE); }
static void await_signal(void) {
  while (!__atomic_load_n(&signalled, __ATOMIC_ACQUIRE)) sched_yield();
}

#endif
