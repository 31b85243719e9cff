//! Functions of MPI that the agent has, and the library of the process does not. A program that
//! wants such a function only if it is there declares it weak, and looks whether it has an address
//! (mpi4py does so with the functions with large counts). The loader gives it the agent's. This
//! takes the address away before the program can use it: when it begins MPI.

use super::library::next;
use core::ffi::{CStr, c_void};
use omphalos_sys::dynamic::Tables;
use omphalos_sys::library::{each_file, extent, headers};
use std::ffi::CString;

const PAGE: usize = 4096;

/// A word with the address of such a function.
struct Word {
    at: *mut usize,
    name: CString,
    /// It is in memory that the loader has made read-only.
    is_read_only: bool,
}

/// Takes the addresses of such functions away from all files of the process.
pub fn hide() {
    let (mut words, mut own) = (Vec::new(), 0..0);
    each_file(|info| {
        if extent(info).contains(&(hide as *const () as usize)) {
            own = extent(info);
        }
        // SAFETY: the file is loaded, and stays so while the loader goes through its list.
        if let Some(tables) = unsafe { Tables::of(info) } {
            tables.each_weak(info.dlpi_addr, |at, name| {
                words.extend(is_of_mpi(name).then(|| Word {
                    at,
                    name: name.to_owned(),
                    is_read_only: is_read_only(info, at as u64),
                }));
            });
        }
        false
    });
    // The loader's lock is free again, which a search for a name needs.
    for word in words {
        // SAFETY: a word of a loaded file, which the loader has filled.
        let held = unsafe { word.at.read_volatile() };
        if own.contains(&held) && next(&word.name).is_null() {
            word.clear();
        }
    }
}

fn is_of_mpi(name: &CStr) -> bool {
    [&b"MPI_"[..], b"mpi_"].iter().any(|begin| name.to_bytes().starts_with(begin))
}

fn is_read_only(info: &libc::dl_phdr_info, at: u64) -> bool {
    let relro = headers(info).iter().filter(|header| header.p_type == libc::PT_GNU_RELRO);
    let mut starts = relro.map(|header| (info.dlpi_addr + header.p_vaddr, header.p_memsz));
    starts.any(|(start, size)| (start..start + size).contains(&at))
}

impl Word {
    fn clear(&self) {
        let page = (self.at as usize & !(PAGE - 1)) as *mut c_void;
        // SAFETY: a page of the file's own data; the word is aligned, so it is written at once.
        unsafe {
            if self.is_read_only
                && libc::mprotect(page, PAGE, libc::PROT_READ | libc::PROT_WRITE) != 0
            {
                return;
            }
            self.at.write_volatile(0);
            if self.is_read_only {
                libc::mprotect(page, PAGE, libc::PROT_READ);
            }
        }
    }
}
