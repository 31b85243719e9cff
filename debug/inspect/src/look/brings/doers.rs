//! Lists the functions that end waits, by the operation that ends the wait. `brings/mod.rs`
//! searches the program's code for calls of these functions.

use omphalos_ompd_view::snapshot::Bringing;

/// The functions that do one operation.
pub struct Doers {
    /// Functions of the C library, of the runtime and of other files, by the beginnings of their
    /// names.
    pub functions: &'static [&'static str],
    /// Methods of the C++ library: a part of the class's name, and of the method's, as in linkage
    /// names.
    pub methods: &'static [(&'static str, &'static str)],
    /// Headers that have the code of those methods, by the last parts of their names.
    pub headers: &'static [&'static str],
}

/// The functions that do the operation.
pub fn doers(what: Bringing) -> Doers {
    let of = |functions| Doers { functions, methods: &[], headers: &[] };
    let cpp = |methods, headers| Doers { functions: &[], methods, headers };
    match what {
        Bringing::Signal => of(&[
            "pthread_cond_signal",
            "pthread_cond_broadcast",
            "cnd_signal",
            "cnd_broadcast",
            "_ZNSt18condition_variable10notify_",
            "_ZNSt3__118condition_variable10notify_",
        ]),
        Bringing::Post => Doers {
            functions: &["sem_post"],
            methods: &[("counting_semaphore", "7release"), ("__semaphore_impl", "_M_release")],
            headers: &["semaphore", "semaphore_base.h"],
        },
        Bringing::Fulfil => of(&["omp_fulfill_event"]),
        Bringing::End => of(&["pthread_exit", "thrd_exit"]),
        Bringing::Destroy => of(&["omp_destroy_lock", "omp_destroy_nest_lock", "__kmpc_destroy_"]),
        Bringing::Write
        | Bringing::Source
        | Bringing::Release
        | Bringing::TaskDone
        | Bringing::Open => of(&[]),
        Bringing::CountDown => {
            cpp(&[("5latch", "10count_down"), ("5latch", "15arrive_and_wait")], &["latch"])
        }
        Bringing::Arrive => Doers {
            functions: &["pthread_barrier_wait"],
            methods: &[("7barrier", "6arrive"), ("7barrier", "arrive_and_")],
            headers: &["barrier"],
        },
        Bringing::Notify => cpp(
            &[("atomic", "10notify_one"), ("atomic", "10notify_all")],
            &[
                "atomic", "atomic_base.h", "atomic.h", "atomic_flag.h", "atomic_sync.h",
                "atomic_wait.h",
            ],
        ),
        Bringing::Store => cpp(
            &[
                ("atomic", "5storeE"),
                ("atomic", "8exchangeE"),
                ("atomic", "9fetch_addE"),
                ("atomic", "9fetch_subE"),
                ("atomic", "12test_and_setE"),
                ("atomic", "5clearE"),
                ("atomic", "aSE"),
                ("atomic", "ppE"),
                ("atomic", "mmE"),
            ],
            &["atomic", "atomic_base.h", "atomic.h", "atomic_flag.h"],
        ),
        Bringing::Set => cpp(
            &[
                ("7promise", "9set_value"),
                ("7promise", "13set_exception"),
                ("13packaged_task", "clE"),
            ],
            &["future"],
        ),
        Bringing::Send => of(&["mq_send", "mq_timedsend", "msgsnd"]),
        Bringing::Take => of(&["mq_receive", "mq_timedreceive", "msgrcv"]),
        Bringing::Change => of(&["semop", "semtimedop", "semctl"]),
        Bringing::Raise => of(&["pthread_kill", "kill", "raise", "sigqueue", "pthread_sigqueue"]),
        Bringing::Flush => of(&["fflush"]),
        Bringing::WriteTo => of(&["write", "send", "eventfd_write", "pwritev"]),
        Bringing::ReadFrom => of(&["read", "recv", "__read_chk", "__recv"]),
    }
}

/// The operation that ends a wait for an object of the C++ library.
pub fn of_object(what: &str) -> Option<Bringing> {
    const OBJECTS: [(&str, Bringing); 5] = [
        ("std::latch", Bringing::CountDown),
        ("std::barrier", Bringing::Arrive),
        ("std::counting_semaphore", Bringing::Post),
        ("std::atomic", Bringing::Notify),
        ("std::future", Bringing::Set),
    ];
    OBJECTS.iter().find(|(object, _)| what.contains(object)).map(|(_, bringing)| *bringing)
}

/// The operation that ends a sleeping system call, if the program itself may do it.
pub fn of_call(name: &str, what: &str) -> Option<Bringing> {
    const OWN: [&str; 4] =
        ["of this process", "anon_inode:[eventfd]", "anon_inode:[io_uring]", "which watches"];
    let is_own = OWN.iter().any(|own| what.contains(own)) && !what.contains("its lock held");
    Some(match name {
        "mq_timedreceive" | "msgrcv" => Bringing::Send,
        "mq_timedsend" | "msgsnd" => Bringing::Take,
        "semop" | "semtimedop" => Bringing::Change,
        "rt_sigtimedwait" | "rt_sigsuspend" | "pause" => Bringing::Raise,
        "write" | "writev" | "sendto" | "sendmsg" if is_own => Bringing::ReadFrom,
        "read" | "readv" | "recvfrom" | "recvmsg" | "poll" | "ppoll" | "select" | "pselect6"
        | "epoll_wait" | "epoll_pwait" | "epoll_pwait2" | "io_uring_enter"
            if is_own =>
        {
            Bringing::WriteTo
        }
        _ => return None,
    })
}
