//! Reads tasks: queued, waiting, detached; and waits for them.

use super::*;

static RAN: AtomicI32 = AtomicI32::new(0);
static EVENT: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn task(_data: *mut c_void) {
    RAN.fetch_add(1, SeqCst);
}

#[test]
fn tasks_that_are_queued_that_wait_and_that_are_detached() {
    let _one = ONE_AT_A_TIME.lock().unwrap();
    let go_on = AtomicBool::new(false);
    let mut variable = 0u64;
    let variable = &raw mut variable as usize;
    let function = task as *const c_void as u64;
    RAN.store(0, SeqCst);
    parallel(2, |num| {
        if num == 1 {
            // This member is busy and takes no tasks.
            until("the tasks are not seen", || go_on.load(SeqCst));
            return;
        }
        let make = |flags, depend: *mut *mut c_void, event: *mut c_void| {
            // SAFETY: the task uses no data.
            unsafe {
                GOMP_task(
                    task,
                    core::ptr::null_mut(),
                    core::ptr::null(),
                    0,
                    1,
                    true,
                    flags,
                    depend,
                    0,
                    event,
                )
            };
        };
        // 2 dependences, 1 of them out; then 1, none out.
        let mut out =
            [without_provenance_mut(1), without_provenance_mut(1), variable as *mut c_void];
        let mut input = [without_provenance_mut(1), core::ptr::null_mut(), variable as *mut c_void];
        for _ in 0..5 {
            make(0, core::ptr::null_mut(), core::ptr::null_mut());
        }
        make(8, out.as_mut_ptr(), core::ptr::null_mut());
        make(8, input.as_mut_ptr(), core::ptr::null_mut());
        make(8, input.as_mut_ptr(), core::ptr::null_mut());
        let seen = Runtime::find(&Own).unwrap().snapshot();
        let mine: Vec<_> = seen.tasks.iter().filter(|task| task.function == function).collect();
        let in_state = |state: &str| mine.iter().filter(|t| t.state == state).count();
        assert_eq!((mine.len(), in_state("queued"), in_state("waits")), (8, 6, 2), "{mine:#?}");
        let waiting: Vec<_> = mine.iter().filter(|task| task.state == "waits").collect();
        assert_eq!(waiting[0].depends_on.len(), 1);
        assert_eq!(waiting[0].depends_on, waiting[1].depends_on);
        let me = member(&seen, 0);
        assert!(mine.iter().all(|task| task.parent == me.task && task.team == me.team));
        let team = seen.teams.iter().find(|team| Some(team.address) == me.team).unwrap();
        assert_eq!(team.queued_tasks, 6);
        let implicit = seen.tasks.iter().find(|task| Some(task.address) == me.task).unwrap();
        assert_eq!((implicit.children, implicit.state.as_str()), (8, "executing"));
        // SAFETY: in a task.
        unsafe { GOMP_taskwait() };
        assert_eq!(RAN.load(SeqCst), 8);
        let seen = Runtime::find(&Own).unwrap().snapshot();
        assert!(!seen.tasks.iter().any(|task| task.function == function), "{:#?}", seen.tasks);

        // A detached task: its event is fulfilled at the end of this test.
        make(1 << 13, core::ptr::null_mut(), EVENT.as_ptr().cast());
        go_on.store(true, SeqCst);
        until("the task has not run", || RAN.load(SeqCst) == 9);
        let mut detached = None;
        until("the task is not detached", || {
            let seen = Runtime::find(&Own).unwrap().snapshot();
            detached = seen.tasks.iter().find(|task| task.function == function).cloned();
            detached.as_ref().is_some_and(|task| task.state == "detached")
        });
        // SAFETY: the event of a task that is not complete.
        unsafe { omp_fulfill_event(EVENT.load(SeqCst)) };
    });
}

static BEGUN: AtomicI32 = AtomicI32::new(0);
static SEEN: AtomicI32 = AtomicI32::new(0);

/// Executed by thread 1 while thread 0 waits for it in three ways.
unsafe extern "C" fn waited_for(_data: *mut c_void) {
    let phase = BEGUN.fetch_add(1, SeqCst);
    let seen = when(0, |wait| match phase {
        0 => matches!(wait, Wait::Taskwait { .. }),
        1 => matches!(wait, Wait::Taskgroup { left: Some(1), .. }),
        _ => matches!(wait, Wait::Dependences { on } if on.len() == 1),
    });
    let (me, waiting) = (member(&seen, 1), member(&seen, 0));
    let task = seen.tasks.iter().find(|task| Some(task.address) == me.task).unwrap();
    assert_eq!((task.state.as_str(), task.parent), ("executing", waiting.task));
    assert_eq!(task.thread, Some(me.record));
    match waiting.waits.as_ref().unwrap() {
        Wait::Dependences { on } => assert_eq!(on, &[task.address]),
        Wait::Taskwait { task } | Wait::Taskgroup { task, .. } => {
            assert_eq!(Some(*task), waiting.task);
        }
        other => panic!("{other:?}"),
    }
    let runtime = Runtime::find(&Own).unwrap();
    let scheduling = runtime.task(task.address).scheduling().unwrap().unwrap();
    let team = runtime.team(me.team.unwrap());
    assert_eq!(scheduling.address, team.task(1).unwrap().address);
    SEEN.fetch_add(1, SeqCst);
}

#[test]
fn for_which_tasks_a_thread_waits() {
    let _one = ONE_AT_A_TIME.lock().unwrap();
    let mut variable = 0u64;
    let variable = &raw mut variable as usize;
    parallel(2, |num| {
        if num == 1 {
            // SAFETY: both come.
            return unsafe { GOMP_barrier() };
        }
        let make = |phase| {
            let mut depend =
                [without_provenance_mut(1), without_provenance_mut(1), variable as *mut c_void];
            // SAFETY: the task uses no data.
            unsafe {
                GOMP_task(
                    waited_for,
                    core::ptr::null_mut(),
                    core::ptr::null(),
                    0,
                    1,
                    true,
                    8,
                    depend.as_mut_ptr(),
                    0,
                    core::ptr::null_mut(),
                );
            }
            until("the task does not begin", || BEGUN.load(SeqCst) > phase);
        };
        // SAFETY: in a task; groups are ended.
        unsafe {
            make(0);
            GOMP_taskwait();
            GOMP_taskgroup_start();
            make(1);
            GOMP_taskgroup_end();
            make(2);
            let mut depend =
                [without_provenance_mut(1), core::ptr::null_mut(), variable as *mut c_void];
            GOMP_taskwait_depend(depend.as_mut_ptr());
            assert_eq!(SEEN.load(SeqCst), 3);
            GOMP_barrier();
        }
    });
}
