//! Texts about programs in which nothing blocks for good.

use omphalos_inspect::look::Look;
use omphalos_inspect::text;
use omphalos_ompd_view::snapshot::{Awaits, Frame, Os, Snapshot, Task, Team, Thread, Wait};

fn frame(function: &str, module: &str, file: &str, line: u32) -> Frame {
    let own = |text: &str| text.to_owned();
    Frame {
        function: own(function),
        module: own(module),
        file: Some(own(file)),
        line: Some(line),
        ..Frame::default()
    }
}

/// One iteration is long: the other threads wait for its thread, which computes in the C library.
#[test]
fn a_slow_program_says_who_waits_for_whom() {
    let thread = |number: u32| Thread {
        lwp: 100 + number,
        record: 200 + u64::from(number),
        number: Some(number as i32),
        thread_num: Some(number),
        team: Some(7),
        ..Thread::default()
    };
    let waits = || {
        let (kind, missing) = ("region".to_owned(), vec![2]);
        Some(Wait::Barrier { kind, team: 7, missing, for_tasks: false })
    };
    let running = Thread {
        os: Some(Os { state: "R".to_owned(), ..Os::default() }),
        stack: vec![
            frame("do_sin", "libm.so.6", "s_sin.c", 142),
            frame("sin", "libm.so.6", "s_sin.c", 242),
            frame("main", "app", "app.c", 8),
        ],
        ..thread(2)
    };
    let team = Team {
        address: 7,
        parent: Some(6),
        members: vec![200, 201, 202],
        location: Some("region at app.c:7 in main".to_owned()),
        ..Team::default()
    };
    let now = Snapshot {
        threads: vec![
            Thread { waits: waits(), ..thread(0) },
            Thread { waits: waits(), ..thread(1) },
            running,
        ],
        teams: vec![team],
        ..Snapshot::default()
    };
    let said = text::why(&[], Some(&now), &now, 1.0);
    let wanted = "Nothing blocks the program for good, as far as can be seen.\n\
                  thread 2 runs at app.c:8 in main.\n\
                  thread 0, thread 1: wait at the end of the region at app.c:7 in main for \
                  member 2.\n";
    assert_eq!(said, wanted);
    // The thread may wait, or repeat an earlier computation.
    let mut again = now.clone();
    again.threads[2].calls = vec!["pthread_spin_lock".to_owned()];
    again.threads[2].unchanged = 8;
    let said = text::why(&[], Some(&again), &again, 1.0);
    let wanted = "thread 2 runs at app.c:8 in main, in pthread_spin_lock: in 8 looks its registers \
                  and its stack were as before.\n";
    assert!(said.contains(wanted), "{said}");
}

/// A core is one look: it cannot tell whether the change that a loop waits for comes.
#[test]
fn a_core_says_what_ends_a_loop() {
    let awaits = Awaits {
        what: "the variable 'flag'".to_owned(),
        place: Some("app.c:9".to_owned()),
        ..Awaits::default()
    };
    let thread = Thread {
        number: Some(0),
        os: Some(Os { state: "R".to_owned(), ..Os::default() }),
        stack: vec![frame("main", "app", "app.c", 8)],
        awaits: Some(awaits),
        ..Thread::default()
    };
    let core = Snapshot { threads: vec![thread], ..Snapshot::default() };
    let said = text::why(&[], None, &core, 0.0);
    let wanted = "thread 0 runs at app.c:8 in main, in a loop that ends only if the variable \
                  'flag' changes (read at app.c:9); whether it does, one look cannot tell.\n";
    assert!(said.contains(wanted), "{said}");
}

/// Settings that make constructs do nothing are reasons.
#[test]
fn settings_are_reasons() {
    let thread = Thread {
        number: Some(1),
        cancels: vec!["GOMP_cancellation_point (app.c:9)".to_owned()],
        ..Thread::default()
    };
    let team = Team {
        size: 1,
        level: 2,
        active_level: 1,
        max_active_levels: Some(1),
        location: Some("region at app.c:7 in inner".to_owned()),
        ..Team::default()
    };
    let now = Snapshot {
        cancellation: Some(false),
        threads: vec![thread],
        teams: vec![team],
        ..Snapshot::default()
    };
    let said = text::why(&[], Some(&now), &now, 1.0);
    assert!(said.contains("thread 1's code has GOMP_cancellation_point (app.c:9)"), "{said}");
    assert!(said.contains("The region at app.c:7 in inner has one thread, whatever"), "{said}");
    let on = Snapshot { cancellation: Some(true), teams: Vec::new(), ..now };
    assert!(!text::why(&[], Some(&on), &on, 1.0).contains("OMP_"));
}

/// Tasks that no thread executes are listed by the place at which they were made.
#[test]
fn tasks_that_nobody_executes_are_listed() {
    let task = |state: &str, shares: Option<u64>| Task {
        state: state.to_owned(),
        shares,
        location: Some("task at app.c:12 in main".to_owned()),
        ..Task::default()
    };
    let tasks = vec![task("queued", None), task("queued", Some(4)), task("detached", None)];
    let snapshot = Snapshot { tasks, ..Snapshot::default() };
    let look = Look { snapshot, ..Look::default() };
    let wanted = "tasks made at app.c:12 in main: 5 ready, 1 detached";
    assert!(text::threads(&look, false).contains(wanted), "{}", text::threads(&look, false));
}

/// Nobody goes on, and the runtime does not tell for whom the threads wait.
#[test]
fn a_program_whose_threads_all_wait_is_not_said_to_go_on() {
    let waits = |lwp: u32, line: u32, lock: u64| Thread {
        lwp,
        kind: "unnumbered".to_owned(),
        waits: Some(Wait::Lock { lock }),
        os: Some(Os { state: "S".to_owned(), ..Os::default() }),
        stack: vec![frame("main", "app", "app.c", line)],
        ..Thread::default()
    };
    let now = Snapshot {
        runtime: "GCC's runtime (libgomp.so.1)".to_owned(),
        threads: vec![waits(1, 8, 64), waits(2, 9, 72)],
        ..Snapshot::default()
    };
    assert_eq!(omphalos_why::explain(&now, Some(&now)), []);
    let said = text::why(&[], Some(&now), &now, 1.0);
    let wanted = "All threads wait, and none is seen to go on:\n\
                  LWP 1: waits at app.c:8 in main for the lock at 0x40.\n\
                  LWP 2: waits at app.c:9 in main for the lock at 0x48.\n";
    assert_eq!(said, wanted);
    // A thread that sleeps for a time is no such thread.
    let mut naps = now.clone();
    let what = String::new();
    naps.threads[1].waits = Some(Wait::Call { name: "clock_nanosleep".to_owned(), what });
    naps.threads[1].os.as_mut().unwrap().timed = true;
    let said = text::why(&[], Some(&naps), &naps, 1.0);
    assert!(said.starts_with("Nothing blocks"), "{said}");
}

/// Workers that do the same share one stack in the text.
#[test]
fn alike_workers_stand_together() {
    let worker = |number: i32, line: u32| Thread {
        number: Some(number),
        lwp: 100 + number as u32,
        kind: "worker".to_owned(),
        state_name: "ompt_state_work_parallel".to_owned(),
        stack: vec![frame("main", "app", "app.c", line)],
        ..Thread::default()
    };
    let threads = vec![worker(1, 8), worker(2, 8), worker(3, 9), worker(4, 8), worker(5, 8)];
    let snapshot = Snapshot { threads, ..Snapshot::default() };
    let look = Look { snapshot, ..Look::default() };
    let said = text::threads(&look, false);
    let wanted = "\nthread 1, thread 2, thread 4, thread 5 (LWPs 101, 102, 104, 105): work\n    \
                  #0  main at app.c:8\n\nthread 3 (LWP 103): works\n";
    assert!(said.contains(wanted), "{said}");
    assert_eq!(text::threads(&look, true).matches("app.c:8").count(), 4);
}
