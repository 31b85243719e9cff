/* Versions, registration, and what is asked for outside of the initializer. */
static void start(void);
#define WHILE_STARTING start()
#include "tool.h"
#include <dlfcn.h>

int ompt_get_runtime_version_(char *buffer, int *length, size_t room);
static int started;

static void check(void) { RULE(started == 1, "started %d times", started); }

/* Vendor, number, dot, number, and features, each behind a dash. */
static int is_version(const char *text)
{
  char vendor[64], rest[64] = "";
  int major, minor;
  int parts = sscanf(text, "%63[A-Za-z]-%d.%d%63s", vendor, &major, &minor, rest);
  return parts == 3 || (parts == 4 && rest[0] == '-');
}

/* The numbers of the text are those of its order; its types are those of the callbacks. */
static void numbers(void)
{
  int number = 0;
#define NUMBER(kind, name) RULE(E(name) == ++number, #name);
  EVERY_EVENT(NUMBER)
  ompt_thread_callback_t of_thread = on_flush;
  ompt_parallel_callback_t of_task_and_region = on_loop_begin;
  ompt_new_parallel_callback_t of_new_region = on_parallel_create;
  ompt_task_callback_t of_task = on_task_exit;
  ompt_task_switch_callback_t of_switch = on_task_switch;
  ompt_new_task_callback_t of_new_task = on_task_create;
  ompt_wait_callback_t of_wait = on_wait_lock;
  ompt_control_callback_t of_control = on_control;
  RULE(of_thread && of_task_and_region && of_new_region && of_task && of_switch && of_new_task &&
           of_wait && of_control,
       "types");
  RULE(sizeof(ompt_data_t) == 8 && sizeof(ompt_frame_t) == 16, "sizes");
}

static void start(void)
{
  numbers();
  char whole[64], part[8], padded[32];
  int room = sizeof padded;
  started++;
  RULE(ompt_get_ompt_version() == 1, "version %d", ompt_get_ompt_version());
  int length = ompt_get_runtime_version(whole, sizeof whole);
  RULE(length == (int)strlen(whole) && is_version(whole), "%s", whole);
  memset(part, 'x', sizeof part);
  ompt_get_runtime_version(part, 5);
  RULE(strlen(part) == 4 && !strncmp(part, whole, 4) && part[5] == 'x', "%s", part);
  ompt_get_runtime_version(part, 0);
  RULE(part[0] == whole[0], "no room, and something is written");
  memset(padded, 'x', sizeof padded);
  ompt_get_runtime_version_(padded, &room, sizeof padded);
  RULE(!strncmp(padded, whole, length) && padded[room - 1] == ' ', "Fortran's text");
  RULE(dlsym(RTLD_DEFAULT, "ompt_get_runtime_version_"), "Fortran's name");
  static const char *const of_c[] = {"ompt_get_state_",        "ompt_get_thread_data_",
                                     "ompt_get_parallel_id_",  "ompt_get_task_data_",
                                     "ompt_get_task_frame_",   "ompt_set_callback_",
                                     "ompt_get_ompt_version_", "ompt_enumerate_state_"};
  for (int i = 0; i < 8; i++) RULE(!dlsym(RTLD_DEFAULT, of_c[i]), "%s is for Fortran", of_c[i]);
  /* A tool may ask what it has registered, take it back, and register it again. */
  ompt_callback_t found = NULL;
  RULE(ompt_get_callback(E(flush), &found) == 1 && found == (ompt_callback_t)on_flush, "get");
  ompt_set_callback(E(flush), NULL);
  RULE(ompt_get_callback(E(flush), &found) == 0, "taken back");
  RULE(ompt_set_callback(E(flush), (ompt_callback_t)on_flush) >= 2, "registered again");
  for (int event = 1; event < EVENTS; event++)
    RULE(answers[event] == 2 || answers[event] == 3, "event %d: %d", event, answers[event]);
  RULE(ompt_set_callback((ompt_event_t)0, (ompt_callback_t)on_flush) == 0, "no event");
  RULE(ompt_set_callback((ompt_event_t)58, (ompt_callback_t)on_flush) == 0, "no event");
  RULE(ompt_set_callback((ompt_event_t)-1, (ompt_callback_t)on_flush) == 0, "no event");
  RULE(ompt_get_callback((ompt_event_t)58, &found) == 0, "no event");
}

int main(void)
{
  ompt_callback_t found = NULL;
  omp_get_max_threads();
  RULE(ompt_get_callback(E(parallel_create), &found) == 1, "at any time");
  RULE(found == (ompt_callback_t)on_parallel_create, "another function");
  RULE(ompt_get_ompt_version() == 1, "at any time");
  return 0;
}
