//! The C library's buffered streams. A call that the buffer serves does not sleep and goes straight
//! on; the agent follows a call that has to read or write the file.
//!
//! What must hold: the agent only reads a stream's buffer. If another thread uses the stream, the
//! answer may be out of date: then a call is followed in vain, or a sleep is not seen.

use core::ffi::{c_char, c_int, c_void};
use libc::{FILE, size_t, ssize_t, wchar_t};

/// The begin of the C library's FILE, which old programs read, too.
#[repr(C)]
struct Head {
    flags: c_int,
    read: *const c_void,
    read_end: *const c_void,
    read_base: *const c_void,
    write_base: *const c_void,
    write: *const c_void,
    write_end: *const c_void,
}

unsafe extern "C" {
    static stdin: *mut FILE;
    static stdout: *mut FILE;
}

#[inline(always)]
fn input() -> *mut FILE {
    // SAFETY: the C library's own; a program that changes it does so before others read.
    unsafe { (&raw const stdin).read_volatile() }
}

#[inline(always)]
fn output() -> *mut FILE {
    // SAFETY: as above.
    unsafe { (&raw const stdout).read_volatile() }
}

/// Returns the part that a stream has read from its file and not given out: its address and bytes.
#[inline(always)]
fn buffered(stream: *mut FILE) -> (*const c_void, usize) {
    let head = stream.cast::<Head>();
    if head.is_null() {
        return (core::ptr::null(), 0);
    }
    // SAFETY: the caller's stream is valid.
    let (from, end) = unsafe {
        ((&raw const (*head).read).read_volatile(), (&raw const (*head).read_end).read_volatile())
    };
    (from, end.addr().saturating_sub(from.addr()))
}

/// Whether a stream holds this many bytes to read.
#[inline(always)]
fn holds(stream: *mut FILE, bytes: usize) -> bool {
    buffered(stream).1 >= bytes
}

/// Whether a stream holds a line, or as much of one as the call asks for.
#[inline(always)]
fn holds_line(stream: *mut FILE, end: c_int, most: usize) -> bool {
    let (from, bytes) = buffered(stream);
    // SAFETY: the stream's buffer.
    bytes > 0 && (bytes >= most || !unsafe { libc::memchr(from, end, bytes) }.is_null())
}

/// Whether this many bytes can be written into a stream's buffer.
#[inline(always)]
pub(super) fn has_room(stream: *mut FILE, bytes: usize) -> bool {
    let head = stream.cast::<Head>();
    // SAFETY: the caller's stream is valid.
    !head.is_null()
        && unsafe {
            let end = (&raw const (*head).write_end).read_volatile();
            let at = (&raw const (*head).write).read_volatile();
            end.addr().saturating_sub(at.addr()) >= bytes
        }
}

/// Whether a text has room in the buffer, with the new line that `puts` adds.
#[inline(always)]
fn has_room_for(stream: *mut FILE, text: *const c_char) -> bool {
    // SAFETY: the caller passes a text. The text's length is looked for only if the stream has any
    // room.
    has_room(stream, 1) && has_room(stream, unsafe { libc::strlen(text) } + 1)
}

const NEW_LINE: c_int = b'\n' as c_int;

interpose! {
    false c"":
    fn fread(to: *mut c_void, size: size_t, count: size_t, stream: *mut FILE) -> size_t
        [direct if holds(stream, size.saturating_mul(count))];
    fn fread_unlocked as fread(
        to: *mut c_void, size: size_t, count: size_t, stream: *mut FILE
    ) -> size_t [direct if holds(stream, size.saturating_mul(count))];
    fn __fread_chk as fread(
        to: *mut c_void, room: size_t, size: size_t, count: size_t, stream: *mut FILE
    ) -> size_t [direct if holds(stream, size.saturating_mul(count))];
    fn fgets(to: *mut c_char, size: c_int, stream: *mut FILE) -> isize
        [direct if holds_line(stream, NEW_LINE, (size.max(1) - 1) as usize)];
    fn fgets_unlocked as fgets(to: *mut c_char, size: c_int, stream: *mut FILE) -> isize
        [direct if holds_line(stream, NEW_LINE, (size.max(1) - 1) as usize)];
    fn __fgets_chk as fgets(
        to: *mut c_char, room: size_t, size: c_int, stream: *mut FILE
    ) -> isize [direct if holds_line(stream, NEW_LINE, (size.max(1) - 1) as usize)];
    fn getline(line: *mut *mut c_char, size: *mut size_t, stream: *mut FILE) -> ssize_t
        [direct if holds_line(stream, NEW_LINE, usize::MAX)];
    fn getdelim(
        line: *mut *mut c_char, size: *mut size_t, end: c_int, stream: *mut FILE
    ) -> ssize_t [direct if holds_line(stream, end, usize::MAX)];
    // A header turns `getline` into this.
    fn __getdelim as getline(
        line: *mut *mut c_char, size: *mut size_t, end: c_int, stream: *mut FILE
    ) -> ssize_t [direct if holds_line(stream, end, usize::MAX)];
    fn fgetc(stream: *mut FILE) -> c_int [direct if holds(stream, 1)];
    fn getc(stream: *mut FILE) -> c_int [direct if holds(stream, 1)];
    fn _IO_getc as getc(stream: *mut FILE) -> c_int [direct if holds(stream, 1)];
    fn getc_unlocked as getc(stream: *mut FILE) -> c_int [direct if holds(stream, 1)];
    fn fgetc_unlocked as fgetc(stream: *mut FILE) -> c_int [direct if holds(stream, 1)];
    fn getchar() -> c_int [direct if holds(input(), 1)];
    fn getchar_unlocked as getchar() -> c_int [direct if holds(input(), 1)];
    fn getw(stream: *mut FILE) -> c_int [direct if holds(stream, size_of::<c_int>())];
    // A compiler may expand such a call in place: into a look at the buffer, and a call of these.
    fn __uflow as getc(stream: *mut FILE) -> c_int;
    fn __underflow as getc(stream: *mut FILE) -> c_int;
    fn fgetwc(stream: *mut FILE) -> c_int [direct if holds(stream, 1)];
    fn getwc(stream: *mut FILE) -> c_int [direct if holds(stream, 1)];
    fn getwchar() -> c_int [direct if holds(input(), 1)];
    fn fgetws(to: *mut wchar_t, size: c_int, stream: *mut FILE) -> isize;

    fn fwrite(from: *const c_void, size: size_t, count: size_t, stream: *mut FILE) -> size_t
        [direct if has_room(stream, size.saturating_mul(count))];
    fn fwrite_unlocked as fwrite(
        from: *const c_void, size: size_t, count: size_t, stream: *mut FILE
    ) -> size_t [direct if has_room(stream, size.saturating_mul(count))];
    fn fputs(text: *const c_char, stream: *mut FILE) -> c_int
        [direct if has_room_for(stream, text)];
    fn fputs_unlocked as fputs(text: *const c_char, stream: *mut FILE) -> c_int
        [direct if has_room_for(stream, text)];
    fn puts(text: *const c_char) -> c_int [direct if has_room_for(output(), text)];
    fn fputc(byte: c_int, stream: *mut FILE) -> c_int [direct if has_room(stream, 1)];
    fn putc(byte: c_int, stream: *mut FILE) -> c_int [direct if has_room(stream, 1)];
    fn _IO_putc as putc(byte: c_int, stream: *mut FILE) -> c_int [direct if has_room(stream, 1)];
    fn putchar(byte: c_int) -> c_int [direct if has_room(output(), 1)];
    fn __overflow as putc(stream: *mut FILE, byte: c_int) -> c_int;
    fn fflush(stream: *mut FILE) -> c_int;
    fn fclose(stream: *mut FILE) -> c_int;
}

/// A length that most formatted texts do not reach, bytes.
const TEXT: usize = 512;

#[inline(always)]
pub(super) fn has_room_for_most(stream: *mut FILE) -> bool {
    has_room(stream, TEXT)
}

#[inline(always)]
pub(super) fn output_has_room_for_most() -> bool {
    has_room(output(), TEXT)
}
