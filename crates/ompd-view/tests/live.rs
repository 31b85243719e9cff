//! What is read of a running program: waits, tasks, ICVs. The one who looks is a member of the
//! team, which knows by its own means what the others do.

mod own;

use core::ffi::c_void;
use omphalos_ompd_view::icv::{self, Of, Scope};
use omphalos_ompd_view::snapshot::{Snapshot, Wait};
use omphalos_ompd_view::{Fault, Runtime, Target};
use own::*;
use std::ptr::without_provenance_mut;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering::SeqCst};

/// The tests share the process's one runtime.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The snapshot in which thread `num` of the calling thread's team waits as `wanted` says.
fn when(num: u32, wanted: impl Fn(&Wait) -> bool) -> Snapshot {
    let mut found = None;
    until("the wait is not seen", || {
        let snapshot = Runtime::find(&Own).unwrap().snapshot();
        // A new thread may not have begun.
        let thread = member_if_begun(&snapshot, num);
        if thread.is_some_and(|thread| thread.waits.as_ref().is_some_and(&wanted)) {
            found = Some(snapshot);
        }
        found.is_some()
    });
    found.unwrap()
}

/// Thread `num` of the team that the calling thread is in.
fn member(snapshot: &Snapshot, num: u32) -> &omphalos_ompd_view::snapshot::Thread {
    member_if_begun(snapshot, num).expect("the member")
}

fn member_if_begun(snapshot: &Snapshot, num: u32) -> Option<&omphalos_ompd_view::snapshot::Thread> {
    // SAFETY: asks for a number.
    let me = unsafe { libc::gettid() } as u32;
    let me = snapshot.threads.iter().find(|thread| thread.lwp == me).expect("the calling thread");
    let team = snapshot.teams.iter().find(|team| Some(team.address) == me.team).expect("its team");
    let record = team.members[num as usize];
    snapshot.threads.iter().find(|thread| thread.record == record)
}

#[test]
fn who_waits_for_a_lock_and_who_has_it() {
    let _one = ONE_AT_A_TIME.lock().unwrap();
    let (mut lock, mut nest) = (0u64, [0u64; 2]);
    let (lock, nest) = (&raw mut lock as usize, &raw mut nest as usize);
    let (lock_at, nest_at) = (lock as *mut c_void, nest as *mut c_void);
    // SAFETY: room for the locks.
    unsafe { omp_init_lock(lock_at) };
    // SAFETY: as above.
    unsafe { omp_init_nest_lock(nest_at) };
    let taken = AtomicBool::new(false);
    parallel(3, |num| {
        let (lock_at, nest_at) = (lock as *mut c_void, nest as *mut c_void);
        // SAFETY: locks that were set up; each is given back by who has it.
        unsafe {
            if num == 0 {
                omp_set_lock(lock_at);
                omp_set_nest_lock(nest_at);
                taken.store(true, SeqCst);
                let wanted =
                    |wait: &Wait| matches!(wait, Wait::Lock { lock: at } if *at == lock as u64);
                when(1, wanted);
                let wanted =
                    |wait: &Wait| matches!(wait, Wait::Lock { lock: at } if *at == nest as u64);
                let seen = when(2, wanted);
                let me = member(&seen, 0);
                let find = |at| seen.locks.iter().find(|known| known.address == at).unwrap();
                let plain = find(lock as u64);
                assert_eq!((plain.kind.as_str(), plain.holder), ("lock", me.number));
                let nested = find(nest as u64);
                assert_eq!((nested.kind.as_str(), nested.holder), ("nest lock", me.number));
                assert_eq!(nested.holder_task, me.task);
                assert!(!plain.holder_gone && !nested.holder_gone);
                assert_eq!(member(&seen, 1).state_name, "ompt_state_wait_lock");
                assert_eq!(seen.notes, Vec::<String>::new());
                omp_unset_nest_lock(nest_at);
                omp_unset_lock(lock_at);
            } else {
                until("the locks are not taken", || taken.load(SeqCst));
                if num == 1 {
                    omp_set_lock(lock_at);
                    omp_unset_lock(lock_at);
                } else {
                    omp_set_nest_lock(nest_at);
                    omp_unset_nest_lock(nest_at);
                }
            }
        }
    });
}

#[test]
fn whom_a_barrier_lacks() {
    let _one = ONE_AT_A_TIME.lock().unwrap();
    // Flat and in the tree.
    for size in [3, 6] {
        parallel(size, |num| {
            if num == 0 {
                for other in 1..size {
                    let all = |wait: &Wait| {
                        matches!(wait, Wait::Barrier { kind, missing, for_tasks: false, .. }
                            if kind == "explicit" && missing == &[0])
                    };
                    let seen = when(other, all);
                    assert_eq!(member(&seen, other).barriers, 1);
                    assert_eq!(member(&seen, 0).barriers, 0);
                }
            }
            // SAFETY: all members come.
            unsafe { GOMP_barrier() };
            if num == 0 {
                for other in 1..size {
                    when(other, |wait| {
                        matches!(wait, Wait::Barrier { kind, missing, .. }
                            if kind == "region" && missing == &[0])
                    });
                }
            }
        });
        let runtime = Runtime::find(&Own).unwrap();
        // SAFETY: asks for a number.
        let me = runtime.thread_by_lwp(unsafe { libc::gettid() } as u32).unwrap().unwrap();
        assert_eq!(me.team().unwrap().unwrap().level().unwrap(), 0);
        // Those that nobody told that the region is over.
        for thread in runtime.threads().unwrap() {
            let kind = thread.kind().unwrap();
            if kind == omphalos_ompd_view::Kind::Worker {
                assert_eq!(thread.state().unwrap().0, 0x100, "thread {:?}", thread.number());
                assert!(thread.team().unwrap().is_none() && thread.task().unwrap().is_none());
            }
        }
    }
}

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
            // Busy with something else: it takes no tasks.
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

        // Detached: its event comes when this thread says so.
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

#[test]
fn whose_turn_it_is_in_a_loop() {
    let _one = ONE_AT_A_TIME.lock().unwrap();
    parallel(2, |num| {
        let (mut first, mut last) = (0, 0);
        // SAFETY: the steps of an ordered loop over 10, 13.
        unsafe {
            assert!(GOMP_loop_ordered_dynamic_start(10, 16, 3, 1, &mut first, &mut last));
            if first == 10 {
                when(1 - num as u32, |wait| {
                    matches!(wait, Wait::Ordered { turn: Some(0), own: Some(1), .. })
                });
            }
            GOMP_ordered_start();
            GOMP_ordered_end();
            GOMP_loop_end();
        }
        let mut counts = [2, 5];
        // SAFETY: the steps of a nest of 2 and 5 iterations.
        unsafe {
            let (counts, room) = (counts.as_mut_ptr(), (&mut first, &mut last));
            assert!(GOMP_loop_doacross_dynamic_start(2, counts, 1, room.0, room.1));
            if first == 0 {
                let seen = when(
                    1 - num as u32,
                    |wait| matches!(wait, Wait::Sink { iteration, .. } if iteration == &[0, 3]),
                );
                assert_eq!(member(&seen, 1 - num as u32).state_name, "ompt_state_wait_ordered");
                GOMP_doacross_post([0, 3].as_mut_ptr());
            } else {
                GOMP_doacross_wait(0, 3);
            }
            GOMP_loop_end();
        }
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

#[test]
fn regions_inside_each_other() {
    let _one = ONE_AT_A_TIME.lock().unwrap();
    // SAFETY: sets an ICV.
    unsafe { omp_set_max_active_levels(3) };
    parallel(2, |outer| {
        if outer == 0 {
            parallel(2, |inner| {
                if inner == 0 {
                    let runtime = Runtime::find(&Own).unwrap();
                    // SAFETY: asks for a number.
                    let tid = unsafe { libc::gettid() } as u32;
                    let me = runtime.thread_by_lwp(tid).unwrap().unwrap();
                    // SAFETY: asks for a number.
                    let pthread = unsafe { libc::pthread_self() } as u64;
                    let same = runtime.thread_by_pthread(pthread).unwrap().unwrap();
                    assert_eq!(same.address, me.address);
                    let team = me.team().unwrap().unwrap();
                    assert_eq!(
                        (team.size(), team.level(), team.active_level()),
                        (Ok(2), Ok(2), Ok(2))
                    );
                    assert_ne!(team.function(), Ok(0));
                    assert_eq!(team.thread(0).unwrap().address, me.address);
                    let around = team.parent().unwrap().unwrap();
                    assert_eq!((around.size(), around.level()), (Ok(2), Ok(1)));
                    let initial = around.parent().unwrap().unwrap();
                    assert!(initial.parent().unwrap().is_none());
                    let task = me.task().unwrap().unwrap();
                    assert_eq!(team.task(0).unwrap().address, task.address);
                    assert!(task.is_implicit().unwrap() && !task.is_final().unwrap());
                    assert_ne!(task.frames().unwrap().exit, 0);
                    let maker = task.generating().unwrap().unwrap();
                    assert_eq!(maker.address, around.task(0).unwrap().address);
                    assert_eq!(team.encountering_task().unwrap().unwrap().address, maker.address);
                    assert_eq!(task.scheduling().unwrap().unwrap().address, maker.address);
                    assert!(team.thread(2).is_err() && team.task(7).is_err());
                }
            });
        }
    });
}

#[test]
fn every_icv_is_a_text() {
    let _one = ONE_AT_A_TIME.lock().unwrap();
    // SAFETY: sets ICVs.
    unsafe {
        omp_set_num_threads(5);
        omp_set_schedule(2, 7);
        omp_set_dynamic(1);
        omp_set_affinity_format(c"place %p".as_ptr());
        omp_get_num_procs();
    }
    parallel(2, |num| {
        if num != 1 {
            return;
        }
        let runtime = Runtime::find(&Own).unwrap();
        // SAFETY: asks for a number.
        let me = runtime.thread_by_lwp(unsafe { libc::gettid() } as u32).unwrap().unwrap();
        let of = |scope| match scope {
            Scope::Global | Scope::AddressSpace => Of::Process,
            Scope::Thread => Of::Thread(me),
            Scope::Task | Scope::ImplicitTask => Of::Task(me.task().unwrap().unwrap()),
            _ => Of::Team(me.team().unwrap().unwrap()),
        };
        for icv in icv::ALL {
            let value = runtime.icv(icv, of(icv.scope));
            assert!(value.is_ok(), "{}: {value:?}", icv.name);
        }
        let get = |name| {
            let icv = icv::named(name).unwrap();
            let value = runtime.icv(icv, of(icv.scope)).unwrap();
            (value.number, value.text)
        };
        let number = |number: i64, text: &str| (Some(number), text.to_owned());
        assert_eq!(get("nthreads-var"), number(5, "5"));
        assert_eq!(get("run-sched-var"), number(2, "dynamic,7"));
        assert_eq!(get("dyn-var"), number(1, "true"));
        assert_eq!(get("affinity-format-var"), (None, "place %p".into()));
        assert_eq!(get("thread-num-var"), number(1, "1"));
        assert_eq!(get("team-size-var"), number(2, "2"));
        assert_eq!(get("levels-var"), number(1, "1"));
        assert_eq!(get("explicit-task-var"), number(0, "false"));
        assert_eq!(get("implicit-task-var"), number(1, "true"));
        assert_eq!(get("team-generator-var"), number(1, "parallel"));
        // SAFETY: asks for numbers.
        let (limit, procs) = unsafe { (omp_get_thread_limit(), omp_get_num_procs()) };
        assert_eq!(get("thread-limit-var").0, Some(limit.into()));
        assert_eq!(get("num-procs-var").0, Some(procs.into()));
        assert!(runtime.control_variables().contains(&"OMP_CANCELLATION=false".to_owned()));
    });
    // SAFETY: sets ICVs.
    unsafe {
        omp_set_dynamic(0);
        omp_set_num_threads(2);
    }
}

#[test]
fn a_target_without_the_runtime_says_so() {
    struct Empty;
    impl Target for Empty {
        fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Fault> {
            Err(Fault::Unreadable { address, bytes: into.len() })
        }
        fn symbol(&self, name: &str, _library: Option<&str>) -> Result<u64, Fault> {
            Err(Fault::Unknown(name.into()))
        }
        fn threads(&self) -> Result<Vec<u32>, Fault> {
            Ok(Vec::new())
        }
        fn registers(&self, _lwp: u32) -> Result<omphalos_ompd_view::Registers, Fault> {
            Err(Fault::Gone)
        }
    }
    let fault = Runtime::find(&Empty).err().unwrap();
    assert_eq!(fault.to_string(), "no Omphalos runtime in it (no symbol omphalos_debug)");
}
