/*
 * Target constructs (2016): what ompt_get_target_info says outside and between operations, the
 * addresses and the length of data operations, the teams of a region, the type of a target task.
 * To be run with devices that the host plays, for compilers that make code for them.
 */
#include "says.h"
#include <ompt-2016.h>
#include <stdlib.h>

static ompt_get_target_info_t get_target_info;
static int targets, allocated, freed, teams_told, maps;
static struct { void *host, *device; size_t bytes; uint32_t flags; } mapped[8];
static void *on_device;

static void on_target(int32_t device, ompt_target_type_t kind, ompt_data_t *task,
                      ompt_scope_endpoint_t endpoint, ompt_id_t id, const void *ra)
{
  ompt_id_t now = 7, operation = 7;
  (void)device; (void)kind; (void)task; (void)endpoint; (void)ra;
  targets++;
  says(get_target_info(&now, &operation) && now == id, "the target construct");
  says(operation == 0, "no operation is in progress: %lu", (unsigned long)operation);
}
static void on_data(ompt_id_t target, ompt_id_t id, ompt_target_data_op_t op, void *host,
                    void *device, size_t bytes)
{
  ompt_id_t now = 7, operation = 7;
  says(get_target_info(&now, &operation) && now == target && operation == id, "an operation");
  says(device != 0 && bytes != 0, "a device address and bytes of operation %d", op);
  if (op == ompt_target_data_alloc) {
    says(host != 0, "a host address of an allocation");
    allocated++;
    on_device = device;
  } else if (op == ompt_target_data_delete) {
    freed++;
    says(device == on_device, "what was allocated is deleted");
    says(host != 0, "a host address of a deletion");
  }
}
static void on_map(ompt_id_t target, uint32_t count, void **host, void **device, size_t *bytes,
                   uint32_t *flags)
{
  (void)target;
  for (uint32_t i = 0; i < count && maps < 8; i++, maps++) {
    mapped[maps].host = host[i];
    mapped[maps].device = device[i];
    mapped[maps].bytes = bytes[i];
    mapped[maps].flags = flags[i];
  }
}
static void on_submit(ompt_id_t target, ompt_id_t id, uint32_t requested, uint32_t granted)
{
  (void)target; (void)id; (void)granted;
  teams_told = (int)requested;
}
static int made, dependents;
static void on_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *task,
                      ompt_task_type_t type, ompt_bool_t dependent, const void *ra)
{
  (void)parent; (void)frame; (void)task; (void)ra;
  dependents += dependent;
  says(type == ompt_task_target, "target nowait makes a target task: %d", type);
  made++;
}
static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
  (void)runtime; (void)version;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  lookup("ompt_get_thread_data");
  get_target_info = (ompt_get_target_info_t)lookup("ompt_get_target_info");
  set(ompt_event_target, (ompt_callback_t)on_target);
  set(ompt_event_target_data, (ompt_callback_t)on_data);
  set(ompt_event_target_data_map, (ompt_callback_t)on_map);
  set(ompt_event_target_submit, (ompt_callback_t)on_submit);
  set(ompt_event_task_create, (ompt_callback_t)on_create);
}
ompt_initialize_fn_t *ompt_tool(void) { return initialize; }

/* What a construct has mapped, it unmaps: the same item, which comes back or is released. */
static void unmapped(const void *host, size_t bytes, uint32_t at_begin, uint32_t at_end)
{
  says(maps == 2, "mapped and unmapped: %d", maps);
  for (int i = 0; i < 2; i++) {
    says(mapped[i].host == host && mapped[i].bytes == bytes, "the item: %zu", mapped[i].bytes);
    says(mapped[i].device == mapped[0].device && mapped[i].device, "where it is on the device");
    says(mapped[i].flags == (i ? at_end : at_begin), "flags %#x", mapped[i].flags);
  }
  maps = 0;
}

int main(void)
{
  int a[10] = {0};
#pragma omp parallel num_threads(1)
  a[1]++;
  ompt_id_t target = 7, operation = 7;
  int there = get_target_info(&target, &operation);
  says(!there && target == 0 && operation == 0, "outside there is none");
#pragma omp target map(tofrom : a)
  a[0]++;
#ifndef __clang__
  unmapped(a, sizeof a, ompt_target_map_flag_to | ompt_target_map_flag_from,
           ompt_target_map_flag_from);
  if (getenv("OMPHALOS_DEVICES")) {
#pragma omp target data map(to : a)
    on_device = mapped[0].device;
    unmapped(a, sizeof a, ompt_target_map_flag_to, ompt_target_map_flag_release);
    targets -= 4, allocated--, freed--;
  }
  says(targets == 2, "a construct begins and ends: %d", targets);
  int *block = a;
#pragma omp target enter data map(to : a)
  maps = 0;
#pragma omp target
  block[2]++;
  says(maps == 0, "a pointer into what is mapped maps and unmaps nothing: %d", maps);
#pragma omp target exit data map(from : a)
  maps = 0;
  if (getenv("OMPHALOS_DEVICES")) allocated--, freed--;
  if (getenv("OMPHALOS_DEVICES"))
    says(allocated == 1 && freed == 1, "one block: %d, %d", allocated, freed);
#pragma omp target teams num_teams(3)
  ;
  says(teams_told == 3, "teams as the construct asks: %d", teams_told);
#endif
#pragma omp target nowait
  ;
#pragma omp target nowait depend(inout : a)
  ;
#pragma omp taskwait
  says(made == 2 && dependents == 1, "%d target tasks, %d with dependences", made, dependents);
  return 0;
}
