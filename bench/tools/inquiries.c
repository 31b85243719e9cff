/* What OMPT's inquiries cost in a signal handler: a tool without events of its own whose handler
 * runs on every thread ten thousand times a second, wherever the thread is, and calls each inquiry
 * CALLS times. At the end it prints, by inquiry, nanoseconds a call: the least of all ticks, and
 * the mean. set_callback and finalize_tool change something and are not for handlers.
 *
 *   gcc -O2 -shared -fPIC -Iruntime/abi/include bench/tools/inquiries.c -o inquiries.so
 *   LD_PRELOAD=./inquiries.so ./a-program-that-runs-some-seconds
 */
#define _GNU_SOURCE
#include "omp-tools.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

enum { CALLS = 16 };

#define EACH(do) \
  do(get_state, get_state(&wait)) \
  do(get_thread_data, get_thread_data()) \
  do(get_parallel_info, get_parallel_info(0, &region, &size)) \
  do(get_task_info, get_task_info(0, &flags, &task, &frame, &region, &size)) \
  do(get_task_memory, get_task_memory(&memory, &bytes, 0)) \
  do(get_target_info, get_target_info(&device, &target, &operation)) \
  do(get_unique_id, get_unique_id()) \
  do(get_proc_id, get_proc_id()) \
  do(get_num_procs, get_num_procs()) \
  do(get_num_places, get_num_places()) \
  do(get_place_num, get_place_num()) \
  do(get_place_proc_ids, get_place_proc_ids(0, 8, numbers)) \
  do(get_partition_place_nums, get_partition_place_nums(8, numbers)) \
  do(get_num_devices, get_num_devices()) \
  do(get_callback, get_callback(ompt_callback_work, &callback)) \
  do(enumerate_states, enumerate_states(0x102, &next, &name)) \
  do(enumerate_mutex_impls, enumerate_mutex_impls(0, &next, &name))

#define DECLARE(name, call) static ompt_##name##_t name;
EACH(DECLARE)

enum {
#define NUMBER(name, call) NUMBER_##name,
  EACH(NUMBER) NOTHING,
  COUNT
};
static const char *const names[COUNT] = {
#define NAME(name, call) #name,
  EACH(NAME) "(the clock alone)"};

static struct figure {
  unsigned long least, sum;
} figures[COUNT];
static unsigned long ticks;
static double ns_per_cycle;

static void note(int number, unsigned long cycles)
{
  struct figure *figure = &figures[number];
  if (!figure->least || cycles < figure->least)
    figure->least = cycles;
  __atomic_add_fetch(&figure->sum, cycles, __ATOMIC_RELAXED);
}

static void tick(int signal)
{
  int saved = errno, size, flags, next, numbers[8];
  unsigned long start;
  ompt_wait_id_t wait;
  ompt_data_t *region, *task;
  ompt_frame_t *frame;
  ompt_callback_t callback;
  void *memory;
  size_t bytes;
  uint64_t device;
  ompt_id_t target, operation;
  const char *name;
  (void)signal;
  start = __rdtsc();
  for (int i = 0; i < CALLS; i++)
    __asm__ volatile("");
  note(NOTHING, __rdtsc() - start);
#define MEASURE(name_, call) \
  start = __rdtsc(); \
  for (int i = 0; i < CALLS; i++) \
    (void)call; \
  note(NUMBER_##name_, __rdtsc() - start);
  EACH(MEASURE)
  __atomic_add_fetch(&ticks, 1, __ATOMIC_RELAXED);
  errno = saved;
}

static void thread_begin(ompt_thread_t type, ompt_data_t *data)
{
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 3};
  struct itimerspec every = {{0, 100000}, {0, 100000}};
  timer_t timer;
  (void)type, (void)data;
  event._sigev_un._tid = syscall(SYS_gettid);
  if (!timer_create(CLOCK_MONOTONIC, &event, &timer))
    timer_settime(timer, 0, &every, 0);
}

static double clock_ns(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

static double began;
static unsigned long began_cycles;

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
  struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
  (void)device, (void)data;
#define LOOK(name, call) name = (ompt_##name##_t)lookup("ompt_" #name);
  EACH(LOOK)
  sigaction(SIGRTMIN + 3, &action, 0);
  began = clock_ns();
  began_cycles = __rdtsc();
  ((ompt_set_callback_t)lookup("ompt_set_callback"))(ompt_callback_thread_begin,
                                                     (ompt_callback_t)thread_begin);
  return 1;
}

static void finalize(ompt_data_t *data)
{
  (void)data;
  signal(SIGRTMIN + 3, SIG_IGN);
  ns_per_cycle = (clock_ns() - began) / (double)(__rdtsc() - began_cycles);
  fprintf(stderr, "%lu ticks\n%-26s %8s %8s\n", ticks, "inquiry (ns a call)", "least", "mean");
  for (int i = 0; i < COUNT && ticks; i++)
    fprintf(stderr, "%-26s %8.1f %8.1f\n", names[i], figures[i].least * ns_per_cycle / CALLS,
            figures[i].sum * ns_per_cycle / CALLS / ticks);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  (void)version, (void)runtime;
  return &result;
}
