//! Reads a running program: waits, tasks, ICVs. The reading thread is a member of the team, and
//! knows by its own means what the others do.

#[path = "../own/mod.rs"]
mod own;
mod tasks;
mod waits;

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
