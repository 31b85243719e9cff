//! Handles the runtime's messages.

use libc::{pid_t, user_regs_struct};

use super::fault_words::{called, fault, located, no_device};
use super::process::Process;
use super::{Doing, Trace};
use crate::finding::Kind;
use crate::model::{Problem, SiteId, quoted};
use crate::runtime_message::{Asks, Item, RuntimeMessage};

/// A running routine for devices' memory.
#[derive(Clone, Copy, Debug)]
pub struct Routine {
    pub op: u64,
    pub source: u64,
    pub destination: u64,
    pub bytes: u64,
    pub on: (i32, i32),
}

impl Routine {
    /// Whether the routine writes to memory.
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
    pub(super) fn take_message(
        &mut self,
        thread: pid_t,
        registers: &user_regs_struct,
        told: RuntimeMessage,
    ) {
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
            RuntimeMessage::Construct { kind, device, code, border } => {
                known.has_met = true;
                known.absent.clear();
                self.constructs += 1;
                let site = process.site(construct(kind), code, device, known.located.take());
                known.doing.push(Doing::Runtime(site));
                known.is_update = matches!(kind, 4 | 12);
                known.border = border;
                process.model.races.construct_begins(thread, device, site);
                for problem in process.model.stack_shrank(thread, border, site) {
                    process.say(problem, None, self.found);
                }
            }
            RuntimeMessage::ConstructEnds => {
                known.doing.pop();
                process.model.races.construct_ends(thread);
                self.settle(thread);
            }
            RuntimeMessage::Kernel { device, stack } => {
                let site = site_or(process);
                known.doing.push(Doing::Region { device, site });
                process.model.allocated(stack.0, stack.1);
                let usable = process.usable();
                process.model.races.region(thread, true);
                process.model.region_begins(device, site, &memory, &usable);
                self.settle(thread);
            }
            RuntimeMessage::KernelEnds { stack } => {
                known.doing.pop();
                let site = site_or(process);
                process.model.given_back(stack);
                process.model.races.region(thread, false);
                process.model.region_ends(site, &memory);
                self.settle(thread);
            }
            RuntimeMessage::Block { device, pages, length, block, bytes } => {
                let made = site_or(process);
                let given = known.routine.is_some();
                let pages = (pages, pages + length);
                process.model.block_came(device, pages, (block, bytes), made, given);
            }
            RuntimeMessage::Released { block } => {
                let at = site_or(process);
                process.model.block_goes(block, at);
            }
            RuntimeMessage::ToDevice { device, host, bytes } => {
                let at = site_or(process);
                process.model.copied_to_device(device, host, bytes, at, &memory);
            }
            RuntimeMessage::ToHost { host, device, bytes } => {
                process.model.about_to_copy(device, host, bytes, &memory);
            }
            RuntimeMessage::CopiedToHost { host, device, bytes } => {
                let at = site_or(process);
                process.model.copied_from_device(device, host, bytes, at, &memory);
            }
            RuntimeMessage::Fresh { device, bytes } => process.model.fresh(device, bytes),
            RuntimeMessage::Wrote { device, bytes } => process.model.wrote(device, bytes),
            RuntimeMessage::Item(item) => {
                let is_update = known.is_update;
                known.helper = (item.asks == Asks::Pointer).then_some(item.number);
                known.item = Some(item);
                if let Some((from, to)) = item.present.filter(|_| item.asks == Asks::Map) {
                    let end = item.address.saturating_add(item.size).min(to);
                    let part = (item.address.max(from), end);
                    let moves = item.always || is_update;
                    process.model.races.lists(thread, part, (item.to, item.from), moves);
                }
                let site = site_or(process);
                let name = self.item(thread, registers, site, is_update, item);
                let Some(known) = self.threads.get_mut(&thread) else { return };
                known.absent.extend(name);
            }
            RuntimeMessage::Came { number, start, end, device: there } => {
                let at = site_or(process);
                let code = process.model.site(at).code;
                let named = process.name((code, number), start, registers);
                let named = named.or_else(|| known.called(number, start));
                let is_helper = known.helper == Some(number);
                process.model.section_came(device, (start, end), there, named, at, is_helper);
                if let Some(item) = known.item.filter(|it| it.number == number) {
                    let way = (item.to, item.from);
                    // Sections that `target enter data` maps stay mapped.
                    let from = item.from && process.model.site(at).what == construct(1);
                    process.model.races.lists(thread, (start, end), (way.0, from), true);
                }
                if let Some(stack) = process.stack(known.border, start, known.own) {
                    let owner = process.names.call_around(start, thread, registers, code, &memory);
                    process.model.stands_on_stack(device, start, thread, stack, owner);
                }
            }
            RuntimeMessage::Goes { start, .. } => {
                let at = site_or(process);
                if let Some(problem) = process.model.deleted_in_use(thread, device, start, at) {
                    process.say(problem, None, self.found);
                }
                process.model.section_goes(device, start, at);
            }
            RuntimeMessage::Private { number, start, end, device: there } => {
                let site = site_or(process);
                let code = process.model.site(site).code;
                let named = process.name((code, number), start, registers);
                let named = named.or_else(|| known.called(number, start));
                process.model.private_came(there, end - start, start, named);
            }
            RuntimeMessage::Fault { kind, number, section, other } => {
                let at = site_or(process);
                let code = process.model.site(at).code;
                let named = process.name((code, number), section.0, registers);
                let named = named.or_else(|| known.called(number, section.0));
                let name = named.map(|named| named.part(section.0));
                let problem = fault(kind, name, section, other, device, at);
                process.ends = true;
                process.say(problem, None, self.found);
            }
            RuntimeMessage::Routine { op, source, destination, bytes, code, on } => {
                known.has_met = true;
                let device = if matches!(op, 3 | DELETE) { on.0 } else { on.1 };
                let at = process.site(routine(op), code, device, None);
                known.doing.push(Doing::Runtime(at));
                let routine = Routine { op, source, destination, bytes, on };
                known.routine = Some(routine);
                if routine.copies() {
                    for end in [source, destination] {
                        if process.model.block(end).is_some_and(|it| it.given && it.named.is_none())
                        {
                            let named = process.named(end, registers, code);
                            process.model.name_block(end, || named);
                        }
                    }
                }
                process.routine_begins(routine, at, self.found);
            }
            // Pages that the construct's copies opened are closed again.
            RuntimeMessage::Rests => self.settle(thread),
            RuntimeMessage::Called { number, name } => {
                if number == 0 {
                    known.called.clear();
                }
                known.called.extend(called(name, &memory).map(|name| (number, name)));
            }
            RuntimeMessage::Located { location } => known.located = located(location, &memory),
            RuntimeMessage::Left => known.has_met = true,
            RuntimeMessage::LeftItem { code, number, address } => {
                process.name((code, number), address, registers);
            }
            RuntimeMessage::NoDevice { number } => {
                let Some(at) = process.names.programs_caller(registers, &memory) else { return };
                let located = known.located.take();
                let site = process.site("construct", at, number, located);
                process.say(no_device(number, site), None, self.found);
            }
            RuntimeMessage::SharedMemory => process.model.memory_is_shared = true,
            RuntimeMessage::Linked { start, bytes } => {
                process.model.linked.add(start, start + bytes)
            }
            RuntimeMessage::RoutineEnds => {
                let routine = known.routine.take();
                known.doing.pop();
                if let Some(routine) = routine {
                    let at = site_or(process);
                    let code = process.model.site(at).code;
                    let is_named = routine.op == ASSOCIATE;
                    let name = || process.named(routine.source, registers, code);
                    let named = is_named.then(name).flatten();
                    process.routine_ended(routine, at, named);
                }
                self.settle(thread);
            }
        }
    }

    /// Handles an item of a list. Returns the name and address of a pointer that has no target on
    /// the device.
    fn item(
        &mut self,
        thread: pid_t,
        registers: &user_regs_struct,
        site: SiteId,
        is_update: bool,
        item: Item,
    ) -> Option<(String, u64)> {
        let known = self.threads.get(&thread)?;
        let process = self.processes.get_mut(&known.process)?;
        let (code, device) = (process.model.site(site).code, process.model.site(site).device);
        let named = process.name((code, item.number), item.address, registers);
        let named = named.or_else(|| known.called(item.number, item.address));
        let name = named.as_ref().map(|named| named.part(item.address));
        match item.asks {
            Asks::NoLength if item.present.is_none() => {
                let (memory, usable) = (process.memory.clone(), process.usable());
                process.model.must_not_use(item.address, name.clone(), false, &memory, &usable);
                return Some((name.unwrap_or_else(|| "a pointer".to_owned()), item.address));
            }
            Asks::Attach => {
                let target = process.memory.word(item.address)?.wrapping_add(item.size);
                let is_there = process.model.entry(device, target).is_some();
                return name.filter(|_| !is_there).map(|name| (name, target));
            }
            Asks::Value => {
                process.model.name_block(item.address, || named);
                let (memory, usable) = (process.memory.clone(), process.usable());
                process.model.must_not_use(item.address, name, true, &memory, &usable);
            }
            // Data constructs do nothing on a device that shares the host's memory.
            Asks::Map | Asks::Release
                if process.model.memory_is_shared && item.present.is_none() => {}
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
            Asks::Release if item.delete && item.present.is_some() => {
                let start = item.present.map_or(0, |(start, _)| start);
                process.model.deleted.insert((device, start));
            }
            // A section of a `target data` may be deleted inside it.
            Asks::Release
                if item.present.is_none()
                    && process.model.deleted.remove(&(device, item.address)) => {}
            Asks::Release if item.present.is_none() && !item.implicit && item.address != 0 => {
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
    /// Returns the site where a section was unmapped that had been on the device.
    fn gone(&self, device: i32, start: u64) -> Vec<(String, SiteId)> {
        let gone = self.model.gone.get(&(device, start));
        gone.map(|at| ("released first:".to_owned(), *at)).into_iter().collect()
    }
}
