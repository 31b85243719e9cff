//! What a thread waits for that sleeps outside the runtime: in a system call, in the C library, in
//! a library of MPI. Its registers and its stack show that; `inspect` reads them itself, or a
//! debugger does.

pub mod calls;
mod interpreter;
mod pthreads;
mod standard;

pub use interpreter::find_awake;
pub use pthreads::{Known, waits};

/// Who holds the lock of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// Another process.
    Process(u32),
    /// The process itself, by another descriptor of that file.
    Descriptor(i32),
}

/// What only the kernel of the target's machine can say; nothing, where it cannot be asked.
pub trait Kernel {
    /// What a file descriptor of the target stands for.
    fn descriptor(&self, _number: i32) -> Option<String> {
        None
    }

    /// Who holds a lock of the file behind a descriptor; `call` waits for it ("flock", "fcntl").
    fn file_lock_holder(&self, _number: i32, _call: &str) -> Option<Holder> {
        None
    }

    /// What another process is called.
    fn process_name(&self, _pid: u32) -> Option<String> {
        None
    }
}
