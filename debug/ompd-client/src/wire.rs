//! Questions and answers between the process that has the target and the one that has the library.

use std::io::{Read, Write};

/// A message of the process with the library.
#[derive(Debug, PartialEq, Eq)]
pub enum Say {
    /// The library is loaded.
    Ready,
    /// A question for memory: the address, and the number of bytes.
    Read(u64, u32),
    /// A question for a variable, and the thread whose copy is wanted (0: any).
    Variable(u32, String),
    /// A question for the threads.
    Threads,
    /// The final answer: JSON of a snapshot.
    Done(Vec<u8>),
    /// The final answer: the reason why there is no snapshot.
    Failed(String),
}

/// The most bytes of a message.
pub const LONGEST: u32 = 64 << 20;

/// Writes a message: its length, then its parts.
pub fn send(out: &mut dyn Write, parts: &[&[u8]]) -> std::io::Result<()> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let length = u32::try_from(length).ok().filter(|length| *length <= LONGEST);
    let length = length.ok_or(std::io::ErrorKind::InvalidData)?;
    let mut all = Vec::with_capacity(length as usize + 4);
    all.extend_from_slice(&length.to_le_bytes());
    parts.iter().for_each(|part| all.extend_from_slice(part));
    out.write_all(&all)?;
    out.flush()
}

/// Reads a message.
pub fn receive(input: &mut dyn Read) -> std::io::Result<Vec<u8>> {
    let mut length = [0; 4];
    input.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length > LONGEST {
        return Err(std::io::ErrorKind::InvalidData.into());
    }
    // The other side may promise more bytes than it sends, so memory is allocated as they come.
    let mut all = Vec::new();
    input.take(u64::from(length)).read_to_end(&mut all)?;
    match all.len() == length as usize {
        true => Ok(all),
        false => Err(std::io::ErrorKind::UnexpectedEof.into()),
    }
}

/// Writes a message to the process with the target.
pub fn say(out: &mut dyn Write, what: &Say) -> std::io::Result<()> {
    match what {
        Say::Ready => send(out, &[b"+"]),
        Say::Read(address, bytes) => {
            send(out, &[b"r", &address.to_le_bytes(), &bytes.to_le_bytes()])
        }
        Say::Variable(lwp, name) => send(out, &[b"v", &lwp.to_le_bytes(), name.as_bytes()]),
        Say::Threads => send(out, &[b"t"]),
        Say::Done(all) => send(out, &[b"=", all]),
        Say::Failed(why) => send(out, &[b"-", why.as_bytes()]),
    }
}

/// Parses a message; `None` if it makes no sense.
pub fn understood(message: &[u8]) -> Option<Say> {
    let (kind, rest) = message.split_first()?;
    let text = || String::from_utf8_lossy(rest).into_owned();
    Some(match kind {
        b'+' => Say::Ready,
        b'r' => Say::Read(number(rest.get(..8)?), number(rest.get(8..12)?) as u32),
        b'v' => {
            let name = String::from_utf8_lossy(rest.get(4..)?).into_owned();
            Say::Variable(number(&rest[..4]) as u32, name)
        }
        b't' => Say::Threads,
        b'=' => Say::Done(rest.to_vec()),
        b'-' => Say::Failed(text()),
        _ => return None,
    })
}

/// A number of up to eight bytes.
pub fn number(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |all, byte| all << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_heard() {
        let all = [
            Say::Ready,
            Say::Read(u64::MAX, 8),
            Say::Variable(7, "ompd_state".to_owned()),
            Say::Threads,
            Say::Done(b"{}".to_vec()),
            Say::Failed("why".to_owned()),
        ];
        for what in all {
            let mut bytes = Vec::new();
            say(&mut bytes, &what).unwrap();
            let message = receive(&mut &bytes[..]).unwrap();
            assert_eq!(understood(&message), Some(what));
            assert!(receive(&mut &bytes[..bytes.len() - 1]).is_err());
        }
        assert_eq!(understood(b"r1234"), None);
        assert_eq!(understood(b"v1"), None);
        assert_eq!(understood(b""), None);
        assert!(receive(&mut &[0xff; 16][..]).is_err());
    }
}
