//! Calls in which a thread may sleep, or in which the kernel moves data for it.

use core::ffi::{c_char, c_int, c_long, c_uint, c_void};
use libc::{clockid_t, off_t, pid_t, sigset_t, size_t, sockaddr, socklen_t, ssize_t, timespec};

// Functions that C declares with any number of arguments (`open`, `fcntl`) have one more argument
// here: the C library's own read no further ones.

/// Whether this command of `fcntl` sleeps.
fn waits_for_lock(command: c_int) -> bool {
    matches!(command, libc::F_SETLKW | libc::F_OFD_SETLKW)
}

interpose! {
    true c"":
    fn nanosleep(time: *const timespec, rest: *mut timespec) -> c_int;
    fn clock_nanosleep(
        clock: clockid_t, flags: c_int, time: *const timespec, rest: *mut timespec
    ) -> c_int;
    fn usleep(time: c_uint) -> c_int;
    fn sleep(time: c_uint) -> c_uint;
    fn thrd_sleep(time: *const timespec, rest: *mut timespec) -> c_int;
    fn pause() -> c_int;
    fn poll(files: *mut libc::pollfd, count: libc::nfds_t, timeout: c_int) -> c_int
        [direct if timeout == 0];
    fn ppoll(
        files: *mut libc::pollfd, count: libc::nfds_t, timeout: *const timespec,
        mask: *const sigset_t
    ) -> c_int;
    fn __poll_chk as poll(
        files: *mut libc::pollfd, count: libc::nfds_t, timeout: c_int, size: usize
    ) -> c_int [direct if timeout == 0];
    fn __ppoll_chk as ppoll(
        files: *mut libc::pollfd, count: libc::nfds_t, timeout: *const timespec,
        mask: *const sigset_t, size: usize
    ) -> c_int;
    fn select(
        count: c_int, read: *mut libc::fd_set, write: *mut libc::fd_set, except: *mut libc::fd_set,
        timeout: *mut libc::timeval
    ) -> c_int;
    fn pselect(
        count: c_int, read: *mut libc::fd_set, write: *mut libc::fd_set, except: *mut libc::fd_set,
        timeout: *const timespec, mask: *const sigset_t
    ) -> c_int;
    fn epoll_wait(
        file: c_int, events: *mut libc::epoll_event, count: c_int, timeout: c_int
    ) -> c_int [direct if timeout == 0];
    fn epoll_pwait(
        file: c_int, events: *mut libc::epoll_event, count: c_int, timeout: c_int,
        mask: *const sigset_t
    ) -> c_int;
    fn epoll_pwait2(
        file: c_int, events: *mut libc::epoll_event, count: c_int, timeout: *const timespec,
        mask: *const sigset_t
    ) -> c_int;
    fn sigsuspend(mask: *const sigset_t) -> c_int;
    fn sigwait(set: *const sigset_t, number: *mut c_int) -> c_int;
    fn sigtimedwait(
        set: *const sigset_t, info: *mut libc::siginfo_t, timeout: *const timespec
    ) -> c_int;
    fn sigwaitinfo(set: *const sigset_t, info: *mut libc::siginfo_t) -> c_int;
    fn semop(set: c_int, operations: *mut libc::sembuf, count: usize) -> c_int;
    fn semtimedop(
        set: c_int, operations: *mut libc::sembuf, count: usize, timeout: *const timespec
    ) -> c_int;
    fn msgrcv(
        queue: c_int, message: *mut c_void, size: usize, kind: c_long, flags: c_int
    ) -> isize;
    fn msgsnd(queue: c_int, message: *const c_void, size: usize, flags: c_int) -> c_int;
    fn mq_receive(queue: c_int, to: *mut c_char, size: size_t, priority: *mut c_uint) -> ssize_t;
    fn mq_timedreceive(
        queue: c_int, to: *mut c_char, size: size_t, priority: *mut c_uint, until: *const timespec
    ) -> ssize_t;
    fn mq_send(queue: c_int, from: *const c_char, size: size_t, priority: c_uint) -> c_int;
    fn mq_timedsend(
        queue: c_int, from: *const c_char, size: size_t, priority: c_uint, until: *const timespec
    ) -> c_int;
    fn wait(status: *mut c_int) -> pid_t;
    fn wait3(status: *mut c_int, options: c_int, usage: *mut libc::rusage) -> pid_t;
    fn wait4(id: pid_t, status: *mut c_int, options: c_int, usage: *mut libc::rusage) -> pid_t;
    fn waitpid(id: pid_t, status: *mut c_int, options: c_int) -> pid_t;
    fn waitid(
        kind: libc::idtype_t, id: libc::id_t, info: *mut libc::siginfo_t, options: c_int
    ) -> c_int;
    fn system(command: *const c_char) -> c_int;
    fn pclose(stream: *mut libc::FILE) -> c_int;
    fn pthread_join(thread: libc::pthread_t, result: *mut *mut c_void) -> c_int;
    fn pthread_timedjoin_np(
        thread: libc::pthread_t, result: *mut *mut c_void, until: *const timespec
    ) -> c_int;
    fn pthread_clockjoin_np(
        thread: libc::pthread_t, result: *mut *mut c_void, clock: clockid_t, until: *const timespec
    ) -> c_int;
    fn thrd_join(thread: libc::pthread_t, result: *mut c_int) -> c_int;
    fn pthread_barrier_wait(barrier: *mut c_void) -> c_int;
    fn aio_suspend(list: *const *const c_void, count: c_int, timeout: *const timespec) -> c_int;
    fn flock(file: c_int, operation: c_int) -> c_int;
    fn lockf(file: c_int, command: c_int, length: off_t) -> c_int;
    fn lockf64(file: c_int, command: c_int, length: off_t) -> c_int;
    fn fcntl(file: c_int, command: c_int, argument: usize) -> c_int
        [direct if !waits_for_lock(command)];
    fn fcntl64(file: c_int, command: c_int, argument: usize) -> c_int
        [direct if !waits_for_lock(command)];
    fn tcdrain(file: c_int) -> c_int;
    fn getaddrinfo(
        node: *const c_char, service: *const c_char, hints: *const c_void, list: *mut *mut c_void
    ) -> c_int;
}

interpose! {
    true c"GLIBC_2.3.2":
    fn pthread_cond_wait(condition: *mut c_void, mutex: *mut c_void) -> c_int;
    fn pthread_cond_timedwait(
        condition: *mut c_void, mutex: *mut c_void, until: *const timespec
    ) -> c_int;
}

interpose! {
    true c"":
    fn pthread_cond_clockwait(
        condition: *mut c_void, mutex: *mut c_void, clock: clockid_t, until: *const timespec
    ) -> c_int;
    fn cnd_wait(condition: *mut c_void, mutex: *mut c_void) -> c_int;
    fn cnd_timedwait(
        condition: *mut c_void, mutex: *mut c_void, until: *const timespec
    ) -> c_int;
}

interpose! {
    false c"":
    fn read(file: c_int, to: *mut c_void, size: size_t) -> ssize_t;
    fn __read_chk as read(file: c_int, to: *mut c_void, size: size_t, room: size_t) -> ssize_t;
    fn pread(file: c_int, to: *mut c_void, size: size_t, at: off_t) -> ssize_t;
    fn pread64(file: c_int, to: *mut c_void, size: size_t, at: off_t) -> ssize_t;
    fn readv(file: c_int, parts: *const libc::iovec, count: c_int) -> ssize_t;
    fn preadv(file: c_int, parts: *const libc::iovec, count: c_int, at: off_t) -> ssize_t;
    fn write(file: c_int, from: *const c_void, size: size_t) -> ssize_t;
    fn pwrite(file: c_int, from: *const c_void, size: size_t, at: off_t) -> ssize_t;
    fn pwrite64(file: c_int, from: *const c_void, size: size_t, at: off_t) -> ssize_t;
    fn writev(file: c_int, parts: *const libc::iovec, count: c_int) -> ssize_t;
    fn pwritev(file: c_int, parts: *const libc::iovec, count: c_int, at: off_t) -> ssize_t;
    fn recv(socket: c_int, to: *mut c_void, size: size_t, flags: c_int) -> ssize_t;
    fn __recv_chk as recv(
        socket: c_int, to: *mut c_void, size: size_t, room: size_t, flags: c_int
    ) -> ssize_t;
    fn recvfrom(
        socket: c_int, to: *mut c_void, size: size_t, flags: c_int, from: *mut sockaddr,
        length: *mut socklen_t
    ) -> ssize_t;
    fn recvmsg(socket: c_int, message: *mut libc::msghdr, flags: c_int) -> ssize_t;
    fn recvmmsg(
        socket: c_int, messages: *mut libc::mmsghdr, count: c_uint, flags: c_int,
        timeout: *mut timespec
    ) -> c_int;
    fn send(socket: c_int, from: *const c_void, size: size_t, flags: c_int) -> ssize_t;
    fn sendto(
        socket: c_int, from: *const c_void, size: size_t, flags: c_int, to: *const sockaddr,
        length: socklen_t
    ) -> ssize_t;
    fn sendmsg(socket: c_int, message: *const libc::msghdr, flags: c_int) -> ssize_t;
    fn sendmmsg(
        socket: c_int, messages: *mut libc::mmsghdr, count: c_uint, flags: c_int
    ) -> c_int;
    fn open(path: *const c_char, flags: c_int, mode: c_uint) -> c_int;
    fn open64 as open(path: *const c_char, flags: c_int, mode: c_uint) -> c_int;
    fn openat(folder: c_int, path: *const c_char, flags: c_int, mode: c_uint) -> c_int;
    fn openat64 as openat(folder: c_int, path: *const c_char, flags: c_int, mode: c_uint) -> c_int;
    fn accept(socket: c_int, from: *mut sockaddr, length: *mut socklen_t) -> c_int;
    fn accept4(
        socket: c_int, from: *mut sockaddr, length: *mut socklen_t, flags: c_int
    ) -> c_int;
    fn connect(socket: c_int, to: *const sockaddr, length: socklen_t) -> c_int;
    fn fsync(file: c_int) -> c_int;
    fn fdatasync(file: c_int) -> c_int;
    fn msync(from: *mut c_void, size: size_t, flags: c_int) -> c_int;
    fn sendfile(to: c_int, from: c_int, at: *mut off_t, count: size_t) -> ssize_t;
    fn sendfile64(to: c_int, from: c_int, at: *mut off_t, count: size_t) -> ssize_t;
    fn splice(
        from: c_int, at: *mut i64, to: c_int, there: *mut i64, size: size_t, flags: c_uint
    ) -> ssize_t;
    fn copy_file_range(
        from: c_int, at: *mut i64, to: c_int, there: *mut i64, size: size_t, flags: c_uint
    ) -> ssize_t;
}
