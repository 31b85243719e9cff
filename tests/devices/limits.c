// What each device's initial task has of ICVs, the host's last; then what a region sets for its
// device.
#include <omp.h>
#include <stdio.h>

enum { COUNT = 8 };

static void ask(int *all) {
  omp_sched_t kind;
  all[0] = omp_get_max_threads();
  all[1] = omp_get_dynamic();
  omp_get_schedule(&kind, &all[3]);
  all[2] = kind & 0xff;
  all[4] = omp_get_thread_limit();
  all[5] = omp_get_max_active_levels();
  all[6] = omp_get_max_teams();
  all[7] = omp_get_teams_thread_limit();
}

int main(void) {
  for (int device = 0; device <= omp_get_num_devices(); device++) {
    int all[COUNT];
#pragma omp target device(device) map(from : all)
    ask(all);
    printf("threads %d, dynamic %d, schedule %d %d, limit %d, levels %d, teams %d %d\n", all[0],
           all[1], all[2], all[3], all[4], all[5], all[6], all[7]);
  }
  int first[2], then[2];
#pragma omp target map(from : first)
  {
    omp_set_num_teams(5);
    omp_set_teams_thread_limit(6);
    first[0] = omp_get_max_teams();
    first[1] = omp_get_teams_thread_limit();
  }
#pragma omp target map(from : then)
  {
    then[0] = omp_get_max_teams();
    then[1] = omp_get_teams_thread_limit();
  }
  printf("on the device %d and %d, then %d %d there and %d %d here\n", first[0], first[1], then[0],
         then[1], omp_get_max_teams(), omp_get_teams_thread_limit());
  return 0;
}
