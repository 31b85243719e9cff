//! Handles faults: accesses of an instruction to memory that the tracer has closed to the process.

use libc::{c_int, pid_t, user_regs_struct};
use omphalos_program::Owner;

use super::tracee::{How, registers, resume, set_registers, signal_information};
use super::{Doing, Thread, Trace};
use crate::access::{self, Access};
use crate::finding::Kind;
use crate::model::{Call, Problem, quoted};
use crate::ranges::Ranges;

/// The code for a page that exists and does not allow the access (`SEGV_ACCERR`).
const NO_RIGHTS: c_int = 2;

impl Trace<'_> {
    /// Handles a fault: the thread used memory that it cannot use.
    pub(super) fn fault(&mut self, thread: pid_t) {
        let (Some(mut registers), Some(information)) =
            (registers(thread), signal_information(thread))
        else {
            return resume(thread, How::Free, libc::SIGSEGV);
        };
        // SAFETY: the signal is a fault's, or some process sent it: then the field has other bytes.
        let address = unsafe { information.si_addr() } as u64;
        let Some(known) = self.threads.get_mut(&thread) else { return };
        let Some(process) = self.processes.get_mut(&known.process) else { return };
        if known.aside.is_some() {
            registers = known.gives_up_aside(&registers);
            set_registers(thread, &registers);
            let code = process.memory.some(registers.rip, access::LONGEST);
            return self.steps_with_pages(thread, &access::of(&code, &registers, address));
        }
        let is_fault = information.si_code > 0;
        if !is_fault || process.pages.closed.around(address).is_none() {
            // The page was opened for another thread meanwhile: the access is possible now.
            if information.si_code == NO_RIGHTS && process.pages.ever.around(address).is_some() {
                return self.go(thread, 0);
            }
            self.real_fault(thread, &registers, address);
            return self.deliver(thread, libc::SIGSEGV);
        }
        if matches!(known.doing.last(), Some(Doing::Runtime(_))) {
            // The runtime uses devices' memory for its own work.
            let mut which = Ranges::default();
            match process.model.block(address) {
                Some(block) => which.add(block.inner().0, block.inner().1),
                None => process.pages.closed.around(address).into_iter().for_each(|(from, to)| {
                    which.add(from, to);
                }),
            }
            if which.around(address).is_some() {
                process.pages.open(thread, &which, &mut known.held);
                return self.go(thread, 0);
            }
        }
        let code = process.memory.some(registers.rip, access::LONGEST);
        let mut all = access::of(&code, &registers, address);
        if !all.iter().any(|access| access.start <= address && address < access.end()) {
            let (reads, writes, by_library, is_atomic) = (true, false, false, false);
            all.push(Access { start: address, bytes: 1, reads, writes, by_library, is_atomic });
        }
        if !known.steps {
            self.used(thread, &registers, &all);
            if self.steps_aside(thread, &code, &registers) {
                return;
            }
        }
        self.steps_with_pages(thread, &all);
    }

    /// Lets a thread execute its next instruction while the pages that it uses are open.
    fn steps_with_pages(&mut self, thread: pid_t, all: &[Access]) {
        let Some(known) = self.threads.get_mut(&thread) else { return };
        let Some(process) = self.processes.get_mut(&known.process) else { return };
        let mut which = Ranges::default();
        for access in all {
            which.add_pages(access.start, access.end());
        }
        which = which.common(&process.pages.closed);
        which.iter().for_each(|(from, to)| known.opened.add(from, to));
        process.pages.open(thread, &which, &mut known.held);
        known.steps = true;
        resume(thread, How::OneInstruction, 0);
    }

    /// Checks the reads and writes of an instruction of the program's.
    fn used(&mut self, thread: pid_t, registers: &user_regs_struct, all: &[Access]) {
        let Some(known) = self.threads.get(&thread) else { return };
        let of = known.process;
        let doing = known.doing.last().copied().or_else(|| self.helps(of, thread));
        let Some(process) = self.processes.get_mut(&of) else { return };
        let memory = process.memory.clone();
        // The runtime's accesses for itself need no check.
        let Some((at, pointer)) = process.names.programs_frame(registers, &memory) else { return };
        let by_library = at != registers.rip;
        // A library's frames use memory where functions that have returned had theirs.
        let is_own = |access: &Access| registers.rsp <= access.start && access.start < pointer;
        for access in all {
            if by_library && is_own(access) {
                process.model.forget(access);
                continue;
            }
            let access = &Access { by_library, ..*access };
            let is_block = process.model.block(access.start).is_some();
            let problem = match doing {
                Some(Doing::Region { device, site }) if is_block => {
                    process.model.catch_up_on_device(access, &memory);
                    let problem = process.model.used_by_region(device, site, access);
                    problem.or_else(|| process.model.regions_race(thread, access))
                }
                Some(Doing::Region { device, site }) if !known.doing.is_empty() => {
                    process.model.region_uses_host(device, site, access)
                }
                Some(_) => None,
                None if is_block => process.model.used_by_host(access),
                None => {
                    process.model.catch_up_on_host(access, &memory);
                    // A task mapped the section, and a task has no names.
                    for key in process.model.nameless(access) {
                        if let Some(named) = process.named(key.1, registers, registers.rip) {
                            process.model.name_section(key, named);
                        }
                    }
                    let found = process.model.host_uses_its_own(access);
                    // Memory of this stack that was a variable may belong to another function now.
                    let names = &mut process.names;
                    let mut is_under_way = |call: &Call| {
                        call.thread != thread || names.is_under_way(call, registers, &memory)
                    };
                    let problem = found
                        .filter(|(_, owner)| owner.as_ref().is_none_or(&mut is_under_way))
                        .map(|(problem, _)| problem);
                    problem.or_else(|| process.model.host_races(thread, access))
                }
            };
            if let Some(problem) = problem {
                let place = process.names.place_of_use(at, registers, &memory);
                process.say(problem, Some(place), self.found);
            }
        }
    }

    /// Finds the target region for a thread that encountered no target construct itself: the thread
    /// works in it as a member of a team.
    pub(super) fn helps(&self, process: pid_t, thread: pid_t) -> Option<Doing> {
        if self.threads.get(&thread).is_some_and(|it| it.has_met) {
            return None;
        }
        let others = self.threads.values().filter(|it| it.process == process);
        others
            .filter_map(|it| it.doing.last().copied())
            .find(|it| matches!(it, Doing::Region { .. }))
    }

    /// Handles a fault of the program's own, which most likely ends it.
    fn real_fault(&mut self, thread: pid_t, registers: &user_regs_struct, address: u64) {
        let Some(known) = self.threads.get(&thread) else { return };
        let doing = known.doing.last().copied().or_else(|| self.helps(known.process, thread));
        let Some(Doing::Region { device, site }) = doing else { return };
        let of = known.process;
        // Only the thread that encountered the construct knows the absent memory; the others of its
        // team do not.
        let is_in = |it: &&Thread| {
            let its = it.doing.last();
            it.process == of && matches!(its, Some(Doing::Region { site: of, .. }) if *of == site)
        };
        let its = self.threads.values().filter(is_in);
        let absent: Vec<(String, u64)> = its.flat_map(|it| it.absent.iter().cloned()).collect();
        let Some(process) = self.processes.get_mut(&of) else { return };
        // A later item may have brought the memory after all.
        let is_absent = |(_, at): &(String, u64)| process.model.entry(device, *at).is_none();
        let mut absent: Vec<String> =
            absent.into_iter().filter(is_absent).map(|(name, _)| name).collect();
        absent.dedup();
        if process.names.owner(registers.rip) == Owner::Runtime {
            return;
        }
        let memory = process.memory.clone();
        let pc = process.names.programs_own(registers, &memory).unwrap_or(registers.rip);
        let place = process.names.place_of_use(pc, registers, &memory);
        process.ends = true;
        let variable = absent.first().cloned();
        let (kind, what, advice) = if address < 1 << 16 && !absent.is_empty() {
            let names: Vec<String> = absent.iter().map(|name| quoted(Some(name), "")).collect();
            let names = names.join(" or ");
            let what = format!(
                "missing map: the region follows {names}, which is null on the device, since what \
                 it points to is not mapped"
            );
            (Kind::MissingMap, what, Some("map what the pointer points to".to_owned()))
        } else {
            let what = format!("fault: the region uses address {address:#x}, where nothing is");
            (Kind::KernelFault, what, None)
        };
        let (device, construct) = (Some(device), Some(site));
        let problem =
            Problem { kind, variable, device, what, construct, others: Vec::new(), advice };
        process.say(problem, Some(place), self.found);
    }
}
