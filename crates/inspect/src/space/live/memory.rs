//! The memory of a process, page by page; a page that was read once stays as it was.

use std::cell::RefCell;
use std::collections::HashMap;

use omphalos_ompd_view::Fault;

const PAGE: u64 = 4096;
/// More pages than these are not kept: what lies beyond is read each time.
const MOST: usize = 1 << 16;
/// The kernel takes this many places in one call.
const BATCH: usize = 1024;

pub struct Memory {
    pid: u32,
    pages: RefCell<HashMap<u64, Box<[u8]>>>,
}

impl Memory {
    pub fn of(pid: u32) -> Memory {
        Memory { pid, pages: RefCell::default() }
    }

    /// Keeps what is at `ranges`, as far as it can be read, in few calls of the kernel.
    pub fn copy(&self, ranges: &[(u64, u64)]) {
        let mut pages = self.pages.borrow_mut();
        let wanted: Vec<u64> = ranges
            .iter()
            .flat_map(|&(from, end)| (from & !(PAGE - 1)..end).step_by(PAGE as usize))
            .filter(|page| !pages.contains_key(page))
            .collect();
        for batch in wanted.chunks(BATCH) {
            let mut bytes = vec![0; batch.len() * PAGE as usize];
            // What lies behind the first page that cannot be read is asked for one by one, when it is wanted.
            let got = read(self.pid, batch, PAGE, &mut bytes).unwrap_or(0);
            for (page, bytes) in batch.iter().zip(bytes[..got].chunks_exact(PAGE as usize)) {
                pages.insert(*page, bytes.into());
            }
        }
    }

    pub fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Fault> {
        let fault = Fault::Unreadable { address, bytes: into.len() };
        let mut pages = self.pages.borrow_mut();
        let large = into.len() > 16 * PAGE as usize;
        if large {
            let got = read(self.pid, &[address], into.len() as u64, into)?;
            return if got == into.len() { Ok(()) } else { Err(fault) };
        }
        let mut done = 0;
        while done < into.len() {
            let at = address.checked_add(done as u64).ok_or_else(|| fault.clone())?;
            let page = at & !(PAGE - 1);
            let offset = (at - page) as usize;
            let part = (PAGE as usize - offset).min(into.len() - done);
            if let Some(known) = pages.get(&page) {
                into[done..done + part].copy_from_slice(&known[offset..offset + part]);
            } else {
                let mut bytes = vec![0; PAGE as usize];
                let got = read(self.pid, &[page], PAGE, &mut bytes)?;
                if got != bytes.len() {
                    return Err(fault);
                }
                into[done..done + part].copy_from_slice(&bytes[offset..offset + part]);
                if pages.len() < MOST {
                    pages.insert(page, bytes.into());
                }
            }
            done += part;
        }
        Ok(())
    }
}

/// Reads `size` bytes at each of `places`, one behind the other; returns how many came.
fn read(pid: u32, places: &[u64], size: u64, into: &mut [u8]) -> Result<usize, Fault> {
    let remote: Vec<libc::iovec> = places
        .iter()
        .map(|place| libc::iovec { iov_base: *place as *mut _, iov_len: size as usize })
        .collect();
    let local = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: into.len() };
    // SAFETY: `local` is the buffer; the remote places are the other process's, which the kernel checks.
    let got = unsafe {
        let (pid, count) = (pid as libc::pid_t, remote.len() as libc::c_ulong);
        libc::process_vm_readv(pid, &local, 1, remote.as_ptr(), count, 0)
    };
    if got >= 0 {
        return Ok(got as usize);
    }
    match std::io::Error::last_os_error().raw_os_error() {
        Some(libc::ESRCH) => Err(Fault::Gone),
        Some(libc::EPERM) => Err(Fault::Unknown(super::process::not_allowed(pid))),
        _ => Err(Fault::Unreadable { address: places[0], bytes: into.len() }),
    }
}
