//! Finds what a socket is connected to.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// The most connections, of each protocol in a process's network, that are looked at.
const MOST_CONNECTIONS: usize = 1 << 17;
/// The state of a socket that others connect to, in TCP and for local sockets.
const LISTENS: u8 = 10;

/// The other end of a socket.
#[derive(Debug, PartialEq, Eq)]
pub enum Peer {
    /// A socket of this machine, by its number in the kernel.
    Socket(u64),
    /// An address at which no socket of this machine is known.
    Elsewhere(String),
    /// No other end: others connect to the socket, at this address.
    Listens(String),
}

/// Returns the other end of the socket that the process `pid` has under this kernel number.
pub fn peer(pid: u32, inode: u64) -> Option<Peer> {
    local(inode).or_else(|| internet(pid, inode))
}

/// A connection, as the kernel lists it.
struct Connection {
    own: SocketAddr,
    other: SocketAddr,
    state: u8,
    inode: u64,
}

fn internet(pid: u32, inode: u64) -> Option<Peer> {
    let mut all = Vec::new();
    for name in ["tcp", "tcp6", "udp", "udp6"] {
        let Ok(file) = File::open(format!("/proc/{pid}/net/{name}")) else { continue };
        let lines = BufReader::new(file).lines().map_while(Result::ok).skip(1);
        all.extend(lines.take(MOST_CONNECTIONS).filter_map(|line| connection(&line)));
    }
    of_connections(&all, inode)
}

fn of_connections(all: &[Connection], inode: u64) -> Option<Peer> {
    let own = all.iter().find(|each| each.inode == inode && inode != 0)?;
    if own.state == LISTENS {
        return Some(Peer::Listens(own.own.to_string()));
    }
    if own.other.port() == 0 {
        return None;
    }
    let is_other = |each: &&Connection| {
        (each.own, each.other) == (own.other, own.own) && each.inode != 0 && each.inode != inode
    };
    Some(match all.iter().find(is_other) {
        Some(other) => Peer::Socket(other.inode),
        None => Peer::Elsewhere(own.other.to_string()),
    })
}

/// Reads "0: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000 0 0 4711 …".
fn connection(line: &str) -> Option<Connection> {
    let mut words = line.split_ascii_whitespace().skip(1);
    let (own, other) = (address(words.next()?)?, address(words.next()?)?);
    let state = u8::from_str_radix(words.next()?, 16).ok()?;
    let inode = words.nth(5)?.parse().ok()?;
    Some(Connection { own, other, state, inode })
}

/// Reads the words of the address, in the processor's byte order, then the port.
fn address(text: &str) -> Option<SocketAddr> {
    let (address, port) = text.split_once(':')?;
    let port = u16::from_str_radix(port, 16).ok()?;
    let word = |at: usize| {
        let digits = address.get(8 * at..8 * at + 8)?;
        Some(u32::from_str_radix(digits, 16).ok()?.to_ne_bytes())
    };
    let address = match address.len() {
        8 => IpAddr::V4(Ipv4Addr::from(word(0)?)),
        32 => {
            let mut bytes = [0; 16];
            for (at, four) in bytes.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                *four = word(at)?;
            }
            IpAddr::V6(Ipv6Addr::from(bytes)).to_canonical()
        }
        _ => return None,
    };
    Some(SocketAddr::new(address, port))
}

/// Asks the kernel for the one local socket with that number (sock_diag(7)).
fn local(inode: u64) -> Option<Peer> {
    const BY_FAMILY: u16 = 20;
    const REQUEST: u16 = 1;
    const NAME_AND_PEER: u32 = 1 | 4;
    let mut ask = Vec::new();
    // struct nlmsghdr
    ask.extend(40u32.to_ne_bytes());
    ask.extend(BY_FAMILY.to_ne_bytes());
    ask.extend(REQUEST.to_ne_bytes());
    ask.extend([0; 8]);
    // struct unix_diag_req: only the socket's number is known.
    ask.extend([libc::AF_UNIX as u8, 0, 0, 0]);
    let inode = u32::try_from(inode).ok()?;
    for word in [u32::MAX, inode, NAME_AND_PEER, u32::MAX, u32::MAX] {
        ask.extend(word.to_ne_bytes());
    }
    of_local(&answer(&ask)?)
}

/// Returns the kernel's answer to a question about sockets.
fn answer(ask: &[u8]) -> Option<Vec<u8>> {
    const OF_SOCKETS: i32 = 4;
    let kind = libc::SOCK_RAW | libc::SOCK_CLOEXEC;
    // SAFETY: a call without memory.
    let number = unsafe { libc::socket(libc::AF_NETLINK, kind, OF_SOCKETS) };
    if number < 0 {
        return None;
    }
    // SAFETY: the descriptor is new, and nobody else's.
    let socket = unsafe { OwnedFd::from_raw_fd(number) };
    let mut bytes = vec![0; 8192];
    // SAFETY: the kernel reads that many bytes.
    let sent = unsafe { libc::send(socket.as_raw_fd(), ask.as_ptr().cast(), ask.len(), 0) };
    // The kernel has answered by the time `send` returns.
    let into = bytes.as_mut_ptr().cast();
    // SAFETY: the kernel writes that many bytes at most.
    let got = unsafe { libc::recv(socket.as_raw_fd(), into, bytes.len(), libc::MSG_DONTWAIT) };
    bytes.truncate(usize::try_from(got).ok()?);
    (sent == ask.len() as isize).then_some(bytes)
}

/// Reads struct nlmsghdr and struct unix_diag_msg, then attributes with their lengths and kinds.
fn of_local(bytes: &[u8]) -> Option<Peer> {
    const BY_FAMILY: u16 = 20;
    let short = |at: usize| Some(u16::from_ne_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
    if short(4)? != BY_FAMILY {
        return None;
    }
    let listens = *bytes.get(18)? == LISTENS;
    let (mut name, mut peer) = (None, None);
    let mut at = 32;
    while let (Some(length), Some(kind)) = (short(at), short(at + 2)) {
        let length = usize::from(length);
        let Some(value) = bytes.get(at + 4..at + length) else { break };
        match kind {
            0 => name = Some(String::from_utf8_lossy(value).replace('\0', "@")),
            2 => peer = Some(u32::from_ne_bytes(value.try_into().ok()?)),
            _ => {}
        }
        at += length.next_multiple_of(4).max(4);
    }
    match (listens, peer) {
        (true, _) => Some(Peer::Listens(name?)),
        // A connection that nobody has accepted yet has number 0.
        (false, other) => other.filter(|other| *other != 0).map(|it| Peer::Socket(it.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connections() -> Vec<Connection> {
        let lines = [
            "0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 11 1",
            "1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000 0 0 12 1",
            "2: 0000000000000000FFFF00000100007F:C350 0000000000000000FFFF00000100007F:1F90 01 \
             00000000:00000000 00:00000000 00000000 0 0 13 1",
            "3: 0100007F:1F91 08080808:0035 01 00000000:00000000 00:00000000 00000000 0 0 14 1",
            "damaged",
        ];
        lines.iter().filter_map(|line| connection(line)).collect()
    }

    #[test]
    fn the_other_end_of_a_connection_is_found() {
        let of = |inode| of_connections(&connections(), inode);
        assert_eq!(of(11), Some(Peer::Listens("127.0.0.1:8080".into())));
        assert_eq!(of(12), Some(Peer::Socket(13)));
        assert_eq!(of(13), Some(Peer::Socket(12)));
        assert_eq!(of(14), Some(Peer::Elsewhere("8.8.8.8:53".into())));
        assert_eq!(of(0), None);
    }

    #[test]
    fn no_answer_of_the_kernels_is_read_beyond_its_end() {
        let mut bytes = vec![0; 40];
        bytes[4] = 20;
        bytes[32] = 8;
        bytes[34] = 2;
        bytes[36] = 7;
        assert_eq!(of_local(&bytes), Some(Peer::Socket(7)));
        for length in 0..bytes.len() {
            assert_eq!(of_local(&bytes[..length]), None);
        }
        bytes[32] = 200;
        assert_eq!(of_local(&bytes), None);
        bytes[32] = 0;
        assert_eq!(of_local(&bytes), None);
    }
}
