//! Watches when the program frees host memory, and what devices' threads allocate. Traps replace
//! the first instruction of the C library's `free` as soon as something is mapped, and of `malloc`
//! and its like while a region runs.
//!
//! A thread that hits a trap executes the replaced instruction in another place, where a jump back
//! follows it: so the trap stays for all other threads. An instruction that addresses memory
//! relative to itself is executed in its own place while the trap is removed; other threads' calls
//! at that moment are not seen.

use libc::{pid_t, user_regs_struct};

use super::process::Process;
use super::tracee::{How, Memory, resume, set_registers};
use super::{Doing, Trace};
use crate::access::{self, LONGEST};

const TRAP: u8 = 0xcc;
/// The number of hits of traps of one kind (frees, or allocations) after which none are set again.
const MOST: u32 = 100_000;
/// Flags in the low bits of a block's size, ahead of the block.
const FLAGS: u64 = 7;

/// The distance from the stub for system calls to the trap to which watched allocations return.
/// Room for instructions follows the trap (`runtime/sys/src/x86_64/watch.rs`).
const TO_HOME: u64 = 3;
/// Bytes of room for one instruction.
const ROOM: u64 = 32;
/// `jmp [rip]`: jumps to the address that follows it.
const JUMP: [u8; 6] = [0xff, 0x25, 0, 0, 0, 0];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    Free,
    Malloc,
    Calloc,
    Realloc,
    Aligned,
    IntoPlace,
}

/// The functions with traps. There is room for one instruction of each.
const FUNCTIONS: [(&str, Function); 6] = [
    ("free", Function::Free),
    ("malloc", Function::Malloc),
    ("calloc", Function::Calloc),
    ("realloc", Function::Realloc),
    ("aligned_alloc", Function::Aligned),
    ("posix_memalign", Function::IntoPlace),
];

/// The trap at one function.
#[derive(Clone, Copy)]
struct Trap {
    function: Function,
    at: u64,
    /// The original byte there.
    byte: u8,
    /// The place of a copy of the function's first instruction.
    aside: Option<u64>,
    is_set: bool,
}

/// The traps of one process.
pub struct Heap {
    traps: Vec<Trap>,
    frees_left: u32,
    allocations_left: u32,
    /// The trap that watched allocations get as their return address.
    home: Option<u64>,
}

/// A call that allocates and has not returned.
#[derive(Clone, Copy)]
pub struct Allocation {
    function: Function,
    /// The stack pointer when it has returned. `back`: the address to which it returns.
    pointer: u64,
    back: u64,
    /// The number of bytes. `other`: the old block, or the place for the new block's address.
    bytes: u64,
    other: u64,
}

impl Heap {
    fn new(process: &mut Process) -> Heap {
        let home = process.pages.stub.map(|stub| stub + TO_HOME);
        let all = process.names.of_library(&FUNCTIONS.map(|(name, _)| name));
        let mut traps = Vec::new();
        for (number, (at, (_, function))) in (0..).zip(all.into_iter().zip(FUNCTIONS)) {
            let Some(at) = at else { continue };
            let code = process.memory.some(at, LONGEST);
            let Some(&byte) = code.first() else { continue };
            let room = home.map(|home| home + 1 + number * ROOM);
            let aside = room.filter(|room| put_aside(&process.memory, &code, at, *room));
            traps.push(Trap { function, at, byte, aside, is_set: false });
        }
        Heap { traps, frees_left: MOST, allocations_left: MOST, home }
    }

    /// Sets the wanted traps, and removes the others.
    fn set(&mut self, memory: &Memory, frees: bool, allocations: bool) {
        for trap in &mut self.traps {
            let wanted = match trap.function {
                Function::Free => frees && self.frees_left > 0,
                _ => allocations && self.allocations_left > 0,
            };
            if wanted != trap.is_set {
                memory.write(trap.at, &[if wanted { TRAP } else { trap.byte }]);
                trap.is_set = wanted;
            }
        }
    }
}

/// Writes an instruction, and a jump to the instruction that follows it in its original place.
fn put_aside(memory: &Memory, code: &[u8], at: u64, room: u64) -> bool {
    let Some(length) = access::movable(code, at) else { return false };
    let back = (at + length as u64).to_le_bytes();
    memory.write(room, &[&code[..length], &JUMP, &back].concat())
}

impl Process {
    /// Sets the traps that are wanted now. `in_region`: some region is running.
    pub fn watch_heap(&mut self, in_region: bool) {
        let frees = self.model.keeps_account();
        if self.heap.is_none() && (frees || in_region) {
            self.heap = Some(Heap::new(self));
        }
        if let Some(heap) = &mut self.heap {
            heap.set(&self.memory, frees, in_region);
        }
    }

    /// Records that a child that uses this process's memory has opened all of it, and is not
    /// watched.
    pub fn opened_by_child(&mut self) {
        self.pages.closed = Default::default();
        if let Some(heap) = &mut self.heap {
            heap.set(&self.memory, false, false);
        }
    }
}

impl Trace<'_> {
    /// Handles a stop at a trap of the heap's. Returns false if the thread did not stop at one.
    pub(super) fn at_heap(&mut self, thread: pid_t, registers: &user_regs_struct) -> bool {
        let at = registers.rip - 1;
        // A thread that passes a trap stops at it again if another thread has passed meanwhile.
        if self.threads.get(&thread).is_none_or(|it| it.steps && it.passes != Some(at)) {
            return false;
        }
        if self.allocated(thread, registers, at) {
            return true;
        }
        // A child has its parent's memory, or a copy.
        let of = |it: &Heap| it.traps.iter().find(|trap| trap.at == at).copied();
        let known = self.processes.values().find_map(|it| it.heap.as_ref().and_then(of));
        let Some(trap) = known else { return false };
        let in_region = self.is_in_region(thread);
        let Some(known) = self.threads.get_mut(&thread) else { return false };
        let Some(process) = self.processes.get_mut(&known.process) else { return false };
        let mut registers = user_regs_struct { rip: at, ..*registers };
        let by_runtime = matches!(known.doing.last(), Some(Doing::Runtime(_)));
        let mut aside = None;
        if let Some(heap) = process.heap.as_mut().filter(|_| known.passes.is_none()) {
            aside = trap.aside;
            let is_free = trap.function == Function::Free;
            let left = if is_free { &mut heap.frees_left } else { &mut heap.allocations_left };
            *left = left.saturating_sub(1);
            if *left == 0 && !is_free {
                process.model.heap_is_unknown();
            }
            if *left == 0 {
                heap.set(&process.memory, true, true);
            } else if let Some(home) = heap.home.filter(|_| in_region && !is_free) {
                let allocation = allocation(trap.function, &registers, &process.memory);
                if let Some(allocation) = allocation
                    && process.memory.write(registers.rsp, &home.to_le_bytes())
                {
                    known.allocations.push(allocation);
                }
            }
            if is_free {
                process.model.given_back(registers.rdi);
            }
            if is_free && !by_runtime {
                let (start, end) = block(registers.rdi, &process.memory);
                for problem in process.model.host_frees(start, end) {
                    let memory = process.memory.clone();
                    let place = process.names.programs_own(&registers, &memory);
                    let names = &mut process.names;
                    let place = place.map(|at| names.place_of_use(at, &registers, &memory));
                    process.say(problem, place, self.found);
                }
            }
        }
        match aside {
            Some(aside) => {
                registers.rip = aside;
                set_registers(thread, &registers);
                self.go(thread, 0);
            }
            None => {
                process.memory.write(at, &[trap.byte]);
                known.steps = true;
                known.passes = process.heap.is_some().then_some(at);
                set_registers(thread, &registers);
                resume(thread, How::OneInstruction, 0);
            }
        }
        true
    }

    /// Whether a thread executes a region, or works for one.
    fn is_in_region(&self, thread: pid_t) -> bool {
        let Some(known) = self.threads.get(&thread) else { return false };
        let doing = known.doing.last().copied().or_else(|| self.helps(known.process, thread));
        matches!(doing, Some(Doing::Region { .. }))
    }

    /// Whether a device's thread has just allocated memory. If so, records it.
    fn allocated(&mut self, thread: pid_t, registers: &user_regs_struct, at: u64) -> bool {
        let is_home = |it: &Process| it.heap.as_ref().is_some_and(|heap| heap.home == Some(at));
        if !self.processes.values().any(is_home) {
            return false;
        }
        let Some(known) = self.threads.get_mut(&thread) else { return false };
        let Some(process) = self.processes.get_mut(&known.process) else { return false };
        while let Some(allocation) = known.allocations.pop() {
            if allocation.pointer != registers.rsp {
                continue;
            }
            let Allocation { function, bytes, other, back, .. } = allocation;
            let start = match function {
                Function::IntoPlace if registers.rax == 0 => process.memory.word(other),
                Function::IntoPlace => None,
                _ => Some(registers.rax),
            };
            if let Some(start) = start.filter(|start| *start != 0) {
                if function == Function::Realloc {
                    process.model.given_back(other);
                }
                process.model.allocated(start, start.saturating_add(bytes.max(1)));
            }
            set_registers(thread, &user_regs_struct { rip: back, ..*registers });
            self.go(thread, 0);
            return true;
        }
        false
    }

    /// Sets a trap again, after a thread has executed the instruction that the trap replaces.
    pub(super) fn passed(&mut self, thread: pid_t) {
        let Some(known) = self.threads.get_mut(&thread) else { return };
        let at = known.passes.take();
        let Some(process) = self.processes.get_mut(&known.process) else { return };
        let mut traps = process.heap.iter().flat_map(|heap| &heap.traps);
        if let Some(trap) = traps.find(|trap| Some(trap.at) == at && trap.is_set) {
            process.memory.write(trap.at, &[TRAP]);
        }
    }
}

/// Reads the request of a thread that is about to execute such a function.
fn allocation(
    function: Function,
    registers: &user_regs_struct,
    memory: &Memory,
) -> Option<Allocation> {
    let (first, second, third) = (registers.rdi, registers.rsi, registers.rdx);
    let (bytes, other) = match function {
        Function::Free => return None,
        Function::Malloc => (first, 0),
        Function::Calloc => (first.saturating_mul(second), 0),
        Function::Realloc => (second, first),
        Function::Aligned => (second, 0),
        Function::IntoPlace => (third, first),
    };
    let (pointer, back) = (registers.rsp + 8, memory.word(registers.rsp)?);
    Some(Allocation { function, pointer, back, bytes, other })
}

/// Finds the C library's block that a pointer is for.
fn block(start: u64, memory: &Memory) -> (u64, u64) {
    let size = memory.word(start.wrapping_sub(8)).unwrap_or(0) & !FLAGS;
    let size = if (32..1 << 46).contains(&size) { size - 8 } else { 0 };
    (start, start.saturating_add(size))
}
