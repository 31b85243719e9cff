//! The walk from frame to frame.

use super::cache::Cache;
use super::calls::Call;
use super::modules::{Module, Modules};
use super::rules::{self, Rule, Step};
use super::{Registers, StackMemory, depth, newcomer, register};

/// The numbers of words that are searched for the caller of code without information: right above
/// the stack pointer, above each register that points into the stack, and at last further up.
const NEAR: u64 = 16;
const BESIDE: u64 = 24;
const FAR: u64 = 256;
/// The longest function without information, bytes: a call's target is at most this far below.
const LONGEST_KERNEL: u64 = 1 << 16;

/// The mapped objects as a walk may use them.
pub struct Objects<'a> {
    /// The newest list.
    pub modules: &'a Modules,
    /// Whether the objects may be read. While objects are being unmapped they may not: then only
    /// rules that are known already are used.
    pub readable: bool,
}

/// The room for the frames of a stack, innermost first.
pub struct Found<'a> {
    /// The program counters: the first is the registers' own, the others are return addresses.
    pub frames: &'a mut [u64],
    /// The stack pointer of each.
    pub pointers: &'a mut [u64],
}

/// Fills `found` with the stack's frames, and returns their number. Async-signal-safe.
pub fn walk(
    objects: &Objects<'_>,
    cache: &mut Cache,
    mut registers: Registers,
    memory: StackMemory,
    found: Found<'_>,
) -> usize {
    let mut count = 0;
    let mut exact = true;
    for (place, pointer) in found.frames.iter_mut().zip(found.pointers) {
        let pc = registers.pc();
        if pc < 4096 {
            break;
        }
        (*place, *pointer) = (pc, registers.sp());
        count += 1;
        let address = if exact { pc } else { pc - 1 };
        match step(objects, cache, address, &mut registers, &memory, count == 1) {
            Step::Caller { exact: next } => exact = next,
            Step::End | Step::Lost => break,
        }
    }
    count
}

fn step(
    objects: &Objects<'_>,
    cache: &mut Cache,
    address: u64,
    registers: &mut Registers,
    memory: &StackMemory,
    first: bool,
) -> Step {
    let modules = objects.modules;
    let rule = match cache.get(address, modules.generation) {
        Some(rule) => rule,
        None if !objects.readable => return frame_pointer(registers, memory),
        None => {
            let rule = match modules.find(address) {
                Some(module) => rules::find(module, &mut cache.context, address),
                None => {
                    modules.note_unknown();
                    let module = newcomer::find(address);
                    module.map_or(Rule::Unknown, |module| {
                        rules::find(&module, &mut cache.context, address)
                    })
                }
            };
            if rule != Rule::Unknown {
                cache.put(address, modules.generation, rule);
                rule
            } else if depth::is_ready() {
                let found = depth::find(modules, &mut cache.context, address, registers, memory);
                let rule = found.unwrap_or(Rule::Unknown);
                cache.put(address, modules.generation, rule);
                rule
            } else {
                modules.note_unknown();
                rule
            }
        }
    };
    match rule {
        Rule::End => Step::End,
        Rule::Plain { register, offset, saved } => {
            rules::apply_plain(registers, memory, register, offset, &saved)
        }
        Rule::Full | Rule::Unknown if !objects.readable => frame_pointer(registers, memory),
        Rule::Full => {
            let mut apply =
                |of: &Module| rules::apply_full(of, &mut cache.context, address, registers, memory);
            match modules.find(address) {
                Some(module) => apply(module),
                None => newcomer::find(address).map_or(Step::Lost, |module| apply(&module)),
            }
        }
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

/// Finds the caller of code without information (assembly kernels): a word on the stack that is an
/// address after a call instruction. Such code either leaves little on the stack, or keeps the old
/// stack pointer in a register while it uses a large buffer, whose old contents would mislead. If
/// no such word is found, the frame pointer decides.
fn search(modules: &Modules, registers: &mut Registers, memory: &StackMemory) -> Step {
    let sp = registers.sp();
    let kept = [register::RBX, register::RBP, 10, 11, 12, 13, 14, 15];
    let kept = kept.map(|number| registers.0.get(number).copied().unwrap_or(0));
    let beside = kept.into_iter().filter(|at| *at > sp && *at < memory.high && at % 8 == 0);
    let starts = core::iter::once((sp, NEAR))
        .chain(beside.map(|at| (at, BESIDE)))
        .chain(core::iter::once((sp, FAR)));
    let pc = registers.pc();
    // First a call that certainly leads here, then any that may have.
    for sure in [true, false] {
        for (start, words) in starts.clone() {
            for at in (0..words).map(|word| (start & !7) + word * 8) {
                let Some(word) = memory.read(at) else { break };
                let leads_here = match modules.call_before(word) {
                    Call::None => false,
                    Call::Direct(target) => sure && target <= pc && pc - target < LONGEST_KERNEL,
                    Call::Indirect => !sure,
                };
                if leads_here {
                    find_frame_pointer(modules, registers, memory, (start & !7, at), word);
                    registers.0[register::RSP] = at + 8;
                    registers.0[register::RIP] = word;
                    return Step::Caller { exact: false };
                }
            }
        }
    }
    frame_pointer(registers, memory)
}

/// Finds the caller's frame pointer. Code without information may have saved it in `kept` words of
/// the stack, and uses the register as it likes; the caller at `caller` may depend on it. It is the
/// word that points to a frame: the word above that frame is an address after a call of the caller.
fn find_frame_pointer(
    modules: &Modules,
    registers: &mut Registers,
    memory: &StackMemory,
    kept: (u64, u64),
    caller: u64,
) {
    let now = registers.0[register::RBP];
    let words = || (kept.0..kept.1).step_by(8).filter_map(|at| memory.read(at));
    for sure in [true, false] {
        let points_to_frame = |base: &u64| {
            let above = (*base > kept.1 && base.is_multiple_of(8)).then(|| base.wrapping_add(8));
            match above.and_then(|at| memory.read(at)).map(|word| modules.call_before(word)) {
                Some(Call::Direct(to)) => to <= caller && caller - to < LONGEST_KERNEL,
                Some(Call::Indirect) => !sure,
                _ => false,
            }
        };
        if let Some(base) = core::iter::once(now).chain(words()).find(points_to_frame) {
            registers.0[register::RBP] = base;
            return;
        }
    }
}
