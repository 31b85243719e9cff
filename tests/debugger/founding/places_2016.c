/* The places of 2016: what begins or ends there is what OMPD of that year says on the thread that
 * comes there. */
#include "trap.h"
#include "ompd-2016.h"

#define POINTER(name, arguments) static ompd_rc_t(*p_##name) arguments;
FOREACH_OMPD_FN(POINTER)
#undef POINTER

static ompd_rc_t allocate(ompd_size_t bytes, void **to)
{
  *to = malloc(bytes);
  return *to ? ompd_rc_ok : ompd_rc_nomem;
}
static ompd_rc_t release(void *piece)
{
  free(piece);
  return ompd_rc_ok;
}
static ompd_rc_t symbol(ompd_address_space_context_t *of, ompd_thread_context_t *thread,
                        const char *name, ompd_address_t *to)
{
  (void)of, (void)thread;
  *to = (ompd_address_t){OMPD_SEGMENT_UNSPECIFIED, (uint64_t)dlsym(RTLD_DEFAULT, name)};
  return to->address ? ompd_rc_ok : ompd_rc_error;
}
static ompd_rc_t get(ompd_address_space_context_t *of, ompd_thread_context_t *thread,
                     const ompd_address_t *from, ompd_tword_t bytes, void *to)
{
  (void)of, (void)thread;
  return pread(memory, to, bytes, from->address) == bytes ? ompd_rc_ok : ompd_rc_error;
}
static ompd_rc_t put(ompd_address_space_context_t *of, ompd_thread_context_t *thread,
                     const ompd_address_t *to, ompd_tword_t bytes, const void *from)
{
  (void)of, (void)thread;
  return pwrite(memory, from, bytes, to->address) == bytes ? ompd_rc_ok : ompd_rc_error;
}
static ompd_rc_t convert(ompd_address_space_context_t *of, const void *from, int unit, int count,
                         void *to)
{
  (void)of;
  memcpy(to, from, (size_t)unit * count);
  return ompd_rc_ok;
}
static ompd_callbacks_t callbacks = {allocate, release, 0,       0, symbol, get,
                                     put,      convert, convert, 0, 0};
static ompd_address_space_handle_t *space;
static int process, size_scope;
static uint64_t size_id;

/* Each library that the runtime names, until one is of this generation. */
static void load(void)
{
  void *library = NULL;
  const char ***locations = dlsym(RTLD_DEFAULT, "ompd_dll_locations");
  open_memory();
  for (const char **name = *locations; *name; name++) {
    library = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
    if (library && dlsym(library, "ompd_get_version")) break;
    library = NULL;
  }
  RULE(library, "no library");
  if (!library) exit(1);
#define FIND(name, arguments) p_##name = (void *)dlsym(library, #name);
  FOREACH_OMPD_FN(FIND)
#undef FIND
  OK(p_ompd_initialize(&callbacks));
  OK(p_ompd_process_initialize((void *)&process, &space));
  /* The variable that holds a region's size. */
  for (int more = 1; more;) {
    const char *name;
    OK(p_ompd_enumerate_icvs(space, size_id, &size_id, &name, &size_scope, &more));
    if (!strcmp(name, "ompd-team-size-var")) break;
    RULE(more, "no ompd-team-size-var");
  }
}

struct frames { uint64_t exit, reentry; };
static ompd_thread_handle_t *own_thread(void)
{
  ompd_thread_handle_t *thread = NULL;
  uint64_t number = kernel_number();
  OK(p_ompd_get_thread_handle(space, ompd_osthread_lwp, 8, &number, &thread));
  return thread;
}
static ompd_task_handle_t *own_task(void)
{
  ompd_task_handle_t *task = NULL;
  OK(p_ompd_get_current_task_handle(own_thread(), &task));
  return task;
}
static ompd_parallel_handle_t *own_region(void)
{
  ompd_parallel_handle_t *region = NULL;
  OK(p_ompd_get_current_parallel_handle(own_thread(), &region));
  return region;
}
static struct frames frames_of(ompd_task_handle_t *task)
{
  ompd_address_t exit = {0, 0}, reentry = {0, 0};
  OK(p_ompd_get_task_frame(task, &exit, &reentry));
  return (struct frames){exit.address, reentry.address};
}
static uint64_t code_of(ompd_parallel_handle_t *region)
{
  ompd_address_t code = {0, 0};
  OK(p_ompd_get_parallel_function(region, &code));
  return code.address;
}
static uint64_t code_of_task(ompd_task_handle_t *task)
{
  ompd_address_t code = {0, 0};
  OK(p_ompd_get_task_function(task, &code));
  return code.address;
}
static int same_region(ompd_parallel_handle_t *one, ompd_parallel_handle_t *other)
{
  int order = 1;
  OK(p_ompd_parallel_handle_compare(one, other, &order));
  return order == 0;
}
static int same_task(ompd_task_handle_t *one, ompd_task_handle_t *other)
{
  int order = 1;
  OK(p_ompd_task_handle_compare(one, other, &order));
  return order == 0;
}

/* What the thread was told at the places that it came to, and what it knows. */
enum { REGION_BEGINS, REGION_ENDS, TASK_BEGINS, TASK_ENDS };
static int passed[4], entered, left;
static ompd_parallel_handle_t *region_at[2];
static ompd_task_handle_t *task_at[4], *encountering, *running;
static uint64_t region_code[2], task_code[2], team_size, stack_at[2];
static struct frames frames_at[2];

static void at_place(int place)
{
  char here;
  pthread_mutex_lock(&asking);
  passed[place]++;
  task_at[place] = own_task();
  if (place <= REGION_ENDS) {
    ompd_tword_t size = -1;
    region_at[place] = own_region();
    region_code[place] = code_of(region_at[place]);
    frames_at[place] = frames_of(task_at[place]);
    stack_at[place] = (uint64_t)&here;
    OK(p_ompd_get_icv_from_scope(region_at[place], size_scope, size_id, &size));
    if (place == REGION_BEGINS) team_size = size;
    RULE(__atomic_load_n(&entered, __ATOMIC_SEQ_CST) == left, "a member is in the region");
  } else {
    task_code[place - TASK_BEGINS] = code_of_task(task_at[place]);
    if (place == TASK_ENDS && running) RULE(same_task(task_at[place], running), "another ends");
  }
  pthread_mutex_unlock(&asking);
}

/* A region of so many threads, made by the calling task, whose frames are known. */
__attribute__((noinline)) static void region(int threads, int level)
{
  uint64_t frame = (uint64_t)__builtin_frame_address(0), code = 0;
  int begins = passed[REGION_BEGINS], ends = passed[REGION_ENDS];
  ompd_parallel_handle_t *inside = NULL;
  struct frames before;
  encountering = own_task();
  before = frames_of(encountering);
#pragma omp parallel num_threads(threads)
  {
    __atomic_add_fetch(&entered, 1, __ATOMIC_SEQ_CST);
#pragma omp master
    {
      ALONE(inside = own_region(); code = code_of(inside));
      RULE(passed[REGION_BEGINS] == begins + 1 && passed[REGION_ENDS] == ends, "places");
      RULE(same_region(inside, region_at[REGION_BEGINS]), "another region begins");
    }
#pragma omp barrier
    __atomic_add_fetch(&left, 1, __ATOMIC_SEQ_CST);
  }
  RULE(passed[REGION_BEGINS] == begins + 1 && passed[REGION_ENDS] == ends + 1, "once for each");
  RULE(region_code[REGION_BEGINS] == code && region_code[REGION_ENDS] == code && code, "code");
  RULE(team_size == (uint64_t)threads, "%lu threads", (unsigned long)team_size);
  for (int place = REGION_BEGINS; place <= REGION_ENDS; place++) {
    struct frames at = frames_at[place];
    RULE(same_task(task_at[place], encountering), "not the encountering task, place %d", place);
    RULE(at.exit == before.exit && (at.exit != 0) == (level > 0), "exit, place %d", place);
    RULE(at.reentry > stack_at[place] && at.reentry <= frame, "reentry, place %d", place);
  }
  RULE(frames_at[0].reentry == frames_at[1].reentry, "two reentries");
}

int main(void)
{
  static const char *const names[] = {"ompd_bp_parallel_begin", "ompd_bp_parallel_end",
                                      "ompd_bp_task_begin", "ompd_bp_task_end"};
  omp_get_max_threads();
  omp_set_max_active_levels(2);
  load();
  for (int i = 0; i < 4; i++) plant((uint64_t)dlsym(RTLD_DEFAULT, names[i]));
  region(3, 0);
  region(2, 0);
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    region(3, 1);
#pragma omp barrier
#pragma omp master
    {
      ompd_task_handle_t *around = own_task();
      uint64_t code = 0;
#pragma omp task if (0) shared(code)
      {
        running = own_task();
        code = code_of_task(running);
        RULE(passed[TASK_BEGINS] == 1 && passed[TASK_ENDS] == 0, "the task's places");
        RULE(same_task(running, task_at[TASK_BEGINS]), "another task begins");
        RULE(!same_task(running, around), "the task around");
      }
      RULE(passed[TASK_ENDS] == 1 && task_code[1] == code, "another task ends");
      RULE(task_code[0] == code && code, "the task's code");
      running = NULL;
      for (int i = 0; i < 9; i++) {
#pragma omp task
        __atomic_add_fetch(&team_size, 1, __ATOMIC_SEQ_CST);
      }
    }
  }
  RULE(passed[TASK_BEGINS] == 10 && passed[TASK_ENDS] == 10, "%d tasks", passed[TASK_BEGINS]);
  RULE(passed[REGION_BEGINS] == 4 && passed[REGION_ENDS] == 4, "%d regions", passed[0]);
  return end();
}
