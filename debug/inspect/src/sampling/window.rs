//! The memory of a process while its threads are sampled: a copy of the inner part of one stack,
//! and for all else the memory as it is at the moment.

use std::cell::{Cell, RefCell};

use omphalos_ompd_view::{Fault, Registers, Target};

use crate::space::live::peek;

/// The most bytes of a stack that are copied: the frames around the thread's current line. Frames
/// further out hardly change while they are read.
const COPIED: usize = 64 << 10;
/// The red zone is below the stack pointer.
const BELOW: u64 = 128;

/// See the module.
pub struct Window {
    pid: u32,
    from: Cell<u64>,
    copy: RefCell<Vec<u8>>,
}

impl Window {
    /// Makes the window of a process; nothing is copied yet.
    pub fn of(pid: u32) -> Window {
        Window { pid, from: Cell::new(0), copy: RefCell::default() }
    }

    /// Makes reads of that stack return the copy from now on.
    pub fn show(&self, rsp: u64, copy: Vec<u8>) {
        self.from.set(rsp.saturating_sub(BELOW));
        *self.copy.borrow_mut() = copy;
    }
}

/// The inner part of the stack with this stack pointer.
pub fn copied(pid: u32, rsp: u64) -> Vec<u8> {
    let mut bytes = vec![0; COPIED];
    let got = some(pid, rsp.saturating_sub(BELOW), &mut bytes);
    bytes.truncate(got);
    bytes
}

/// Reads as far as there is memory. Returns how many bytes were read.
fn some(pid: u32, address: u64, into: &mut [u8]) -> usize {
    let local = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: into.len() };
    let remote = libc::iovec { iov_base: address as *mut _, iov_len: into.len() };
    // SAFETY: `local` is the buffer; the remote place is the other process's, which the kernel
    // checks.
    let got = unsafe { libc::process_vm_readv(pid as libc::pid_t, &local, 1, &remote, 1, 0) };
    usize::try_from(got).unwrap_or(0)
}

impl Target for Window {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Fault> {
        let copy = self.copy.borrow();
        let at = address.checked_sub(self.from.get()).and_then(|at| usize::try_from(at).ok());
        if let Some(from) = at.and_then(|at| copy.get(at..at.checked_add(into.len())?)) {
            into.copy_from_slice(from);
            return Ok(());
        }
        match peek(self.pid, address, into) {
            true => Ok(()),
            false => Err(Fault::Unreadable { address, bytes: into.len() }),
        }
    }

    fn symbol(&self, name: &str, _library: Option<&str>) -> Result<u64, Fault> {
        Err(Fault::Unknown(format!("symbol {name}")))
    }

    fn threads(&self) -> Result<Vec<u32>, Fault> {
        Err(Fault::Unknown("threads".to_owned()))
    }

    fn registers(&self, lwp: u32) -> Result<Registers, Fault> {
        Err(Fault::Unknown(format!("registers of thread {lwp}")))
    }
}
