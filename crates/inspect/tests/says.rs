//! What is said of programs in which nothing blocks for good.

use omphalos_inspect::text;
use omphalos_ompd_view::snapshot::{Frame, Os, Snapshot, Team, Thread, Wait};

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

/// One iteration is long: the others wait for its thread, which computes in the C library.
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
                  thread 0, thread 1: waits at the end of the region at app.c:7 in main for \
                  member 2.\n";
    assert_eq!(said, wanted);
    // It may wait, or compute what it has computed before.
    let mut again = now.clone();
    again.threads[2].calls = vec!["pthread_spin_lock".to_owned()];
    again.threads[2].unchanged = 8;
    let said = text::why(&[], Some(&again), &again, 1.0);
    let wanted = "thread 2 runs at app.c:8 in main, in pthread_spin_lock: in 8 looks its registers \
                  and its stack were as before.\n";
    assert!(said.contains(wanted), "{said}");
}
