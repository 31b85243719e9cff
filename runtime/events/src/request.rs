//! A request from outside that a tool come into the running process, and the answer.
//!
//! Another process writes [`REQUEST`] with the system's call for that, which the kernel allows only
//! to a process that may trace this one. Then it writes the word that each region's begin looks at
//! (the engine's `enable`). What must hold: no code here writes a word that the other side writes,
//! and the other side writes no answer. Two processes that ask at once may mix their words: then
//! the checksum is wrong, and nothing happens.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Bytes of settings that a request may have.
pub const REQUEST_BYTES: usize = 6 << 10;

/// See the module. All numbers but the answer's are written from outside.
#[repr(C)]
pub struct Request {
    /// The number of the request, which no other asker takes; never 0.
    pub number: AtomicU64,
    /// [`sum_of`] the other words and the text.
    pub check: AtomicU64,
    /// The time until which the tool may begin, ns of CLOCK_REALTIME: the one clock that all
    /// containers share.
    pub until: AtomicU64,
    /// Bytes of the text.
    pub length: AtomicU64,
    /// The number of the request that is over, or withdrawn.
    pub over: AtomicU64,
    /// Changes as long as the asker is there.
    pub beat: AtomicU64,
    /// The number of the request that the answer is about.
    pub answered: AtomicU64,
    /// An [`answer`].
    pub answer: AtomicU32,
    text: Text,
}

struct Text(UnsafeCell<[u8; REQUEST_BYTES]>);

// SAFETY: this process only reads it, byte by byte, and checks the bytes by the sum.
unsafe impl Sync for Text {}

/// The process's answers.
pub mod answer {
    /// The process has had no request.
    pub const NOTHING: u32 = 0;
    /// The tool is being loaded.
    pub const LOADS: u32 = 1;
    /// The tool is there and waits for the next region that begins.
    pub const AWAITS: u32 = 2;
    /// The tool records.
    pub const RECORDS: u32 = 3;
    /// The tool has ended, and its file is complete.
    pub const OVER: u32 = 4;
    /// The tool cannot be loaded, or refuses to run.
    pub const REFUSED: u32 = 5;
    /// The process has as many tools as it can have.
    pub const FULL: u32 = 6;
}

/// The request of this process.
pub static REQUEST: Request = Request {
    number: AtomicU64::new(0),
    check: AtomicU64::new(0),
    until: AtomicU64::new(0),
    length: AtomicU64::new(0),
    over: AtomicU64::new(0),
    beat: AtomicU64::new(0),
    answered: AtomicU64::new(0),
    answer: AtomicU32::new(answer::NOTHING),
    text: Text(UnsafeCell::new([0; REQUEST_BYTES])),
};

impl Request {
    /// The offset of the text in the request.
    pub const TEXT: usize = core::mem::offset_of!(Request, text);

    /// Copies the text. Returns its length; `None` if the words do not belong together.
    pub fn copy_text(&self, into: &mut [u8; REQUEST_BYTES]) -> Option<usize> {
        let length = usize::try_from(self.length.load(Ordering::Acquire)).ok()?;
        for (at, byte) in into.get_mut(..length)?.iter_mut().enumerate() {
            // SAFETY: within the array; another process may write it meanwhile, as a device would.
            *byte = unsafe { self.text.0.get().cast::<u8>().add(at).read_volatile() };
        }
        let [number, until] = [&self.number, &self.until].map(|word| word.load(Ordering::Acquire));
        let sum = sum_of(number, until, &into[..length]);
        (number != 0 && sum == self.check.load(Ordering::Acquire)).then_some(length)
    }
}

/// Returns FNV-1a, 64 bits, of the two numbers and the text.
pub fn sum_of(number: u64, until: u64, text: &[u8]) -> u64 {
    let bytes = number.to_le_bytes().into_iter().chain(until.to_le_bytes());
    let step = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    bytes.chain(text.iter().copied()).fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A request that two askers wrote at once, or that is half written, counts as none.
    #[test]
    fn words_that_belong_together_are_a_request() {
        let ask = |number: u64, length: u64, check: u64| {
            REQUEST.number.store(number, Ordering::Relaxed);
            REQUEST.until.store(9, Ordering::Relaxed);
            REQUEST.length.store(length, Ordering::Relaxed);
            REQUEST.check.store(check, Ordering::Relaxed);
            let mut text = [0; REQUEST_BYTES];
            REQUEST.copy_text(&mut text).map(|length| text[..length].to_vec())
        };
        // SAFETY: the test's own thread, and no other thread reads meanwhile.
        unsafe { REQUEST.text.0.get().cast::<[u8; 3]>().write(*b"abc") };
        assert_eq!(ask(7, 3, sum_of(7, 9, b"abc")).as_deref(), Some(&b"abc"[..]));
        assert_eq!(ask(7, 2, sum_of(7, 9, b"abc")), None);
        assert_eq!(ask(8, 3, sum_of(7, 9, b"abc")), None);
        assert_eq!(ask(0, 0, sum_of(0, 9, b"")), None);
        assert_eq!(ask(7, u64::MAX, 0), None);
    }
}
