/* Every construct, each in a function of its own that has the construct's name. */
static volatile int sink;
static int x, y;
static void use(int value) { sink = value; }

#define ONE(name, ...) static void name(void) { __VA_ARGS__ }
#define DO(directive) _Pragma(#directive)

ONE(task, DO(omp task) use(1);)
ONE(task_if0, DO(omp task if(0)) use(1);)
ONE(task_final, DO(omp task final(1)) use(1);)
ONE(task_untied, DO(omp task untied) use(1);)
ONE(task_mergeable, DO(omp task mergeable) use(1);)
ONE(task_priority, DO(omp task priority(3)) use(1);)
ONE(task_in, DO(omp task depend(in: x)) use(x);)
ONE(task_out, DO(omp task depend(out: x)) x = 1;)
ONE(task_out_if0, DO(omp task depend(out: x) if(0)) x = 1;)
ONE(task_set, DO(omp task depend(mutexinoutset: x)) x = 1;)
ONE(task_dag, DO(omp task depend(out : x)) x = 1; DO(omp task depend(in : x)) use(x);
    DO(omp taskwait))
ONE(task_nested, DO(omp task) { DO(omp task) use(1); DO(omp taskwait) })
ONE(task_two, DO(omp task) use(1); DO(omp task) use(2);)
ONE(task_region, DO(omp task) { DO(omp parallel) use(1); DO(omp task) use(2); })
static void task_copy(void) {
#ifdef __clang__
  int many[3];
#else
  /* What has no constant size is copied by a function. */
  int n = 3 + sink * 0, many[n];
#endif
  memset(many, 0, sizeof many);
#pragma omp task firstprivate(many)
  use(many[0]);
}
static void task_detach(void) {
  omp_event_handle_t event = 0;
#pragma omp task detach(event)
  omp_fulfill_event(event);
}
static void task_detach_late(void) {
  omp_event_handle_t event = 0, *kept = &event;
#pragma omp task detach(event) shared(kept)
  *kept = event;
  omp_fulfill_event(event);
}
ONE(taskloop, DO(omp taskloop) for (int i = 0; i < 3; i++) use(i);)
ONE(taskloop_grainsize, DO(omp taskloop grainsize(2)) for (int i = 0; i < 5; i++) use(i);)
ONE(taskloop_nogroup, DO(omp taskloop nogroup) for (int i = 0; i < 3; i++) use(i);)
ONE(taskloop_if0, DO(omp taskloop if(0)) for (int i = 0; i < 3; i++) use(i);)
ONE(taskloop_simd, DO(omp taskloop simd) for (int i = 0; i < 3; i++) use(i);)
ONE(taskloop_empty, DO(omp taskloop) for (int i = 0; i < sink * 0; i++) use(i);)
ONE(taskloop_ull, DO(omp taskloop) for (unsigned long long i = 0; i < 3; i++) use((int)i);)
ONE(taskloop_reduction, int s = 0;
    DO(omp taskloop reduction(+ : s)) for (int i = 0; i < 3; i++) s += i; use(s);)
ONE(taskgroup, DO(omp taskgroup) use(1);)
ONE(taskgroup_task, DO(omp taskgroup) { DO(omp task) use(1); })
ONE(
    taskgroup_reduction, int s = 0; DO(omp taskgroup task_reduction(+ : s)) {
      DO(omp task in_reduction(+ : s)) s++;
    } use(s);)
ONE(taskwait, DO(omp taskwait))
ONE(taskwait_depend, DO(omp taskwait depend(in: x)))
ONE(taskyield, DO(omp taskyield))
ONE(barrier, DO(omp barrier))
ONE(single, DO(omp single) use(1);)
ONE(single_nowait, DO(omp single nowait) use(1);)
ONE(
    single_copyprivate, int s; DO(omp parallel private(s)) {
      DO(omp single copyprivate(s)) s = 1;
      use(s);
    })
ONE(master, DO(omp master) use(1);)
ONE(critical, DO(omp critical) use(1);)
ONE(critical_named, DO(omp critical(named)) use(1);)
ONE(critical_hint, DO(omp critical(hinted) hint(omp_sync_hint_contended)) use(1);)
ONE(ordered, DO(omp for ordered) for (int i = 0; i < 3; i++) { DO(omp ordered) use(i); })
ONE(ordered_dynamic, DO(omp for ordered schedule(dynamic)) for (int i = 0; i < 3; i++) {
  DO(omp ordered) use(i); })
ONE(doacross, DO(omp for ordered(1)) for (int i = 0; i < 3; i++) {
  DO(omp ordered depend(sink : i - 1)) use(i);
  DO(omp ordered depend(source)) })
ONE(for_static, DO(omp for schedule(static)) for (int i = 0; i < 3; i++) use(i);)
ONE(for_static_chunk, DO(omp for schedule(static, 2)) for (int i = 0; i < 5; i++) use(i);)
ONE(for_dynamic, DO(omp for schedule(dynamic)) for (int i = 0; i < 3; i++) use(i);)
ONE(for_guided, DO(omp for schedule(guided)) for (int i = 0; i < 3; i++) use(i);)
ONE(for_runtime, DO(omp for schedule(runtime)) for (int i = 0; i < 3; i++) use(i);)
ONE(for_auto, DO(omp for schedule(auto)) for (int i = 0; i < 3; i++) use(i);)
ONE(for_monotonic, DO(omp for schedule(monotonic: dynamic)) for (int i = 0; i < 3; i++) use(i);)
ONE(for_ull, DO(omp for schedule(dynamic)) for (unsigned long long i = 0; i < 3; i++) use((int)i);)
ONE(
    for_reduction, int s = 0;
    DO(omp parallel reduction(+ : s)) { DO(omp for) for (int i = 0; i<3; i ++) s += i; } use(s);)
ONE(for_nowait, DO(omp for nowait schedule(dynamic)) for (int i = 0; i < 3; i++) use(i);)
ONE(loop, DO(omp parallel) { DO(omp loop) for (int i = 0; i < 3; i++) use(i); })
ONE(sections, DO(omp sections) { DO(omp section) use(1); DO(omp section) use(2); })
ONE(parallel, DO(omp parallel) use(1);)
ONE(parallel_if0, DO(omp parallel if(0)) use(1);)
ONE(parallel_one, DO(omp parallel num_threads(1)) use(1);)
ONE(parallel_bind, DO(omp parallel proc_bind(close)) use(1);)
ONE(parallel_for, DO(omp parallel for) for (int i = 0; i < 3; i++) use(i);)
ONE(parallel_for_dynamic,
    DO(omp parallel for schedule(dynamic)) for (int i = 0; i < 3; i++) use(i);)
ONE(
    parallel_sections, DO(omp parallel sections) {
      DO(omp section) use(1);
      DO(omp section) use(2);
    })
ONE(parallel_reduction, int s = 0; DO(omp parallel reduction(+: s)) s++; use(s);)
ONE(parallel_master, DO(omp parallel) { DO(omp master) use(1); })
ONE(parallel_taskloop, DO(omp parallel master taskloop) for (int i = 0; i < 3; i++) use(i);)
ONE(teams, DO(omp teams num_teams(1)) use(1);)
ONE(teams_distribute, DO(omp teams distribute num_teams(1)) for (int i = 0; i < 3; i++) use(i);)
ONE(teams_parallel,
    DO(omp teams distribute parallel for num_teams(1)) for (int i = 0; i < 3; i++) use(i);)
ONE(target, DO(omp target) use(1);)
ONE(target_teams, DO(omp target teams num_teams(1)) use(1);)
ONE(target_nowait, DO(omp target nowait depend(out: x)) use(1); DO(omp taskwait))
ONE(target_data, DO(omp target data map(tofrom: x)) use(1);)
ONE(target_enter, DO(omp target enter data map(to: x)) DO(omp target exit data map(from: x)))
ONE(target_update, DO(omp target update to(x)))
ONE(atomic, DO(omp atomic) x++;)
ONE(atomic_wide, static long double wide; DO(omp atomic) wide += 1; use((int)wide);)
ONE(flush, DO(omp flush))
#ifdef __clang__
ONE(atomic_complex, static double _Complex wide; DO(omp atomic) wide += 1; use((int)creal(wide));)
#endif
ONE(
    cancel, DO(omp parallel) {
      DO(omp cancel parallel if (sink > 99)) use(1);
      DO(omp cancellation point parallel) use(2);
    })
ONE(cancel_for, DO(omp for) for (int i = 0; i < 3; i++) { DO(omp cancel for) use(i); })
ONE(cancel_group, DO(omp taskgroup) { DO(omp task) { DO(omp cancel taskgroup) use(1); } })
ONE(depobj, omp_depend_t o; DO(omp depobj(o) depend(out: x)) DO(omp task depend(depobj: o)) use(1);
    DO(omp depobj(o) destroy))
