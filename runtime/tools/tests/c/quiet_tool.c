/* A tool that has a thread's tasks counted, as docs/tools.md says, whenever the program asks. */
#include <omp-tools.h>
#include <stdint.h>
#include <stdio.h>

enum { LOUD = 100, QUIET, SAY, SITES = 16, WAYS = 4 };

struct counts {
  uint32_t quiet, is_longer;
  uint64_t mark;
  struct {
    uint64_t codeptr_ra, count, foreign;
  } sites[SITES];
};

static struct counts *(*counts_of_thread)(void);
static unsigned created, begun, ended, waits, strangers, asked, had, back;
static uint64_t counted_before;

static uint64_t counted(const struct counts *counts)
{
  uint64_t all = 0;
  for (int i = 0; i < SITES; i++) all += counts->sites[i].count;
  return all;
}

static void enter(struct counts *counts, uint64_t site)
{
  const unsigned first = (unsigned)(site * 0x9e3779b97f4a7c15u >> 60);
  for (unsigned way = 0; way < WAYS; way++) {
    uint64_t *place = &counts->sites[(first ^ way) % SITES].codeptr_ra;
    if (*place == site) return;
    if (!*place) {
      *place = site;
      return;
    }
  }
}

/* Of a thread of several. */
static void count(unsigned *of) { __atomic_fetch_add(of, 1, __ATOMIC_RELAXED); }

static uint64_t mark(uint64_t site) { return (site & 0xffffffffffff) | (uint64_t)7 << 48; }

static void task_create(ompt_data_t *maker, const ompt_frame_t *frame, ompt_data_t *task, int flags,
                        int dependences, const void *code)
{
  if (!(flags & ompt_task_explicit)) return;
  count(&created);
  task->value = mark((uint64_t)code);
  enter(counts_of_thread(), (uint64_t)code);
}

static void task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
  if (status == ompt_task_complete) {
    count(&ended);
    if (prior->value >> 48 != 7) count(&strangers);
  } else {
    count(&begun);
  }
}

static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                        ompt_data_t *parallel, ompt_data_t *task, const void *code)
{
  waits += kind == ompt_sync_region_taskwait;
}

static void acquire(ompt_mutex_t kind, unsigned hint, unsigned how, ompt_wait_id_t id,
                    const void *code)
{
  asked++;
}

static void acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *code) { had++; }

static void released(ompt_mutex_t kind, ompt_wait_id_t id, const void *code) { back++; }

static int control(uint64_t command, uint64_t modifier, void *name, const void *code)
{
  struct counts *counts = counts_of_thread();
  if (command == SAY) {
    if (name)
      fprintf(stderr,
              "%s: created %u begun %u ended %u strangers %u waits %u counted %u "
              "mutexes %u %u %u\n",
              (const char *)name, created, begun, ended, strangers, waits,
              (unsigned)(counted(counts) - counted_before), asked, had, back);
    created = begun = ended = strangers = waits = asked = had = back = 0;
    counted_before = counted(counts);
  } else {
    counts->mark = (uint64_t)7 << 48;
    counts->quiet = command == QUIET;
  }
  return 0;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  counts_of_thread = (struct counts *(*)(void))lookup("omphalos_quiet_counts");
  set(ompt_callback_task_create, (ompt_callback_t)task_create);
  set(ompt_callback_task_schedule, (ompt_callback_t)task_schedule);
  set(ompt_callback_sync_region, (ompt_callback_t)sync_region);
  set(ompt_callback_mutex_acquire, (ompt_callback_t)acquire);
  set(ompt_callback_mutex_acquired, (ompt_callback_t)acquired);
  set(ompt_callback_mutex_released, (ompt_callback_t)released);
  set(ompt_callback_control_tool, (ompt_callback_t)control);
  return counts_of_thread != 0;
}

static void finalize(ompt_data_t *data) {}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
