//! Reads waits: locks, barriers, turns of a loop.

use super::*;

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
    // A flat barrier, and one in a tree.
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
        // Workers that nobody has told that the region is over.
        for thread in runtime.threads().unwrap() {
            let kind = thread.kind().unwrap();
            if kind == omphalos_ompd_view::Kind::Worker {
                assert_eq!(thread.state().unwrap().0, 0x100, "thread {:?}", thread.number());
                assert!(thread.team().unwrap().is_none() && thread.task().unwrap().is_none());
            }
        }
    }
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

#[test]
fn a_sink_that_names_a_later_iteration_is_known_by_the_schedule() {
    let _one = ONE_AT_A_TIME.lock().unwrap();
    // Chunks go round the members. (With one even share each, the runtime takes a later iteration
    // for done.)
    for (chunk, waiter, wanted, place) in [
        (1, 1, 6, (Some(1), Some("later"))),
        (1, 0, 9, (Some(0), Some("later"))),
        (3, 1, 1, (None, None)),
        (3, 0, 4, (None, Some("later"))),
    ] {
        parallel(2, |num| {
            let (mut first, mut last, mut counts) = (0, 0, [10]);
            // SAFETY: the steps of a loop of 10 iterations.
            unsafe {
                let counts = counts.as_mut_ptr();
                assert!(GOMP_loop_doacross_static_start(1, counts, chunk, &mut first, &mut last));
                if num as u32 == waiter {
                    GOMP_doacross_wait(wanted, 0);
                } else {
                    when(waiter, |wait| {
                        matches!(wait, Wait::Sink { iteration, own, never, .. }
                            if iteration == &[wanted] && (*own, never.as_deref()) == place)
                    });
                    GOMP_doacross_post([wanted].as_mut_ptr());
                }
                GOMP_loop_end();
            }
        });
    }
}
