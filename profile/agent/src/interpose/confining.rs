//! `prctl` and `syscall`, by which a program forbids itself system calls. If the agent cannot work
//! under the new filter, the record is completed before (`life::confined`).

use crate::filter::{Instruction, LONGEST};
use crate::life::confined::{self, Asked};
use crate::mark::Call;
use crate::sampling::watch;
use core::ffi::{c_int, c_long};

/// The kernel's `struct sock_fprog`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Program {
    length: u16,
    filter: usize,
}

static REAL: Call = Call::new(c"prctl", c"", false);

/// Looks the real function up before a child of `fork` needs it.
pub fn prepare() {
    REAL.real();
}

/// Stands in for the C library's `prctl`, which takes any number of arguments.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prctl(option: c_int, a: usize, b: usize, c: usize, d: usize) -> c_int {
    let real = REAL.real();
    if real.is_null() {
        return super::raw::unknown() as c_int;
    }
    before_prctl(option, a, b);
    type Function = unsafe extern "C" fn(c_int, usize, usize, usize, usize) -> c_int;
    // SAFETY: the next definition of the same name, which reads at most this many arguments.
    let real = unsafe { core::mem::transmute::<*mut core::ffi::c_void, Function>(real) };
    // SAFETY: the caller's promise.
    unsafe { real(option, a, b, c, d) }
}

/// Whether this system call may be one that forbids others.
pub(super) fn may_be(number: c_long) -> bool {
    matches!(number, libc::SYS_seccomp | libc::SYS_prctl)
}

/// Notes that such a call is about to be made.
pub(super) fn before(number: c_long, a: usize, b: usize, c: usize) {
    match (number, a as u32) {
        (libc::SYS_prctl, _) => before_prctl(a as c_int, b, c),
        (libc::SYS_seccomp, libc::SECCOMP_SET_MODE_STRICT) => confined::before(&Asked::Strict),
        (libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER) => before_filter(c),
        _ => {}
    }
}

fn before_prctl(option: c_int, a: usize, b: usize) {
    match (option, a as u32) {
        (libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_STRICT) => confined::before(&Asked::Strict),
        (libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER) => before_filter(b),
        _ => {}
    }
}

/// Notes that a filter is about to be installed. A filter that cannot be read is no filter: the
/// kernel refuses it, too.
#[cold]
fn before_filter(at: usize) {
    if !crate::recording::is_running() {
        return;
    }
    let mut program = Program::default();
    if !read(at, core::slice::from_mut(&mut program)) {
        return;
    }
    let length = usize::from(program.length);
    let mut filter = vec![Instruction::default(); length.min(LONGEST)];
    if filter.len() == length && read(program.filter, &mut filter) {
        confined::before(&Asked::Filter(&filter));
    }
}

/// Copies the memory at `address`. Returns false if the kernel could not read it either.
fn read<T: Copy>(address: usize, to: &mut [T]) -> bool {
    if address == 0 {
        return false;
    }
    let bytes = size_of_val(to);
    let room = libc::iovec { iov_base: to.as_mut_ptr().cast(), iov_len: bytes };
    let source = libc::iovec { iov_base: address as *mut core::ffi::c_void, iov_len: bytes };
    // SAFETY: the memory that the program gives the kernel to read.
    let mut plainly = || unsafe {
        core::ptr::copy_nonoverlapping(address as *const T, to.as_mut_ptr(), to.len());
    };
    if watch::copies_nothing() {
        plainly();
        return true;
    }
    omphalos_sys::errno::keep(|| {
        // SAFETY: the room belongs to this function; the kernel checks the other address; errno is
        // the thread's own.
        let (done, error) = unsafe {
            let done = libc::process_vm_readv(libc::getpid(), &room, 1, &source, 1, 0);
            (done, *libc::__errno_location())
        };
        // A system may forbid the call itself.
        if done < 0 && error != libc::EFAULT {
            plainly();
            return true;
        }
        done == bytes as isize
    })
}

/// Makes `syscall` with such a number.
pub(super) unsafe extern "C" fn called(
    number: c_long,
    a: usize,
    b: usize,
    c: usize,
    d: usize,
    e: usize,
    f: usize,
) -> c_long {
    before(number, a, b, c);
    // SAFETY: the caller's promise.
    unsafe { super::raw::pass_on(number, [a, b, c, d, e, f]) }
}
