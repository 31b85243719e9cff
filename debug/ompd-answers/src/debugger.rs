//! The debugger, as every generation's callbacks give it; and as a [`Target`].

use core::ffi::{CStr, c_void};
use omphalos_ompd_view::{Fault, Registers, Target};
use std::ffi::CString;

use crate::Code;

/// One process, core file or device of a debugger. Only the debugger reads the target, and only it
/// allocates the memory that it frees.
///
/// Addresses of the debugger's own memory pass through here: each implementation copies the
/// debugger's table and context.
pub trait Debugger: Send + Sync {
    /// Allocates memory of the debugger; never null.
    fn allocate(&self, bytes: usize) -> Result<*mut c_void, Code>;
    /// Gives such memory back.
    ///
    /// # Safety
    ///
    /// The memory came from [`Debugger::allocate`] and nobody uses it.
    unsafe fn free(&self, memory: *mut c_void) -> Result<(), Code>;
    /// Whether the target's numbers look like this machine's: little-endian, pointers of 8 bytes.
    fn is_alike(&self) -> Result<bool, Code>;
    /// The address of a symbol, of the file `file` if the debugger can tell files apart.
    fn symbol(&self, name: &CStr, file: Option<&CStr>) -> Result<u64, Code>;
    /// Reads memory, all or nothing.
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Code>;
    /// Writes memory.
    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Code>;
}

/// A program seen through the debugger's callbacks. OMPD has no callbacks for threads or registers.
pub struct Callbacks(pub Box<dyn Debugger>);

impl Target for Callbacks {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Fault> {
        let bytes = into.len();
        self.0.read(address, into).map_err(|_| Fault::Unreadable { address, bytes })
    }

    fn symbol(&self, name: &str, library: Option<&str>) -> Result<u64, Fault> {
        let unknown = || Fault::Unknown(format!("symbol {name}"));
        let c_name = CString::new(name).map_err(|_| unknown())?;
        let file = library.and_then(|library| CString::new(library).ok());
        // A debugger may know the file by a path, or know no files.
        let found = match self.0.symbol(&c_name, file.as_deref()) {
            Ok(0) | Err(_) if file.is_some() => self.0.symbol(&c_name, None),
            found => found,
        };
        found.ok().filter(|address| *address != 0).ok_or_else(unknown)
    }

    fn threads(&self) -> Result<Vec<u32>, Fault> {
        Err(Fault::Unknown("list of threads in OMPD's callbacks".into()))
    }

    fn registers(&self, _lwp: u32) -> Result<Registers, Fault> {
        Err(Fault::Unknown("registers in OMPD's callbacks".into()))
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Fault> {
        self.0.write(address, bytes).map_err(|_| Fault::Unreadable { address, bytes: bytes.len() })
    }
}
