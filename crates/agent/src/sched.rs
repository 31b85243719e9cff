//! What the system knows of a thread: how long it ran, and how long it could have run but had no
//! processor.

/// Nanoseconds on a processor and waiting for one, since the thread began; `None` where the system
/// does not say. Async-signal-safe.
pub fn of_thread(id: i32) -> Option<[u64; 2]> {
    let mut path = *b"/proc/self/task/0000000000/schedstat\0";
    let mut rest = id.unsigned_abs();
    for at in (16..26).rev() {
        path[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    // No zeros in front of it.
    let zeros = path[16..25].iter().take_while(|digit| **digit == b'0').count();
    path.copy_within(16 + zeros.., 16);
    let mut text = [0u8; 96];
    // SAFETY: a C string and a buffer of ours; the system calls themselves.
    let length = unsafe {
        let flags = libc::O_RDONLY | libc::O_CLOEXEC;
        let file = libc::syscall(libc::SYS_openat, libc::AT_FDCWD, path.as_ptr(), flags, 0);
        if file < 0 {
            return None;
        }
        let length = libc::syscall(libc::SYS_read, file, text.as_mut_ptr(), text.len());
        libc::syscall(libc::SYS_close, file);
        usize::try_from(length).ok()?
    };
    let mut numbers = text.get(..length)?.split(|byte| *byte == b' ').map(number);
    Some([numbers.next()??, numbers.next()??])
}

fn number(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0u64, |number, digit| {
        let digit = digit.checked_sub(b'0').filter(|digit| *digit < 10)?;
        number.checked_mul(10)?.checked_add(u64::from(digit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_says_what_this_thread_ran() {
        let id = omphalos_sys::thread::id();
        let before = of_thread(id).expect("schedstat");
        let begin = omphalos_sys::clock::nanoseconds();
        while omphalos_sys::clock::nanoseconds() - begin < 20_000_000 {}
        let after = of_thread(id).expect("schedstat");
        let passed = omphalos_sys::clock::nanoseconds() - begin;
        let known = (after[0] - before[0]) + (after[1] - before[1]);
        assert!(known <= passed + 20_000_000 && known > 0, "{known} of {passed}");
        assert_eq!(of_thread(0), None);
    }
}
