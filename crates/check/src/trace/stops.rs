//! What is done when a thread stops.

use libc::{c_int, pid_t, user_regs_struct};
use omphalos_report::Owner;

use super::process::Process;
use super::tracee::{
    How, event_message, is_at_calls_end, process_of, registers, resume, set_registers,
    signal_information,
};
use super::{Doing, Thread, Trace};
use crate::access::{self, Access};
use crate::finding::Kind;
use crate::model::{Problem, quoted};
use crate::ranges::{PAGE, Ranges};
use crate::told::{MAGIC, Told, WORDS};

/// Below its stack pointer a thread gets what the kernel puts there for a signal's handler.
const SIGNAL_FRAME: u64 = 16 * PAGE;
/// `int3; ret; syscall; int3`.
const STOP: [u8; 5] = [0xcc, 0xc3, 0x0f, 0x05, 0xcc];
/// The page is there, and cannot be used so (`SEGV_ACCERR`).
const NO_RIGHTS: c_int = 2;
const CALLS_STOP: c_int = libc::SIGTRAP | 0x80;

impl Trace<'_> {
    pub(super) fn stopped(&mut self, thread: pid_t, status: c_int) {
        let signal = libc::WSTOPSIG(status);
        if !self.threads.contains_key(&thread) {
            // Who made it says so soon, or has.
            self.begins(thread);
            return;
        }
        match (signal, status >> 16) {
            (libc::SIGTRAP, event) if event != 0 => self.event(thread, event),
            (CALLS_STOP, _) => self.at_call(thread),
            (libc::SIGTRAP, _) => self.trap(thread),
            (libc::SIGSEGV, _) => self.fault(thread),
            (libc::SIGSTOP, _) if self.threads.get(&thread).is_some_and(|it| it.is_new) => {
                self.begins(thread);
            }
            _ => self.deliver(thread, signal),
        }
    }

    /// A thread or process is new.
    fn begins(&mut self, thread: pid_t) {
        let of = process_of(thread).unwrap_or(thread);
        self.threads.entry(thread).or_insert_with(|| Thread::new(of, false)).is_new = false;
        if !self.processes.contains_key(&of) {
            let Ok(mut process) = Process::new(of) else { return resume(thread, How::Free, 0) };
            // It has its parent's memory, of which nothing is to be kept from it.
            let parents = self.processes.values().find(|it| !it.pages.closed.is_empty());
            if let Some(parent) = parents {
                process.pages.stub = parent.pages.stub;
                process.pages.closed = parent.pages.closed.clone();
                process.pages.close_only(thread, &Ranges::default(), &mut Vec::new());
                process.pages.stub = None;
            }
            self.processes.insert(of, process);
        }
        self.go(thread, 0);
    }

    fn event(&mut self, thread: pid_t, event: c_int) {
        match event {
            libc::PTRACE_EVENT_CLONE | libc::PTRACE_EVENT_FORK => {
                if let Some(new) = event_message(thread)
                    && !self.threads.contains_key(&new)
                {
                    let of = process_of(new).unwrap_or(new);
                    self.threads.insert(new, Thread::new(of, true));
                }
            }
            libc::PTRACE_EVENT_VFORK => {
                // The child uses this process's memory until it becomes another program: what it
                // opens is open here.
                let of = self.threads.get(&thread).map(|it| it.process);
                let process = of.and_then(|of| self.processes.get_mut(&of));
                if let Some(process) = process {
                    process.pages.close_only(thread, &Ranges::default(), &mut Vec::new());
                }
                if let Some(new) = event_message(thread)
                    && !self.threads.contains_key(&new)
                {
                    self.threads.insert(new, Thread::new(new, true));
                }
            }
            libc::PTRACE_EVENT_EXEC => {
                let of = process_of(thread).unwrap_or(thread);
                self.threads.retain(|_, it| it.process != of);
                self.threads.insert(thread, Thread::new(of, false));
                if let Ok(process) = Process::new(of) {
                    self.processes.insert(of, process);
                }
            }
            _ => {}
        }
        self.go(thread, 0);
    }

    /// Lets a thread go on.
    pub(super) fn go(&mut self, thread: pid_t, signal: c_int) {
        let Some(known) = self.threads.get_mut(&thread) else {
            return resume(thread, How::Free, 0);
        };
        for signal in known.held.drain(..) {
            // SAFETY: numbers alone.
            unsafe { libc::syscall(libc::SYS_tgkill, known.process, thread, signal) };
        }
        let watches_calls =
            self.processes.get(&known.process).is_some_and(|it| !it.pages.closed.is_empty());
        let how = match (known.steps, watches_calls) {
            (true, _) => How::OneInstruction,
            (false, true) => How::ToCall,
            (false, false) => How::Free,
        };
        resume(thread, how, signal);
    }

    /// A signal of the program's. Its handler needs the stack.
    fn deliver(&mut self, thread: pid_t, signal: c_int) {
        let Some(known) = self.threads.get_mut(&thread) else { return };
        if known.steps {
            known.held.push(signal);
            return resume(thread, How::OneInstruction, 0);
        }
        if let Some(process) = self.processes.get_mut(&known.process)
            && let Some(registers) = registers(thread)
        {
            let mut frame = Ranges::default();
            frame.add_pages(registers.rsp.saturating_sub(SIGNAL_FRAME), registers.rsp + PAGE);
            process.pages.open(thread, &frame, &mut known.held);
        }
        self.go(thread, signal);
    }

    /// A call of the kernel's begins or ends. One that failed because of what is kept from the
    /// process is made again.
    fn at_call(&mut self, thread: pid_t) {
        let Some(known) = self.threads.get_mut(&thread) else { return };
        if !is_at_calls_end(thread) {
            return self.go(thread, 0);
        }
        if known.again {
            known.again = false;
            self.settle(thread);
        } else if let Some(mut registers) = registers(thread)
            && registers.rax as i64 == -i64::from(libc::EFAULT)
            && let Some(process) = self.processes.get_mut(&known.process)
            && !process.pages.closed.is_empty()
        {
            let mut all = process.pages.closed.clone();
            // What is around blocks is nobody's.
            for block in process.model.blocks.values() {
                let (first, end) = block.inner();
                all.remove(block.pages.0, first);
                all.remove(end, block.pages.1);
            }
            process.pages.open(thread, &all, &mut known.held);
            registers.rip -= 2;
            (registers.rax, registers.orig_rax) = (registers.orig_rax, u64::MAX);
            known.again = set_registers(thread, &registers);
        }
        self.go(thread, 0);
    }

    /// A trap: a message, the end of one instruction, or the program's own.
    fn trap(&mut self, thread: pid_t) {
        let (Some(known), Some(registers)) = (self.threads.get_mut(&thread), registers(thread))
        else {
            return resume(thread, How::Free, 0);
        };
        let Some(process) = self.processes.get_mut(&known.process) else {
            return resume(thread, How::Free, 0);
        };
        if registers.rax & 0xffff_ffff == MAGIC
            && process.memory.some(registers.rip - 1, STOP.len()) == STOP
        {
            process.pages.stub = Some(registers.rip + 1);
            let mut words = [0; WORDS];
            for (at, word) in words.iter_mut().enumerate() {
                *word = process.memory.word(registers.rdi + 8 * at as u64).unwrap_or(0);
            }
            if let Some(told) = Told::read(&words) {
                self.told(thread, &registers, told);
            }
            return self.go(thread, 0);
        }
        if known.steps {
            known.steps = false;
            let opened = std::mem::take(&mut known.opened);
            let in_region = self.regions(known_process(&self.threads, thread)) > 0;
            self.close_again(thread, &opened, in_region);
            return self.go(thread, 0);
        }
        self.deliver(thread, libc::SIGTRAP);
    }

    /// How many threads of a process execute regions on devices.
    pub(super) fn regions(&self, process: pid_t) -> usize {
        let in_region = |it: &&Thread| matches!(it.doing.last(), Some(Doing::Region { .. }));
        self.threads.values().filter(|it| it.process == process).filter(in_region).count()
    }

    /// Keeps from the process what it must not use now.
    pub(super) fn settle(&mut self, thread: pid_t) {
        let of = known_process(&self.threads, thread);
        let in_region = self.regions(of) > 0;
        let Some(process) = self.processes.get_mut(&of) else { return };
        let mut wanted = Ranges::default();
        process.model.blocks.values().for_each(|block| block.protect(in_region, &mut wanted));
        let mut host = Ranges::default();
        process.model.stale.iter().for_each(|stale| stale.protect(&mut host));
        if in_region {
            process.model.protect_host(&mut host);
        }
        if !host.is_empty() {
            // What the kernel itself writes to is left alone.
            for other in self.threads.values().filter(|it| it.process == of && it.own != 0) {
                host.remove(other.own & !(PAGE - 1), (other.own & !(PAGE - 1)) + 2 * PAGE);
            }
            let usable = process.usable();
            host.common(&usable).iter().for_each(|(from, to)| wanted.add(from, to));
        }
        let Some(known) = self.threads.get_mut(&thread) else { return };
        process.pages.close_only(thread, &wanted, &mut known.held);
    }

    /// What was opened for one instruction is kept from the process again, as far as there is
    /// still a reason.
    fn close_again(&mut self, thread: pid_t, opened: &Ranges, in_region: bool) {
        let Some(known) = self.threads.get_mut(&thread) else { return };
        let Some(process) = self.processes.get_mut(&known.process) else { return };
        let mut wanted = process.pages.closed.clone();
        for (from, to) in opened.iter() {
            for page in (from..to).step_by(PAGE as usize) {
                if process.model.is_kept(page, in_region) {
                    wanted.add(page, page + PAGE);
                }
            }
        }
        process.pages.close_only(thread, &wanted, &mut known.held);
    }

    /// The thread used what it cannot use.
    fn fault(&mut self, thread: pid_t) {
        let (Some(registers), Some(information)) = (registers(thread), signal_information(thread))
        else {
            return resume(thread, How::Free, libc::SIGSEGV);
        };
        // SAFETY: the signal is that of a fault, or somebody sent it: then the field is another
        // one's bytes.
        let address = unsafe { information.si_addr() } as u64;
        let Some(known) = self.threads.get_mut(&thread) else { return };
        let Some(process) = self.processes.get_mut(&known.process) else { return };
        let is_fault = information.si_code > 0;
        if !is_fault || process.pages.closed.around(address).is_none() {
            // The page was opened for another thread since: it can be used now.
            if information.si_code == NO_RIGHTS && process.pages.ever.around(address).is_some() {
                return self.go(thread, 0);
            }
            self.real_fault(thread, &registers, address);
            return self.deliver(thread, libc::SIGSEGV);
        }
        if matches!(known.doing.last(), Some(Doing::Runtime(_))) {
            // The runtime does what it was asked for.
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
        let mut all = access::of(&code, &registers);
        if !all.iter().any(|access| access.start <= address && address < access.end()) {
            let (reads, writes, by_library) = (true, false, false);
            all.push(Access { start: address, bytes: 1, reads, writes, by_library });
        }
        if !known.steps {
            self.used(thread, &registers, &all);
        }
        let Some(known) = self.threads.get_mut(&thread) else { return };
        let Some(process) = self.processes.get_mut(&known.process) else { return };
        let mut which = Ranges::default();
        for access in &all {
            which.add_pages(access.start, access.end());
        }
        which = which.common(&process.pages.closed);
        which.iter().for_each(|(from, to)| known.opened.add(from, to));
        process.pages.open(thread, &which, &mut known.held);
        known.steps = true;
        resume(thread, How::OneInstruction, 0);
    }

    /// Looks at what an instruction of the program's reads and writes.
    fn used(&mut self, thread: pid_t, registers: &user_regs_struct, all: &[Access]) {
        let Some(known) = self.threads.get(&thread) else { return };
        let of = known.process;
        let doing = known.doing.last().copied().or_else(|| self.helps(of, thread));
        let Some(process) = self.processes.get_mut(&of) else { return };
        let memory = process.memory.clone();
        // What the runtime does for itself is its own affair.
        let Some(at) = process.names.programs_own(registers, &memory) else { return };
        let by_library = at != registers.rip;
        for access in all {
            let access = &Access { by_library, ..*access };
            let is_block = process.model.block(access.start).is_some();
            let problem = match doing {
                Some(Doing::Region { device, site }) if is_block => {
                    process.model.used_by_region(device, site, access)
                }
                Some(Doing::Region { device, site }) if !known.doing.is_empty() => {
                    process.model.region_uses_host(device, site, access)
                }
                Some(_) => None,
                None if is_block => process.model.used_by_host(access),
                None => process.model.host_uses_its_own(access),
            };
            if let Some(problem) = problem {
                let place = process.names.place(at);
                process.say(problem, Some(place), self.found);
            }
        }
    }

    /// The region for which a thread works that has met none itself: one of its team.
    fn helps(&self, process: pid_t, thread: pid_t) -> Option<Doing> {
        if self.threads.get(&thread).is_some_and(|it| it.has_met) {
            return None;
        }
        let others = self.threads.values().filter(|it| it.process == process);
        others
            .filter_map(|it| it.doing.last().copied())
            .find(|it| matches!(it, Doing::Region { .. }))
    }

    /// A fault of the program's own, which most likely ends it.
    fn real_fault(&mut self, thread: pid_t, registers: &user_regs_struct, address: u64) {
        let Some(known) = self.threads.get(&thread) else { return };
        let doing = known.doing.last().copied().or_else(|| self.helps(known.process, thread));
        let Some(Doing::Region { device, site }) = doing else { return };
        let (of, absent) = (known.process, known.absent.clone());
        let Some(process) = self.processes.get_mut(&of) else { return };
        // What a later item has brought is there after all.
        let is_absent = |(_, at): &(String, u64)| process.model.entry(device, *at).is_none();
        let mut absent: Vec<String> =
            absent.into_iter().filter(is_absent).map(|(name, _)| name).collect();
        absent.dedup();
        if process.names.owner(registers.rip) == Owner::Runtime {
            return;
        }
        let memory = process.memory.clone();
        let pc = process.names.programs_own(registers, &memory).unwrap_or(registers.rip);
        let place = process.names.place(pc);
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

fn known_process(threads: &std::collections::HashMap<pid_t, Thread>, thread: pid_t) -> pid_t {
    threads.get(&thread).map_or(thread, |it| it.process)
}
