//! What a tool may ask: programs with a tool of their own, which records the answers itself.

use super::Row;
use crate::stream::{Stream, hold};

/// The tool, which tells `name value=number`; a program defines `started`, which initialises it,
/// and says by its value whether the tool stays.
macro_rules! with_tool {
    ($body:literal) => {
        concat!(
            "#include <stdint.h>\n#include <string.h>
typedef void (*entry)(void);\ntypedef entry (*lookup_t)(const char *);
static lookup_t lookup;\nstatic FILE *out;
static void say(const char *name, long value) { fprintf(out, \"%s value=%ld\\n\
             \", name, value); fflush(out); }
static int started(void);
static int begin(lookup_t found, int device, void *data) { lookup = found;
 out = fopen(getenv(\"OMPHALOS_RECORD_OUT\"), \"w\"); return started(); }
static void over(void *data) { fputs(\"end\\n\", out); fflush(out); }
struct tool { int (*begin)(lookup_t, int, void *); void (*over)(void *); uint64_t data; };
struct tool *ompt_start_tool(unsigned version, const char *runtime) {
 static struct tool tool = {begin, over, 0}; return &tool; }
",
            $body
        )
    };
}

/// The one number told under `name`.
fn told(stream: &Stream, name: &str) -> Result<i64, String> {
    let event = stream.exactly(1, name, &[])?[0];
    event.get("value").parse().map_err(|_| format!("no number: {event}"))
}

/// These names were told these numbers.
fn all(stream: &Stream, wanted: &[(&str, i64)]) -> Result<(), String> {
    wanted.iter().try_for_each(|(name, value)| match told(stream, name)? {
        found if found == *value => Ok(()),
        found => Err(format!("{name}: {found}, not {value}")),
    })
}

pub const ROWS: &[Row] = &[
    Row {
        name: "entry-points",
        section: "19.6.1",
        says: "all entry points of the host are found, those of devices and other names are not",
        events: &[],
        inlined: &[],
        program: with_tool!(
            "static const char *host[] = {\"enumerate_states\", \
            \"enumerate_mutex_impls\", \"set_callback\",
 \"get_callback\", \"get_thread_data\", \"get_num_procs\", \"get_num_places\", \
 \"get_place_proc_ids\", \"get_place_num\",
 \"get_partition_place_nums\", \"get_proc_id\", \"get_state\", \"get_parallel_info\", \
 \"get_task_info\", \"get_task_memory\",
 \"get_target_info\", \"get_num_devices\", \"get_unique_id\", \"finalize_tool\"};
static const char *other[] = {\"start_trace\", \"pause_trace\", \"flush_trace\", \"stop_trace\", \
            \"get_device_time\",
 \"get_record_ompt\", \"set_trace_ompt\", \"advance_buffer_cursor\", \"\", \"nothing\"};
static long count(const char **names, int size) { char name[64]; long found = 0;
 for (int i = 0; i < size; i++) { snprintf(name, sizeof name, \"ompt_%s\", names[i]); found += \
 lookup(name) != NULL; }
 return found; }
static int started(void) { say(\"host\", count(host, 19)); say(\"other\", count(other, 10)); \
            return 1; }
int main(void) {\n#pragma omp parallel num_threads(2)\n sink = 1;\n return 0; }"
        ),
        status: 0,
        check: |stream| all(stream, &[("host", 19), ("other", 0)]),
    },
    Row {
        name: "registration",
        section: "19.6.1.3",
        says: "what is registered is found again until it is removed; unknown numbers are an error",
        events: &[],
        inlined: &[],
        program: with_tool!(
            "static void heard(void) {}
static int started(void) { int (*set)(int, entry) = (void *)lookup(\"ompt_set_callback\");
 int (*get)(int, entry *) = (void *)lookup(\"ompt_get_callback\"); entry found = NULL;
 say(\"unknown\", set(0, heard) + set(-1, heard) + set(1000, heard));
 say(\"begun\", set(1, heard)); say(\"there\", get(1, &found) == 1 && found == heard); \
 say(\"removed\", set(1, NULL));
 say(\"gone\", get(1, &found)); return 1; }
int main(void) {\n#pragma omp parallel num_threads(2)\n sink = 1;\n return 0; }"
        ),
        status: 0,
        check: |stream| {
            all(stream, &[("unknown", 0), ("begun", 5), ("there", 1), ("removed", 5), ("gone", 0)])
        },
    },
    Row {
        name: "tool-declines",
        section: "19.2.3",
        says: "a tool whose initializer returns 0 hears nothing more",
        events: &[],
        inlined: &[],
        program: with_tool!(
            "static void heard(void) { say(\"heard\", 1); }
static int started(void) { int (*set)(int, entry) = (void *)lookup(\"ompt_set_callback\");
 set(1, heard); set(3, heard); return 0; }
int main(void) {\n#pragma omp parallel num_threads(2)\n sink = 1;\n return 0; }"
        ),
        status: 0,
        check: |stream| match (stream.ended, stream.events.first()) {
            (false, None) => Ok(()),
            (_, Some(event)) => hold(false, "was told", event),
            (true, None) => Err("was finalized".into()),
        },
    },
    Row {
        name: "tool-finalizes",
        section: "19.6.1.19",
        says: "ompt_finalize_tool ends the tool at once and for ever",
        events: &[],
        inlined: &[],
        program: with_tool!(
            "static void heard(void) { say(\"region\", 1); }
static int started(void) { int (*set)(int, entry) = (void *)lookup(\"ompt_set_callback\"); set(3, \
            heard); return 1; }
int main(void) {\n#pragma omp parallel num_threads(2)\n sink = 1;\n \
            lookup(\"ompt_finalize_tool\")();
 say(\"after\", 1);\n#pragma omp parallel num_threads(2)\n sink = 2;\n return 0; }"
        ),
        status: 0,
        check: |stream| {
            all(stream, &[("region", 1), ("after", 1)])?;
            if stream.ended { Ok(()) } else { Err("the tool was not told of its end".into()) }
        },
    },
    Row {
        name: "processors-early",
        section: "19.6.1.6",
        says: "processors and places are known before the first region, an array is not overrun",
        events: &[],
        inlined: &[],
        program: with_tool!(
            "static int started(void) { return 1; }
__attribute__((noinline)) static void ask(void) { int nums[] = {-7, -7};
 int (*procs)(void) = (void *)lookup(\"ompt_get_num_procs\"), (*places)(void) = (void \
 *)lookup(\"ompt_get_num_places\");
 int (*ids)(int, int, int *) = (void *)lookup(\"ompt_get_place_proc_ids\");
 int (*partition)(int, int *) = (void *)lookup(\"ompt_get_partition_place_nums\");
 say(\"procs\", procs() == omp_get_num_procs()); say(\"places\", places() > 0 && places() == \
 omp_get_num_places());
 say(\"ids\", ids(0, 0, NULL) >= 1); say(\"partition\", partition(1, nums)); say(\"beyond\", \
 nums[1]); }
int main(int count, char **words) { if (!getenv(\"OMP_PLACES\")) { setenv(\"OMP_PLACES\", \
            \"threads\", 1);
 execv(\"/proc/self/exe\", words); } omp_get_max_threads(); ask(); return 0; }"
        ),
        status: 0,
        check: |stream| {
            all(stream, &[("procs", 1), ("places", 1), ("ids", 1), ("beyond", -7)])?;
            if told(stream, "partition")? > 0 { Ok(()) } else { Err("an empty partition".into()) }
        },
    },
    Row {
        name: "levels",
        section: "19.6.1.13",
        says: "regions and tasks around a thread, each level with its team's size and its flags",
        events: &[],
        inlined: &[],
        program: with_tool!(
            "static int started(void) { return 1; }
int main(void) {\n#pragma omp parallel num_threads(2)\n \
            if (omp_get_thread_num() == 1) { void *word, *frame, *region; int number, flags;
 int (*around)(int, void **, int *) = (void *)lookup(\"ompt_get_parallel_info\");
 int (*task)(int, int *, void **, void **, void **, int *) = (void *)lookup(\"ompt_get_task_info\");
 say(\"inner\", around(0, &word, &number)); say(\"inner-size\", number);
 say(\"outer\", around(1, &word, &number)); say(\"outer-size\", number); say(\"none\", around(2, \
 &word, &number));
 say(\"implicit\", task(0, &flags, &word, &frame, &region, &number)); say(\"implicit-flag\", flags \
 & 15); say(\"number\", number);
 say(\"initial\", task(1, &flags, &word, &frame, &region, &number)); say(\"initial-flag\", flags & \
 15);
 say(\"no-task\", task(2, &flags, &word, &frame, &region, &number)); say(\"nulls\", task(0, 0, 0, \
 0, 0, 0)); }\n return 0; }"
        ),
        status: 0,
        check: |stream| {
            all(
                stream,
                &[("inner", 2), ("inner-size", 2), ("outer", 2), ("outer-size", 1), ("none", 0)],
            )?;
            all(stream, &[("implicit", 2), ("implicit-flag", 2), ("number", 1), ("initial", 2)])?;
            all(stream, &[("initial-flag", 1), ("no-task", 0), ("nulls", 2)])
        },
    },
    Row {
        name: "states-enumerated",
        section: "19.6.1.1",
        says: "the states are told one after the other, from the undefined one on, by their names",
        events: &[],
        inlined: &[],
        program: with_tool!(
            "static int started(void) { int (*next)(int, int *, const char **) = \
            (void *)lookup(\"ompt_enumerate_states\");
 int state = 0x102, count = 0; const char *name; long seen = 0;
 while (count < 1000 && next(state, &state, &name)) { count++;
 seen += (state == 0 && !strcmp(name, \"ompt_state_work_serial\")) + (state == 1 && !strcmp(name, \
 \"ompt_state_work_parallel\"))
 + (state == 0x14 && !strcmp(name, \"ompt_state_wait_barrier_explicit\")) + (state == 0x100 && \
 !strcmp(name, \"ompt_state_idle\")); }
 say(\"ends\", count < 1000); say(\"seen\", seen); return 1; }
int main(void) {\n#pragma omp parallel num_threads(2)\n sink = 1;\n return 0; }"
        ),
        status: 0,
        check: |stream| all(stream, &[("ends", 1), ("seen", 4)]),
    },
    Row {
        name: "unique-ids",
        section: "19.6.1.18",
        says: "no id is given twice, on no thread",
        events: &[],
        inlined: &[],
        program: with_tool!(
            "static int started(void) { return 1; }\nstatic uint64_t ids[2][100];
int main(void) {\n#pragma omp parallel num_threads(2)\n for (int i = 0; i < 100; i++)
 ids[omp_get_thread_num()][i] = ((uint64_t (*)(void))lookup(\"ompt_get_unique_id\"))();
 long equal = 0, *all = (long *)ids; for (int i = 0; i < 200; i++) for (int j = 0; j < i; j++) \
 equal += all[i] == all[j];
 say(\"equal\", equal); return 0; }"
        ),
        status: 0,
        check: |stream| all(stream, &[("equal", 0)]),
    },
    Row {
        name: "task-memory",
        section: "19.6.1.15",
        says: "an explicit task's own data has a place and a size",
        events: &[],
        inlined: &[],
        program: with_tool!(
            "static int started(void) { return 1; }
int main(void) { int x = 7;\n#pragma omp parallel num_threads(2)\n#pragma omp single\n\
            #pragma omp task firstprivate(x)
 { void *at = NULL; size_t size = 0; sink = x; ((int (*)(void **, size_t *, \
 int))lookup(\"ompt_get_task_memory\"))(&at, &size, 0);
 say(\"block\", at != NULL && size >= sizeof x); }\n return 0; }"
        ),
        status: 0,
        check: |stream| all(stream, &[("block", 1)]),
    },
    Row {
        name: "target-information",
        section: "19.6.1.16",
        says: "a thread in a target region is told so, also on the host, and not outside",
        events: &[],
        inlined: &["clang"],
        program: with_tool!(
            "static int started(void) { return 1; }
static long inside(void) { uint64_t device, target = 0, operation;
 long answer = ((int (*)(uint64_t *, uint64_t *, uint64_t \
 *))lookup(\"ompt_get_target_info\"))(&device, &target, &operation);
 return answer == 1 ? target != 0 : -answer; }
int main(void) { long answer = -1;\n#pragma omp parallel num_threads(2)\n sink = 1;\n \
            say(\"before\", inside());
#pragma omp target map(from: answer)\n answer = inside();\n \
            say(\"inside\", answer); say(\"after\", inside()); return 0; }"
        ),
        status: 0,
        check: |stream| all(stream, &[("before", 0), ("inside", 1), ("after", 0)]),
    },
];
