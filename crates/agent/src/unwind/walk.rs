//! The walk from frame to frame.

use super::cache::Cache;
use super::modules::Modules;
use super::rules::{self, Rule, Step};
use super::{Registers, StackMemory, register};

/// How many words above the stack pointer are searched for the caller of code without information.
const SEARCH: u64 = 256;

/// Fills `frames` with the program counters of the stack, innermost first: the first is
/// `registers`' own, the others are return addresses. Returns how many. Async-signal-safe.
pub fn walk(
    modules: &Modules,
    cache: &mut Cache,
    mut registers: Registers,
    memory: StackMemory,
    frames: &mut [u64],
) -> usize {
    let mut count = 0;
    let mut exact = true;
    while let Some(place) = frames.get_mut(count) {
        let pc = registers.pc();
        if pc < 4096 {
            break;
        }
        *place = pc;
        count += 1;
        let address = if exact { pc } else { pc - 1 };
        match step(modules, cache, address, &mut registers, &memory, count == 1) {
            Step::Caller { exact: next } => exact = next,
            Step::End | Step::Lost => break,
        }
    }
    count
}

fn step(
    modules: &Modules,
    cache: &mut Cache,
    address: u64,
    registers: &mut Registers,
    memory: &StackMemory,
    first: bool,
) -> Step {
    let rule = match cache.get(address, modules.generation) {
        Some(rule) => rule,
        None => {
            let rule = match modules.find(address) {
                Some(module) => rules::find(module, &mut cache.context, address),
                None => {
                    modules.note_unknown();
                    Rule::Unknown
                }
            };
            cache.put(address, modules.generation, rule);
            rule
        }
    };
    match rule {
        Rule::End => Step::End,
        Rule::Plain { register, offset, saved } => {
            rules::apply_plain(registers, memory, register, offset, &saved)
        }
        Rule::Full => match modules.find(address) {
            Some(module) => {
                rules::apply_full(module, &mut cache.context, address, registers, memory)
            }
            None => Step::Lost,
        },
        Rule::Unknown if first => search(modules, registers, memory),
        Rule::Unknown => frame_pointer(registers, memory),
    }
}

fn frame_pointer(registers: &mut Registers, memory: &StackMemory) -> Step {
    let base = registers.0[register::RBP];
    let caller = (memory.read(base), memory.read(base.wrapping_add(8)));
    match caller {
        (Some(before), Some(pc)) if base >= registers.sp() => {
            registers.0[register::RBP] = before;
            registers.0[register::RSP] = base + 16;
            registers.0[register::RIP] = pc;
            Step::Caller { exact: false }
        }
        _ => Step::Lost,
    }
}

/// Code without information (assembly kernels): the caller is where the lowest word on the stack
/// points that follows a call instruction; failing that, what the frame pointer says.
fn search(modules: &Modules, registers: &mut Registers, memory: &StackMemory) -> Step {
    let sp = registers.sp() & !7;
    for at in (0..SEARCH).map(|word| sp + word * 8) {
        let Some(word) = memory.read(at) else { break };
        if modules.follows_call(word) {
            registers.0[register::RSP] = at + 8;
            registers.0[register::RIP] = word;
            return Step::Caller { exact: false };
        }
    }
    frame_pointer(registers, memory)
}
