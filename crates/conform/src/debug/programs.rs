//! Programs that only a debugger needs: threads that wait, ICVs that the program has changed, and
//! regions and tasks within one another. `omp_control_tool` is a callback where the program wants
//! one.

use crate::rows::Row;

const fn row(name: &'static str, says: &'static str, program: &'static str) -> Row {
    Row {
        name,
        section: "41",
        says,
        events: &[],
        inlined: &[],
        program,
        status: 0,
        check: |_| Ok(()),
    }
}

/// Before each program: `stop()`, for compilers too whose header and link library are older than
/// what it calls.
macro_rules! stopping {
    ($program:literal) => {
        concat!(
            "#undef _GNU_SOURCE\nvoid *dlsym(void *, const char *);
static void *volatile linked = (void *)omp_get_num_procs;
static void stop(void) { int (*call)(int, int, void *) = dlsym((void *)0, \"omp_control_tool\");
 if (call) call(3, 0, 0); }\n",
            $program
        )
    };
}

/// All of them.
pub const ROWS: &[Row] = &[
    row(
        "debug-waits",
        "threads wait for locks, a critical section, a barrier, tasks",
        stopping!(
            "static void wait_and_stop(void) { usleep(20000); stop(); }
int main(void) { omp_lock_t lock; omp_nest_lock_t nest;
 omp_init_lock(&lock); omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(4)\n { int me = omp_get_thread_num();
 if (me == 0) { omp_set_lock(&lock); omp_set_nest_lock(&nest); }\n#pragma omp barrier
 if (me == 0) {\n#pragma omp critical(held)\n wait_and_stop();
 wait_and_stop(); omp_unset_nest_lock(&nest); omp_unset_lock(&lock); }
 if (me == 1) { omp_set_lock(&lock); omp_unset_lock(&lock); }
 if (me == 2) { omp_set_nest_lock(&nest); omp_unset_nest_lock(&nest); }
 if (me == 3) { usleep(5000);\n#pragma omp critical(held)\n sink = 1; }
 if (me == 0) wait_and_stop();\n#pragma omp barrier\n if (me == 0) {
#pragma omp task\n { wait_and_stop(); }\n#pragma omp taskwait
 }\n }\n return 0; }"
        ),
    ),
    row(
        "debug-changed",
        "ICVs that the program has changed, in its tasks and around them",
        stopping!(
            "int main(void) { omp_set_num_threads(3); omp_set_dynamic(0);
 omp_set_schedule(omp_sched_guided, 5); omp_set_max_active_levels(2); omp_set_default_device(0);
 omp_set_affinity_format(\"other %n\"); stop();
#pragma omp parallel num_threads(2)\n { omp_set_num_threads(omp_get_thread_num() + 5); stop();
#pragma omp single\n {\n#pragma omp task final(1)
 { omp_set_schedule(omp_sched_static, 0); omp_set_dynamic(1);
 omp_set_num_threads(9); stop();\n#pragma omp task\n { stop(); }\n#pragma omp taskwait\n stop(); }
#pragma omp taskwait\n stop(); } }\n omp_set_schedule(omp_sched_auto, 3); stop(); return 0; }"
        ),
    ),
    row(
        "debug-deep",
        "regions, serialized ones and tasks within one another",
        stopping!(
            "static void down(int left) { if (left == 0) { stop(); return; }
#pragma omp task if(left & 1) untied\n { down(left - 1); stop(); }\n#pragma omp taskwait\n }
int main(void) {\n#pragma omp parallel num_threads(3)\n {
#pragma omp parallel num_threads(1)\n { stop();
#pragma omp parallel num_threads(2)\n {\n#pragma omp single\n down(3);\n stop(); }\n } }
#pragma omp taskloop num_tasks(3)\n for (int i = 0; i < 6; i++) stop();
#pragma omp teams num_teams(2)\n {\n#pragma omp parallel num_threads(2)\n {
#pragma omp single\n down(2); }\n }
 return 0; }"
        ),
    ),
];
