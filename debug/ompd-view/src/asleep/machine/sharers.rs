//! Finds other processes that have the object that a thread waits at: memory, a counter, or a queue
//! of messages.

use std::fs;
use std::os::unix::fs::MetadataExt;

use super::{field, info, numbers, processes};

/// The most descriptors, of all processes together, that are looked at.
const MOST_OF_ALL: usize = 1 << 16;

/// Memory of one process that others may write to as well.
pub struct Memory(Vec<(u64, u64, Vec<u32>)>);

impl Memory {
    /// Finds the shared memory of `pid`, and who may write to it.
    pub fn of(pid: u32) -> Memory {
        let maps = |pid: u32| fs::read(format!("/proc/{pid}/maps")).unwrap_or_default();
        let text = maps(pid);
        let text = String::from_utf8_lossy(&text);
        let own: Vec<Shared<'_>> = text.lines().filter_map(shared).collect();
        let mut found: Vec<(u64, u64, Vec<u32>)> =
            own.iter().map(|own| (own.start, own.end, Vec::new())).collect();
        let others = processes().into_iter().filter(|other| *other != pid && !own.is_empty());
        for other in others {
            let text = maps(other);
            let text = String::from_utf8_lossy(&text);
            let writes: Vec<Shared<'_>> =
                text.lines().filter_map(shared).filter(|its| its.writable).collect();
            for (own, (.., by)) in own.iter().zip(&mut found) {
                by.extend(writes.iter().any(|its| its.file == own.file).then_some(other));
            }
        }
        found.retain(|(.., by)| !by.is_empty());
        Memory(found)
    }

    /// The processes that may write at an address of the process.
    pub fn writers(&self, address: u64) -> &[u32] {
        let is_there = |(start, end, _): &&(u64, u64, Vec<u32>)| (*start..*end).contains(&address);
        self.0.iter().find(is_there).map_or(&[], |(.., by)| by)
    }
}

/// Shared memory, as the kernel lists it.
#[derive(Debug, PartialEq, Eq)]
struct Shared<'a> {
    start: u64,
    end: u64,
    writable: bool,
    /// The device and the number of its file.
    file: &'a str,
}

/// Reads "7f12-7f13 rw-s 00000000 00:01 4711  /dev/zero (deleted)". `None` for memory that is not
/// shared: its rights end with another letter than `s`.
fn shared(line: &str) -> Option<Shared<'_>> {
    let (range, rest) = line.split_once(' ')?;
    let (start, end) = range.split_once('-')?;
    let number = |text| u64::from_str_radix(text, 16).ok();
    let (rights, rest) = rest.split_once(' ')?;
    let (_, file) = rest.split_once(' ')?;
    let length = file.match_indices(' ').nth(1).map_or(file.len(), |(at, _)| at);
    let (start, end, writable) = (number(start)?, number(end)?, rights.contains('w'));
    rights.ends_with('s').then_some(Shared { start, end, writable, file: &file[..length] })
}

/// The other processes that have the file behind a descriptor open.
pub fn of_file(pid: u32, number: i32) -> Vec<u32> {
    let file = |pid: u32, number: i32| {
        let data = fs::metadata(format!("/proc/{pid}/fd/{number}")).ok()?;
        Some((data.dev(), data.ino()))
    };
    let Some(own) = file(pid, number) else { return Vec::new() };
    let others = processes().into_iter().filter(|other| *other != pid);
    let each = others.flat_map(|other| numbers(other).map(move |number| (other, number)));
    let same = each.take(MOST_OF_ALL).filter(|(other, number)| file(*other, *number) == Some(own));
    let mut found: Vec<u32> = same.map(|(other, _)| other).collect();
    found.dedup();
    found
}

/// The other processes that have the counter behind a descriptor, an eventfd.
pub fn of_counter(pid: u32, number: i32) -> Vec<u32> {
    let id = |pid: u32, number: i32| field(&info(pid, number)?, "eventfd-id", 10);
    let Some(own) = id(pid, number) else { return Vec::new() };
    let others = processes().into_iter().filter(|other| *other != pid);
    let each = others.flat_map(|other| numbers(other).map(move |number| (other, number)));
    let same = each.take(MOST_OF_ALL).filter(|(other, number)| id(*other, *number) == Some(own));
    let mut found: Vec<u32> = same.map(|(other, _)| other).collect();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_memory_is_known_by_its_file() {
        let known =
            |line| shared(line).map(|it| (it.start, it.end, it.writable, it.file.to_owned()));
        let file = "00:01 4711".to_owned();
        let line = "7f12-7f13 rw-s 00000000 00:01 4711                 /dev/zero (deleted)";
        assert_eq!(known(line), Some((0x7f12, 0x7f13, true, file.clone())));
        assert_eq!(known("1-2 r--s 00000000 00:01 4711"), Some((1, 2, false, file)));
        assert_eq!(known("7f12-7f13 rw-p 00000000 00:01 4711 a"), None);
        assert_eq!(known("damaged"), None);
    }
}
