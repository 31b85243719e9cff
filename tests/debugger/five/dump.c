/* What each thread, region and task is, and every ICV of each. */
#include <stdio.h>
#include <string.h>

#include "five.h"

struct icv icvs[256];
int nicvs;
static char states[0x400][64];

void enumerate(void) {
  ompd_icv_id_t id = 0;
  for (int more = 1; more && nicvs < 256;) {
    const char *name;
    ompd_scope_t scope;
    OK(p_ompd_enumerate_icvs(space, id, &id, &name, &scope, &more));
    icvs[nicvs].id = id;
    icvs[nicvs].scope = scope;
    snprintf(icvs[nicvs++].name, 64, "%s", name);
    give_back((void *)name);
  }
  ompd_word_t state = 0x102;
  for (ompd_word_t more = 1; more;) {
    const char *name;
    OK(p_ompd_enumerate_states(space, state, &state, &name, &more));
    if (state >= 0 && state < 0x400) snprintf(states[state], 64, "%s", name);
    give_back((void *)name);
  }
}

static void dump_icvs(void *handle, ompd_scope_t scope) {
  for (int i = 0; i < nicvs; i++) {
    if (icvs[i].scope != scope) continue;
    ompd_word_t number = 0;
    const char *text = 0;
    ompd_rc_t of_number = p_ompd_get_icv_from_scope(handle, scope, icvs[i].id, &number);
    ompd_rc_t of_text = p_ompd_get_icv_string_from_scope(handle, scope, icvs[i].id, &text);
    printf("    %s = ", icvs[i].name);
    if (of_number == ompd_rc_ok || of_number == ompd_rc_incomplete)
      printf("%ld%s", (long)number, of_number == ompd_rc_ok ? "" : ", ...");
    else
      printf("code %d", of_number);
    if (of_text == ompd_rc_ok)
      printf(" \"%s\"\n", text), give_back((void *)text);
    else
      printf(" code %d\n", of_text);
  }
}

static void dump_data(void *handle, ompd_scope_t scope) {
  ompd_word_t value;
  ompd_address_t pointer;
  ompd_rc_t code = p_ompd_get_tool_data(handle, scope, &value, &pointer);
  if (code == ompd_rc_ok)
    printf("    data %ld\n", (long)value);
  else if (code != ompd_rc_unavailable)
    printf("WRONG: tool data: %d\n", code);
}

static void dump_task(ompd_task_handle_t *task, int depth) {
  ompd_address_t function;
  ompd_frame_info_t exit, enter;
  OK(p_ompd_get_task_function(task, &function));
  OK(p_ompd_get_task_frame(task, &exit, &enter));
  printf("  task %d: function %#lx, exit %#lx (%ld), enter %#lx (%ld)\n", depth, function.address,
         exit.frame_address.address, (long)exit.frame_flag, enter.frame_address.address,
         (long)enter.frame_flag);
  dump_icvs(task, ompd_scope_task);
  dump_data(task, ompd_scope_task);
  ompd_parallel_handle_t *region;
  OK(p_ompd_get_task_parallel_handle(task, &region));
  OK(p_ompd_rel_parallel_handle(region));
}

static void dump_tasks(ompd_thread_handle_t *thread) {
  ompd_task_handle_t *task, *next;
  if (p_ompd_get_curr_task_handle(thread, &task) != ompd_rc_ok) {
    printf("  no task\n");
    return;
  }
  for (int depth = 0; depth < 50; depth++) {
    dump_task(task, depth);
    ompd_task_handle_t *maker;
    ompd_rc_t made = p_ompd_get_generating_task_handle(task, &maker);
    ompd_rc_t code = p_ompd_get_scheduling_task_handle(task, &next);
    if (made == ompd_rc_ok) {
      int same = 2;
      if (code == ompd_rc_ok) OK(p_ompd_task_handle_compare(maker, next, &same));
      printf("    made by the interrupted one: %s\n", same == 0 ? "yes" : "no");
      OK(p_ompd_rel_task_handle(maker));
    }
    OK(p_ompd_rel_task_handle(task));
    if (code != ompd_rc_ok) {
      EXPECT(ompd_rc_unavailable, code);
      return;
    }
    task = next;
  }
  OK(p_ompd_rel_task_handle(task));
}

static void dump_regions(ompd_thread_handle_t *thread) {
  ompd_parallel_handle_t *region, *next;
  if (p_ompd_get_curr_parallel_handle(thread, &region) != ompd_rc_ok) {
    printf("  no region\n");
    return;
  }
  for (int depth = 0; depth < 50; depth++) {
    printf("  region %d:\n", depth);
    dump_icvs(region, ompd_scope_parallel);
    dump_data(region, ompd_scope_parallel);
    for (int num = 0;; num++) {
      ompd_thread_handle_t *member;
      ompd_task_handle_t *task;
      if (p_ompd_get_thread_in_parallel(region, num, &member) != ompd_rc_ok) {
        EXPECT(ompd_rc_bad_input, p_ompd_get_task_in_parallel(region, num, &task));
        break;
      }
      uint64_t pthread = 0;
      int lwp = 0, order;
      OK(p_ompd_get_thread_id(member, OMPD_THREAD_ID_PTHREAD, sizeof pthread, &pthread));
      OK(p_ompd_get_thread_id(member, OMPD_THREAD_ID_LWP, sizeof lwp, &lwp));
      OK(p_ompd_thread_handle_compare(member, thread, &order));
      OK(p_ompd_get_task_in_parallel(region, num, &task));
      ompd_address_t function;
      OK(p_ompd_get_task_function(task, &function));
      printf("    member %d: thread %d%s, function %#lx\n", num, lwp, order ? "" : " (itself)",
             function.address);
      OK(p_ompd_rel_task_handle(task));
      OK(p_ompd_rel_thread_handle(member));
    }
    ompd_rc_t code = p_ompd_get_enclosing_parallel_handle(region, &next);
    int order = 0;
    if (code == ompd_rc_ok) OK(p_ompd_parallel_handle_compare(region, next, &order));
    if (code == ompd_rc_ok && !order) printf("WRONG: a region around itself\n");
    OK(p_ompd_rel_parallel_handle(region));
    if (code != ompd_rc_ok) {
      EXPECT(ompd_rc_unavailable, code);
      return;
    }
    region = next;
  }
  OK(p_ompd_rel_parallel_handle(region));
}

void dump(void) {
  begin(201811);
  enumerate();
  ompd_word_t version;
  const char *text;
  OK(p_ompd_get_api_version(&version));
  OK(p_ompd_get_version_string(&text));
  printf("library %ld, %s\n", (long)version, text);
  OK(p_ompd_get_omp_version(space, &version));
  OK(p_ompd_get_omp_version_string(space, &text));
  printf("runtime %ld, %s\n", (long)version, text);
  give_back((void *)text);
  dump_icvs(space, ompd_scope_address_space);
  const char *const *settings;
  OK(p_ompd_get_display_control_vars(space, &settings));
  for (int i = 0; settings[i]; i++) printf("  %s\n", settings[i]);
  OK(p_ompd_rel_display_control_vars(&settings));
  ompd_thread_id_t *kinds;
  ompd_size_t *sizes;
  int count;
  OK(p_ompd_get_device_thread_id_kinds(space, &kinds, &sizes, &count));
  for (int i = 0; i < count; i++)
    printf("kind of threads %ld, %ld bytes\n", (long)kinds[i], (long)sizes[i]);
  give_back(kinds);
  give_back(sizes);
  int lwps[4096], nthreads = target_threads(lwps, 4096);
  for (int i = 0; i < nthreads; i++) {
    ompd_thread_handle_t *thread, *again;
    ompd_rc_t code =
        p_ompd_get_thread_handle(space, OMPD_THREAD_ID_LWP, sizeof lwps[i], &lwps[i], &thread);
    if (code != ompd_rc_ok) {
      EXPECT(ompd_rc_unavailable, code);
      printf("thread %d: not OpenMP's\n", lwps[i]);
      continue;
    }
    ompd_word_t state;
    ompd_wait_id_t wait;
    uint64_t pthread;
    int order;
    target_bytes();
    OK(p_ompd_get_state(thread, &state, &wait));
    if (target_bytes() > 1024) printf("WRONG: a state takes more than 1024 bytes to read\n");
    printf("thread %d: %s, waits for %#lx\n", lwps[i], state < 0x400 ? states[state] : "?",
           (long)wait);
    OK(p_ompd_get_thread_id(thread, OMPD_THREAD_ID_PTHREAD, sizeof pthread, &pthread));
    OK(p_ompd_get_thread_handle(space, OMPD_THREAD_ID_PTHREAD, sizeof pthread, &pthread, &again));
    OK(p_ompd_thread_handle_compare(thread, again, &order));
    if (order) printf("WRONG: two handles of a thread differ\n");
    OK(p_ompd_rel_thread_handle(again));
    ompd_address_space_handle_t *device;
    OK(p_ompd_get_device_from_thread(thread, &device));
    OK(p_ompd_get_omp_version(device, &version));
    OK(p_ompd_rel_address_space_handle(device)); /* the process stays */
    dump_icvs(thread, ompd_scope_thread);
    dump_data(thread, ompd_scope_thread);
    dump_regions(thread);
    dump_tasks(thread);
    OK(p_ompd_rel_thread_handle(thread));
  }
  OK(p_ompd_rel_address_space_handle(space));
  OK(p_ompd_finalize());
  printf("%ld pieces of memory left\n", allocated);
}
