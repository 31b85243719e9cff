//! The NUMA nodes of the memory that samples name, and of the thread that uses it.
//!
//! The handler calls this, only on machines with several nodes: two system calls a sample, 1 to 2
//! us.
//!
//! What must hold: [`of`] is async-signal-safe. A page that the program has not touched stays
//! untouched: so the agent asks by `move_pages`, which moves nothing when it gets no list of nodes.

use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether the machine has several nodes, and the system tells where pages lie.
static TELLS: AtomicBool = AtomicBool::new(false);

/// Reads the number of the machine's nodes, before the program can have opened files of its own.
pub fn look() {
    let mut bytes = [0; 64];
    let online = omphalos_sys::file::read(&[b"/sys/devices/system/node/online"], &mut bytes);
    TELLS.store(online.is_some_and(has_several), Relaxed);
}

/// Whether a list in the system's form (`0`, `0-1`, `0,2`) has more than one number.
fn has_several(list: &[u8]) -> bool {
    list.iter().any(|byte| matches!(byte, b'-' | b','))
}

/// Returns the node of the page at this address, and that of the CPU on which the thread runs.
/// `None` where the machine has one node, the page is not there, or the system does not say.
pub fn of(address: u64) -> Option<(u32, u32)> {
    if !TELLS.load(Relaxed) {
        return None;
    }
    let page = address as *const c_void;
    let (mut node, mut cpu, mut from): (c_int, u32, u32) = (-1, 0, 0);
    // SAFETY: the system reads one address and writes one number; it moves nothing without a list
    // of nodes. The second call writes two numbers.
    let told = unsafe {
        let nowhere = core::ptr::null::<c_int>();
        let told = libc::syscall(libc::SYS_move_pages, 0, 1usize, &page, nowhere, &mut node, 0);
        let nothing = core::ptr::null::<c_void>();
        told | libc::syscall(libc::SYS_getcpu, &mut cpu, &mut from, nothing)
    };
    if told != 0 {
        // A container may forbid the call: then it is not tried again.
        TELLS.store(false, Relaxed);
        return None;
    }
    u32::try_from(node).ok().map(|node| (node, from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_nodes() {
        for (list, several) in [(&b"0"[..], false), (b"", false), (b"0-3", true), (b"0,2", true)] {
            assert_eq!(has_several(list), several, "{list:?}");
        }
    }

    /// On one node or more: a touched page has a node, and an untouched one stays untouched.
    #[test]
    fn pages_of_this_process() {
        TELLS.store(true, Relaxed);
        let touched = 1u64;
        let found = of(core::ptr::from_ref(&touched) as u64);
        if !TELLS.load(Relaxed) {
            return; // A sandbox that forbids the call.
        }
        assert!(found.is_some());
        // SAFETY: a page of our own.
        let page = unsafe {
            let (all, kind) = (libc::PROT_READ, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            libc::mmap(core::ptr::null_mut(), 4096, all, kind, -1, 0)
        };
        assert_eq!(of(page as u64), None);
        assert!(TELLS.load(Relaxed), "an untouched page is no refusal");
    }
}
