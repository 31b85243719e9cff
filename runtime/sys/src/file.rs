//! Reads small files of the kernel at once into the caller's memory, for `control_group.rs` and
//! `process.rs`. Async-signal-safe.

/// The longest path that is opened, with its closing zero. Those of control groups have a few
/// hundred bytes.
const PATH_BYTES: usize = 1024;

/// Reads the file whose path is made of these pieces, up to the length of `into`. Returns the bytes
/// that were read; `None` if the file cannot be opened.
pub fn read<'a>(path: &[&[u8]], into: &'a mut [u8]) -> Option<&'a [u8]> {
    let mut whole = [0u8; PATH_BYTES];
    let mut length = 0;
    for piece in path {
        whole.get_mut(length..length + piece.len())?.copy_from_slice(piece);
        length += piece.len();
    }
    if *whole.get(length)? != 0 {
        return None;
    }
    // SAFETY: the path ends with a zero, since the array began as zeros and has room for one.
    let file = unsafe { libc::open(whole.as_ptr().cast(), libc::O_RDONLY | libc::O_CLOEXEC) };
    if file < 0 {
        return None;
    }
    let mut got = 0;
    while got < into.len() {
        let rest = &mut into[got..];
        // SAFETY: `rest` is valid for writes of its length.
        let more = unsafe { libc::read(file, rest.as_mut_ptr().cast(), rest.len()) };
        if more <= 0 {
            break;
        }
        got += more as usize;
        if got < into.len() / 2 {
            // The kernel gives such files whole when the buffer has room.
            break;
        }
    }
    // SAFETY: opened above.
    unsafe { libc::close(file) };
    Some(&into[..got])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_a_path() {
        let mut buffer = [0u8; 4096];
        let text = read(&[b"/proc", b"/self/", b"status"], &mut buffer).unwrap();
        assert!(text.starts_with(b"Name:"));
        assert!(read(&[b"/proc/self/no such file"], &mut buffer).is_none());
        assert!(read(&[&[b'x'; PATH_BYTES]], &mut buffer).is_none());
        assert!(read(&[&[b'x'; PATH_BYTES], b"y"], &mut buffer).is_none());
    }
}
