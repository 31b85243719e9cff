//! Writes places and faults, from the facts that the runtime gives.

use super::tracee::Memory;
use crate::finding::{Kind, Place};
use crate::model::{Problem, SiteId, quoted};
use crate::names;

/// The greatest number of bytes of a place's text that are read.
const LONGEST_LOCATION: usize = 4096;

fn text(address: u64, memory: &Memory) -> Option<String> {
    let text = memory.some(address, LONGEST_LOCATION);
    let end = text.iter().position(|byte| *byte == 0)?;
    Some(String::from_utf8_lossy(&text[..end]).into_owned())
}

/// Reads a variable's name in the form of LLVM's compilers, without its section:
/// `;a[0:n];app.c;9;20;;` is `a`.
pub fn called(address: u64, memory: &Memory) -> Option<String> {
    if address == 0 {
        return None;
    }
    let text = text(address, memory)?;
    let name = text.strip_prefix(';')?.split(';').next()?;
    let name = name.split('[').next().unwrap_or(name).trim();
    (!matches!(name, "" | "unknown")).then(|| name.to_owned())
}

/// Reads a place in the form of LLVM's compilers.
pub fn located(location: u64, memory: &Memory) -> Option<Place> {
    if location == 0 {
        return None;
    }
    let text = text(memory.word(location.wrapping_add(16))?, memory)?;
    let mut pieces = text.split(';').skip(1);
    let (file, function, line) = (pieces.next()?, pieces.next()?, pieces.next()?);
    let line = line.parse().ok().filter(|line| *line > 0)?;
    Some(names::place(Some(file), line, function))
}

pub fn no_device(number: i32, site: SiteId) -> Problem {
    let what =
        format!("wrong device: there is no device {number}; the host executes the construct");
    let (kind, device, construct) = (Kind::WrongDevice, Some(number), Some(site));
    let advice = Some("`omp_get_num_devices` says how many there are".to_owned());
    Problem { kind, variable: None, device, what, construct, others: Vec::new(), advice }
}

pub fn fault(
    kind: u64,
    variable: Option<String>,
    section: (u64, u64),
    other: (u64, u64),
    device: i32,
    at: SiteId,
) -> Problem {
    let name = quoted(variable.as_deref(), "memory");
    let bytes = section.1.saturating_sub(section.0);
    let (kind, what, advice) = match kind {
        1 => {
            let there = other.1.saturating_sub(other.0);
            let (from, to) = (other.0 as i64 - section.0 as i64, other.1 as i64 - section.0 as i64);
            let what = format!(
                "wrong section: {bytes} bytes of {name} cannot be used on device {device}, where \
                 only {there} bytes of it are mapped (from byte {from} to before byte {to})"
            );
            (Kind::WrongSection, what, "map all of it at first, or the same part each time")
        }
        2 => {
            let what = format!("not present: {bytes} bytes of {name} are not on device {device}");
            (Kind::NotPresent, what, "map it before: `present` says that it is there")
        }
        3 => (
            Kind::PointerNotAttached,
            format!(
                "pointer not attached: {name} cannot be attached on device {device}, since what it \
                 points to is not mapped"
            ),
            "map what it points to in the same construct, or before",
        ),
        4 => (
            Kind::PointerNotAttached,
            format!("pointer not attached: {name} is null"),
            "set it before it is mapped",
        ),
        5 => (
            Kind::WrongSection,
            format!(
                "wrong section: {name} cannot be mapped to device {device}: other members of its \
                 structure are there, and were mapped without it"
            ),
            "map all members that are used in one construct",
        ),
        _ => {
            let what = format!("no memory: device {device} has none left for {bytes} bytes");
            (Kind::NoMemory, what, "")
        }
    };
    let advice = Some(advice.to_owned()).filter(|advice| !advice.is_empty());
    let (device, construct, others) = (Some(device), Some(at), Vec::new());
    Problem { kind, variable, device, what, construct, others, advice }
}
