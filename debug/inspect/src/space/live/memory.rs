//! The memory of a process, page by page. A page that was read once stays as it was.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use omphalos_ompd_view::Fault;
use omphalos_ompd_view::quick::QuickMap;

const PAGE: u64 = 4096;
const SIZE: usize = PAGE as usize;
/// The most pages that are kept; pages beyond are read each time.
const MOST: usize = 1 << 16;
/// Places that the kernel reads in one call.
const BATCH: usize = 1024;
/// Bytes of one block of pages, at most.
const BLOCK: usize = 4 << 20;
/// The greatest number of pages that cannot be read and are skipped. Pages behind the last skipped
/// one are read when they are needed.
const MOST_HOLES: usize = 64;
/// Threads that copy at once, at most. (Measured with two.)
const MOST_COPIERS: usize = 4;

pub struct Memory {
    pid: u32,
    /// The place of each page: its block, and the offset there.
    pages: RefCell<QuickMap<u64, (usize, usize)>>,
    blocks: RefCell<Vec<Box<[u8]>>>,
    missed: Cell<bool>,
}

/// Pages that will be needed, with memory that is ready for them.
pub struct Expected {
    pages: Vec<u64>,
    blocks: Vec<Box<[u8]>>,
}

/// Pages of one block, and whether each could be read.
struct Part<'a> {
    pages: &'a [u64],
    bytes: Box<[u8]>,
    got: Vec<bool>,
}

impl Expected {
    pub fn new(mut pages: Vec<u64>) -> Expected {
        pages.sort_unstable();
        pages.dedup();
        pages.truncate(MOST);
        let block = |part: &[u64]| {
            let mut bytes = vec![0; part.len() * SIZE].into_boxed_slice();
            // The system provides memory when it is first touched: touch it now, not while a
            // program stands still.
            bytes.iter_mut().step_by(SIZE).for_each(|byte| *byte = 1);
            std::hint::black_box(bytes)
        };
        let blocks = pages.chunks(BLOCK / SIZE).map(block).collect();
        Expected { pages, blocks }
    }
}

impl Memory {
    pub fn of(pid: u32) -> Memory {
        let (pages, blocks) = Default::default();
        Memory { pid, pages, blocks, missed: Cell::new(false) }
    }

    /// Pages that are kept.
    pub fn known(&self) -> Vec<u64> {
        self.pages.borrow().keys().copied().collect()
    }

    /// Whether, since the last call, a page was read that had not been kept.
    pub fn has_missed(&self) -> bool {
        self.missed.replace(false)
    }

    /// Keeps the memory at `ranges`, as far as it can be read, in few calls of the kernel.
    pub fn copy(&self, ranges: &[(u64, u64)]) {
        let page = |&(from, end): &(u64, u64)| (from & !(PAGE - 1)..end).step_by(SIZE);
        let wanted = ranges.iter().flat_map(page);
        let wanted = wanted.filter(|page| !self.pages.borrow().contains_key(page)).collect();
        self.fetch(Expected::new(wanted));
    }

    /// Keeps the expected pages, as far as they can be read, in few calls of the kernel, and on
    /// several processors, since the target may stand still meanwhile.
    pub fn fetch(&self, expected: Expected) {
        let pages = expected.pages.chunks(BLOCK / SIZE);
        let part = |(pages, bytes)| Part { pages, bytes, got: Vec::new() };
        let mut parts: Vec<Part<'_>> = pages.zip(expected.blocks).map(part).collect();
        let copiers = std::thread::available_parallelism().map_or(1, usize::from);
        let copiers = copiers.min(MOST_COPIERS).min(parts.len());
        let (pid, holes) = (self.pid, AtomicUsize::new(0));
        let rest = Mutex::new(parts.iter_mut());
        let next = || rest.lock().unwrap_or_else(PoisonError::into_inner).next();
        let copy = || {
            while let Some(part) = next() {
                part.got = copied(pid, part.pages, &mut part.bytes, &holes);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..copiers {
                // If no thread can be started, this one copies the rest.
                let _ = std::thread::Builder::new().spawn_scoped(scope, copy);
            }
            copy();
        });
        let (mut pages, mut blocks) = (self.pages.borrow_mut(), self.blocks.borrow_mut());
        for Part { pages: part, bytes, got } in parts {
            for (index, page) in part.iter().enumerate().filter(|(index, _)| got[*index]) {
                pages.insert(*page, (blocks.len(), index * SIZE));
            }
            blocks.push(bytes);
        }
    }

    pub fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Fault> {
        let fault = Fault::Unreadable { address, bytes: into.len() };
        if into.len() > 16 * SIZE {
            let got = read(self.pid, &[address], into.len() as u64, into)?;
            return if got == into.len() { Ok(()) } else { Err(fault) };
        }
        let mut done = 0;
        while done < into.len() {
            let at = address.checked_add(done as u64).ok_or_else(|| fault.clone())?;
            let page = at & !(PAGE - 1);
            let offset = (at - page) as usize;
            let part = (SIZE - offset).min(into.len() - done);
            let target = &mut into[done..done + part];
            let known = self.pages.borrow().get(&page).copied();
            match known {
                Some((block, start)) => {
                    let from = start + offset;
                    target.copy_from_slice(&self.blocks.borrow()[block][from..from + part]);
                }
                None => target.copy_from_slice(&self.ask(page, &fault)?[offset..offset + part]),
            }
            done += part;
        }
        Ok(())
    }

    /// Reads and keeps a page that was not expected.
    fn ask(&self, page: u64, fault: &Fault) -> Result<[u8; SIZE], Fault> {
        self.missed.set(true);
        let mut bytes = [0; SIZE];
        if read(self.pid, &[page], PAGE, &mut bytes)? != SIZE {
            return Err(fault.clone());
        }
        let (mut pages, mut blocks) = (self.pages.borrow_mut(), self.blocks.borrow_mut());
        if pages.len() < MOST {
            pages.insert(page, (blocks.len(), 0));
            blocks.push(Box::new(bytes));
        }
        Ok(bytes)
    }
}

/// Reads the memory of a process as it is at this moment, whatever was kept. Returns false if it
/// cannot be read.
pub fn peek(pid: u32, address: u64, into: &mut [u8]) -> bool {
    read(pid, &[address], into.len() as u64, into).is_ok_and(|got| got == into.len())
}

/// Writes into the memory of a running process. Returns false if that is not allowed, or if there
/// is no memory.
pub fn poke(pid: u32, address: u64, bytes: &[u8]) -> bool {
    let local = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
    let remote = libc::iovec { iov_base: address as *mut _, iov_len: bytes.len() };
    // SAFETY: `local` is only read; the remote place is the other process's, which the kernel
    // checks.
    let put = unsafe { libc::process_vm_writev(pid as libc::pid_t, &local, 1, &remote, 1, 0) };
    usize::try_from(put) == Ok(bytes.len())
}

/// Reads pages, as far as they can be read. Returns whether each was read. `holes`: the pages
/// skipped so far.
fn copied(pid: u32, pages: &[u64], bytes: &mut [u8], holes: &AtomicUsize) -> Vec<bool> {
    let mut all = vec![false; pages.len()];
    let mut at = 0;
    while at < pages.len() && holes.load(Ordering::Relaxed) < MOST_HOLES {
        let batch = &pages[at..pages.len().min(at + BATCH)];
        let got = read(pid, batch, PAGE, &mut bytes[at * SIZE..][..batch.len() * SIZE]);
        let got = got.unwrap_or(0) / SIZE;
        all[at..at + got].fill(true);
        let is_short = got < batch.len();
        holes.fetch_add(usize::from(is_short), Ordering::Relaxed);
        at += got + usize::from(is_short);
    }
    all
}

/// Reads `size` bytes at each of `places`, one behind the other. Returns how many bytes were read.
fn read(pid: u32, places: &[u64], size: u64, into: &mut [u8]) -> Result<usize, Fault> {
    let mut remote: Vec<libc::iovec> = Vec::with_capacity(places.len());
    for &place in places {
        match remote.last_mut() {
            Some(last) if last.iov_base as u64 + last.iov_len as u64 == place => {
                last.iov_len += size as usize;
            }
            _ => {
                remote.push(libc::iovec { iov_base: place as *mut _, iov_len: size as usize });
            }
        }
    }
    let local = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: into.len() };
    // SAFETY: `local` is the buffer; the remote places are the other process's, which the kernel
    // checks.
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
