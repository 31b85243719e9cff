//! Handles the stops of threads.

use libc::{c_int, pid_t};

use super::calls;
use super::process::Process;
use super::tracee::{How, event_message, parent_of, process_of, registers, resume};
use super::{Doing, Thread, Trace};
use crate::ranges::{PAGE, Ranges};
use crate::runtime_message::{MAGIC, RuntimeMessage, WORDS};

/// The number of bytes below a stack pointer that the kernel may use for a signal handler's frame.
const SIGNAL_FRAME: u64 = 16 * PAGE;
/// The code at a message, and the stub behind it: `int3; ret; syscall; int3`.
const STOP: [u8; 5] = [0xcc, 0xc3, 0x0f, 0x05, 0xcc];
const CALLS_STOP: c_int = libc::SIGTRAP | 0x80;

impl Trace<'_> {
    pub(super) fn stopped(&mut self, thread: pid_t, status: c_int) {
        let signal = libc::WSTOPSIG(status);
        if !self.threads.contains_key(&thread) {
            // The event of the thread that made it comes soon, or has come.
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

    /// Handles the first stop of a thread or process.
    fn begins(&mut self, thread: pid_t) {
        let of = process_of(thread).unwrap_or(thread);
        self.threads.entry(thread).or_insert_with(|| Thread::new(of, false)).is_new = false;
        if !self.processes.contains_key(&of) {
            let Ok(mut process) = Process::new(of) else { return resume(thread, How::Free, 0) };
            // It has a copy of its parent's memory, in which nothing needs to be closed.
            let parents = self.copied.remove(&of).or_else(|| {
                let parent = self.processes.get(&parent_of(of)?)?;
                Some((parent.pages.stub, parent.pages.closed.clone()))
            });
            if let Some((stub, closed)) = parents.filter(|(_, closed)| !closed.is_empty()) {
                (process.pages.stub, process.pages.closed) = (stub, closed);
                process.pages.close_only(thread, &Ranges::default(), &mut Vec::new());
                process.pages.stub = None;
            }
            let parent = self.borrowed.remove(&of);
            if let Some(parent) = parent.and_then(|parent| self.processes.get_mut(&parent)) {
                parent.opened_by_child();
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
                    if let Some(parent) = self.processes.get(&known_process(&self.threads, thread))
                        && of == new
                    {
                        let pages = &parent.pages;
                        self.copied.insert(new, (pages.stub, pages.closed.clone()));
                    }
                }
            }
            libc::PTRACE_EVENT_VFORK => {
                // The child uses this process's memory until it becomes another program, and this
                // thread waits for that in the kernel: the child opens the closed pages.
                if let Some(new) = event_message(thread) {
                    let has_begun = self.processes.contains_key(&new);
                    self.threads.entry(new).or_insert_with(|| Thread::new(new, true));
                    let of = known_process(&self.threads, thread);
                    match self.processes.get_mut(&of) {
                        Some(process) if has_begun => process.opened_by_child(),
                        Some(_) => drop(self.borrowed.insert(new, of)),
                        None => {}
                    }
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

    /// Delivers a signal of the program's. Its handler needs the stack.
    pub(super) fn deliver(&mut self, thread: pid_t, signal: c_int) {
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

    /// Handles a trap: a message, the end of one instruction, or the program's own.
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
            if let Some(told) = RuntimeMessage::read(&words) {
                self.take_message(thread, &registers, told);
            }
            return self.go(thread, 0);
        }
        if self.at_heap(thread, &registers) {
            return;
        }
        let Some(known) = self.threads.get_mut(&thread) else { return };
        if known.steps {
            known.steps = false;
            let opened = std::mem::take(&mut known.opened);
            self.passed(thread);
            let in_region = self.regions(known_process(&self.threads, thread)) > 0;
            self.stepped_aside(thread, in_region);
            self.close_again(thread, &opened, in_region);
            return self.go(thread, 0);
        }
        self.deliver(thread, libc::SIGTRAP);
    }

    /// Returns the number of a process's threads that execute regions on devices.
    pub(super) fn regions(&self, process: pid_t) -> usize {
        let in_region = |it: &&Thread| matches!(it.doing.last(), Some(Doing::Region { .. }));
        self.threads.values().filter(|it| it.process == process).filter(in_region).count()
    }

    /// Closes the pages that the process must not use now.
    pub(super) fn settle(&mut self, thread: pid_t) {
        let of = known_process(&self.threads, thread);
        let in_region = self.regions(of) > 0;
        let Some(process) = self.processes.get_mut(&of) else { return };
        process.watch_heap(in_region);
        let mut wanted = Ranges::default();
        process.model.blocks.values().for_each(|block| block.protect(in_region, &mut wanted));
        let mut host = Ranges::default();
        process.model.stale.iter().for_each(|stale| stale.protect(&mut host));
        if in_region {
            process.model.protect_host(&mut host);
        }
        process.model.races.protect(&mut host);
        process.model.shared().iter().for_each(|(from, to)| wanted.add(from, to));
        if !host.is_empty() {
            // Memory that the kernel itself writes to is left alone.
            for other in self.threads.values().filter(|it| it.process == of && it.own != 0) {
                host.remove(other.own & !(PAGE - 1), (other.own & !(PAGE - 1)) + 2 * PAGE);
            }
            let usable = process.usable();
            host.common(&usable).iter().for_each(|(from, to)| wanted.add(from, to));
        }
        wanted = wanted.without(&self.open_for_calls(of));
        let Some(process) = self.processes.get_mut(&of) else { return };
        let Some(known) = self.threads.get_mut(&thread) else { return };
        process.pages.close_only(thread, &wanted, &mut known.held);
    }

    /// Returns the pages that running system calls use.
    fn open_for_calls(&self, process: pid_t) -> Ranges {
        let mut open = Ranges::default();
        for known in self.threads.values().filter(|it| it.process == process) {
            calls::pages(&known.in_call).iter().for_each(|(from, to)| open.add(from, to));
        }
        open
    }

    /// Closes the pages again that were opened for one instruction, where there is still a reason
    /// to close them.
    fn close_again(&mut self, thread: pid_t, opened: &Ranges, in_region: bool) {
        let in_calls = self.open_for_calls(known_process(&self.threads, thread));
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
        wanted = wanted.without(&in_calls);
        process.pages.close_only(thread, &wanted, &mut known.held);
    }
}

pub(super) fn known_process(
    threads: &std::collections::HashMap<pid_t, Thread>,
    thread: pid_t,
) -> pid_t {
    threads.get(&thread).map_or(thread, |it| it.process)
}
