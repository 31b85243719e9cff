//! What the runtime tells.

use libc::{pid_t, user_regs_struct};

use super::process::Process;
use super::tracee::Memory;
use super::{Doing, Trace};
use crate::finding::{Kind, Place};
use crate::model::{Problem, SiteId, quoted};
use crate::names;
use crate::told::{Asks, Item, Told};

/// A routine that works on devices' memory, while it does.
#[derive(Clone, Copy, Debug)]
pub struct Routine {
    pub op: u64,
    pub source: u64,
    pub destination: u64,
    pub bytes: u64,
    pub on: (i32, i32),
}

impl Routine {
    /// Whether it writes to memory.
    pub fn copies(&self) -> bool {
        matches!(self.op, 2 | 3 | 7 | MEMSET | 18 | 19)
    }
}

const ALLOC: u64 = 1;
const DELETE: u64 = 4;
pub const ASSOCIATE: u64 = 5;
pub const DISASSOCIATE: u64 = 6;
pub const MEMSET: u64 = 8;
pub const RECTANGLE: u64 = 9;

/// More bytes of a place are not read.
const LONGEST_LOCATION: usize = 4096;

fn routine(op: u64) -> &'static str {
    match op {
        ALLOC | 17 => "omp_target_alloc",
        DELETE | 20 => "omp_target_free",
        ASSOCIATE => "omp_target_associate_ptr",
        DISASSOCIATE => "omp_target_disassociate_ptr",
        MEMSET => "omp_target_memset",
        RECTANGLE => "omp_target_memcpy_rect",
        _ => "omp_target_memcpy",
    }
}

fn construct(kind: u64) -> &'static str {
    match kind {
        1 | 9 => "target",
        2 | 10 => "target enter data or target data",
        3 | 11 => "target exit data or end of target data",
        _ => "target update",
    }
}

impl Trace<'_> {
    pub(super) fn told(&mut self, thread: pid_t, registers: &user_regs_struct, told: Told) {
        let Some(known) = self.threads.get_mut(&thread) else { return };
        let Some(process) = self.processes.get_mut(&known.process) else { return };
        let memory = process.memory.clone();
        known.own = registers.fs_base;
        let site = known.doing.last().map(|doing| match doing {
            Doing::Runtime(site) | Doing::Region { site, .. } => *site,
        });
        let device = site.map_or(0, |site| process.model.site(site).device);
        let site_or = |process: &mut Process| site.unwrap_or_else(|| process.site("", 0, 0, None));
        match told {
            Told::Construct { kind, device, code, .. } => {
                known.has_met = true;
                known.absent.clear();
                self.constructs += 1;
                let site = process.site(construct(kind), code, device, known.located.take());
                known.doing.push(Doing::Runtime(site));
                known.is_update = matches!(kind, 4 | 12);
            }
            Told::ConstructEnds => {
                known.doing.pop();
                self.settle(thread);
            }
            Told::Kernel { device } => {
                let site = site_or(process);
                known.doing.push(Doing::Region { device, site });
                let usable = process.usable();
                process.model.region_begins(device, &memory, &usable);
                self.settle(thread);
            }
            Told::KernelEnds => {
                known.doing.pop();
                let site = site_or(process);
                process.model.region_ends(site, &memory);
                self.settle(thread);
            }
            Told::Block { device, pages, length, block, bytes } => {
                let made = site_or(process);
                let given = known.routine.is_some();
                let pages = (pages, pages + length);
                process.model.block_came(device, pages, (block, bytes), made, given);
            }
            Told::Released { block } => {
                let at = site_or(process);
                process.model.block_goes(block, at);
            }
            Told::ToDevice { device, host, bytes } => {
                let at = site_or(process);
                process.model.copied_to_device(device, host, bytes, at, &memory);
            }
            Told::ToHost { .. } => {}
            Told::CopiedToHost { host, device, bytes } => {
                let at = site_or(process);
                process.model.copied_from_device(device, host, bytes, at, &memory);
            }
            Told::Fresh { device, bytes } => process.model.fresh(device, bytes),
            Told::Wrote { device, bytes } => process.model.wrote(device, bytes),
            Told::Item(item) => {
                let is_update = known.is_update;
                known.helper = (item.asks == Asks::Pointer).then_some(item.number);
                let site = site_or(process);
                let name = self.item(thread, registers, site, is_update, item);
                let Some(known) = self.threads.get_mut(&thread) else { return };
                known.absent.extend(name);
            }
            Told::Came { number, start, end, device: there } => {
                let at = site_or(process);
                let code = process.model.site(at).code;
                let named = process.name((code, number), start, registers);
                let is_helper = known.helper == Some(number);
                process.model.section_came(device, (start, end), there, named, at, is_helper);
            }
            Told::Goes { start, .. } => {
                let at = site_or(process);
                process.model.section_goes(device, start, at);
            }
            Told::Private { number, start, end, device: there } => {
                let site = site_or(process);
                let code = process.model.site(site).code;
                let named = process.name((code, number), start, registers);
                process.model.private_came(there, end - start, start, named);
            }
            Told::Fault { kind, number, section, other } => {
                let at = site_or(process);
                let code = process.model.site(at).code;
                let named = process.name((code, number), section.0, registers);
                let name = named.map(|named| named.part(section.0));
                let problem = fault(kind, name, section, other, device, at);
                process.ends = true;
                process.say(problem, None, self.found);
            }
            Told::Routine { op, source, destination, bytes, code, on } => {
                known.has_met = true;
                let device = if matches!(op, 3 | DELETE) { on.0 } else { on.1 };
                let at = process.site(routine(op), code, device, None);
                known.doing.push(Doing::Runtime(at));
                let routine = Routine { op, source, destination, bytes, on };
                known.routine = Some(routine);
                process.routine_begins(routine, at, self.found);
            }
            Told::Located { location } => known.located = located(location, &memory),
            Told::Linked { start, bytes } => process.model.linked.add(start, start + bytes),
            Told::RoutineEnds => {
                let routine = known.routine.take();
                known.doing.pop();
                if let Some(routine) = routine {
                    let at = site_or(process);
                    process.routine_ended(routine, at);
                }
                self.settle(thread);
            }
        }
    }

    /// An item of a list. The name of a pointer that is for nothing on the device.
    fn item(
        &mut self,
        thread: pid_t,
        registers: &user_regs_struct,
        site: SiteId,
        is_update: bool,
        item: Item,
    ) -> Option<(String, u64)> {
        let of = self.threads.get(&thread)?.process;
        let process = self.processes.get_mut(&of)?;
        let (code, device) = (process.model.site(site).code, process.model.site(site).device);
        let named = process.name((code, item.number), item.address, registers);
        let name = named.as_ref().map(|named| named.part(item.address));
        match item.asks {
            Asks::NoLength if item.present.is_none() => {
                let (memory, usable) = (process.memory.clone(), process.usable());
                process.model.must_not_use(item.address, name.clone(), &memory, &usable);
                return Some((name.unwrap_or_else(|| "a pointer".to_owned()), item.address));
            }
            Asks::Attach => {
                let target = process.memory.word(item.address)?.wrapping_add(item.size);
                let is_there = process.model.entry(device, target).is_some();
                return name.filter(|_| !is_there).map(|name| (name, target));
            }
            Asks::Value => {
                let (memory, usable) = (process.memory.clone(), process.usable());
                process.model.must_not_use(item.address, name, &memory, &usable);
            }
            Asks::Map if is_update && item.present.is_none() && item.size > 0 => {
                let shown = quoted(name.as_deref(), "memory");
                let what = format!(
                    "not present: {shown} is updated and not on device {device}; nothing is copied"
                );
                let others = process.gone(device, item.address);
                let (kind, device) = (Kind::UpdateOfAbsent, Some(device));
                let (construct, advice) = (Some(site), None);
                let variable = name;
                let problem = Problem { kind, variable, device, what, construct, others, advice };
                process.say(problem, None, self.found);
            }
            Asks::Release if item.present.is_none() && !item.implicit => {
                let others = process.gone(device, item.address);
                let shown = quoted(name.as_deref(), "memory");
                let what = match others.is_empty() {
                    true => {
                        format!("not present: {shown} is released and was never on device {device}")
                    }
                    false => format!(
                        "released twice: {shown} is released and not on device {device} any more"
                    ),
                };
                let (kind, device) = (Kind::ReleasedTwice, Some(device));
                let (construct, advice) = (Some(site), None);
                let variable = name;
                let problem = Problem { kind, variable, device, what, construct, others, advice };
                process.say(problem, None, self.found);
            }
            _ => {}
        }
        None
    }
}

impl Process {
    /// Where a section went that was on the device.
    fn gone(&self, device: i32, start: u64) -> Vec<(String, SiteId)> {
        let gone = self.model.gone.get(&(device, start));
        gone.map(|at| ("released first:".to_owned(), *at)).into_iter().collect()
    }
}

/// A place as LLVM's compilers say it.
fn located(location: u64, memory: &Memory) -> Option<Place> {
    if location == 0 {
        return None;
    }
    let text = memory.some(memory.word(location.wrapping_add(16))?, LONGEST_LOCATION);
    let end = text.iter().position(|byte| *byte == 0)?;
    let text = String::from_utf8_lossy(&text[..end]).into_owned();
    let mut pieces = text.split(';').skip(1);
    let (file, function, line) = (pieces.next()?, pieces.next()?, pieces.next()?);
    let line = line.parse().ok().filter(|line| *line > 0)?;
    Some(names::place(Some(file), line, function))
}

fn fault(
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
