//! The trait through which everything is read: a live process, a core file, or a debugger's
//! callbacks.

use core::fmt;

/// The reason why something could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The target has no memory there, or does not give it.
    Unreadable {
        /// The address.
        address: u64,
        /// The number of bytes asked for.
        bytes: usize,
    },
    /// The target is gone, or has become another program.
    Gone,
    /// The target cannot tell (no such symbol, no registers of that thread, no threads).
    Unknown(String),
    /// A value that cannot be right: the text names it and its value.
    Nonsense(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Unreadable { address, bytes } => {
                write!(f, "cannot read {bytes} bytes at {address:#x}")
            }
            Fault::Gone => f.write_str("the process is gone"),
            Fault::Unknown(what) => write!(f, "no {what}"),
            Fault::Nonsense(what) => write!(f, "damaged: {what}"),
        }
    }
}

impl std::error::Error for Fault {}

/// The registers that an unwinder starts from (x86-64).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    /// Instruction pointer.
    pub rip: u64,
    /// Stack pointer.
    pub rsp: u64,
    /// The callee-saved registers, in the order rbx, rbp, r12, r13, r14, r15.
    pub saved: [u64; 6],
    /// The registers of a system call: rax, orig_rax, rdi, rsi, rdx, r10, r8, r9.
    pub call: [u64; 8],
    /// rcx and r11, which a system call changes, if known.
    pub lost: Option<[u64; 2]>,
    /// The processor's flags, if known.
    pub flags: Option<u64>,
    /// The base of the thread's own storage: `pthread_self()` with glibc.
    pub fs_base: u64,
}

/// A process or core file, to be read.
pub trait Target {
    /// Reads memory; all of `into` or nothing.
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Fault>;

    /// The address of an exported symbol. With `library`, only a symbol of a file of that name
    /// counts, if the target can tell.
    fn symbol(&self, name: &str, library: Option<&str>) -> Result<u64, Fault>;

    /// The kernel's numbers (LWP) of the threads that the target knows: first the initial thread,
    /// if known.
    fn threads(&self) -> Result<Vec<u32>, Fault>;

    /// The registers of a thread.
    fn registers(&self, lwp: u32) -> Result<Registers, Fault>;

    /// Writes memory. Only debuggers do.
    fn write(&self, address: u64, _bytes: &[u8]) -> Result<(), Fault> {
        Err(Fault::Unknown(format!("way to write at {address:#x}")))
    }
}

/// Reads a number of eight bytes.
pub fn word(target: &dyn Target, address: u64) -> Result<u64, Fault> {
    let mut bytes = [0; 8];
    target.read(address, &mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// Reads a number of four bytes.
pub fn half(target: &dyn Target, address: u64) -> Result<u32, Fault> {
    let mut bytes = [0; 4];
    target.read(address, &mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

/// Reads a text that ends with a zero byte; what cannot be read, or lies behind [`LONGEST_TEXT`],
/// is left out.
pub fn text(target: &dyn Target, address: u64) -> String {
    let mut bytes = Vec::new();
    for at in 0..LONGEST_TEXT {
        let mut byte = [0];
        match target.read(address.wrapping_add(at), &mut byte) {
            Ok(()) if byte[0] != 0 => bytes.push(byte[0]),
            _ => break,
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The most bytes of a text that are read: the longest path that is shown.
const LONGEST_TEXT: u64 = 256;
