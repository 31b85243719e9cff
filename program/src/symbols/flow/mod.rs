//! Finds the arguments that a function's code passes to the functions that it calls: constants,
//! followed through registers and spill slots from where they are loaded to each call.
//!
//! A compiler may load the address of an outlined function far in front of the call that passes it
//! to the runtime: gcc does so ahead of a loop, for all regions of the loop at once. So nearness
//! tells nothing; the registers do.
//!
//! What must hold: a constant is named only if every way through the function leads to it. Each
//! place holds a value or [`Value::Unknown`]. Where ways meet, only values on which they agree are
//! kept, so the search ends. Ways that the code does not show (tables of a `switch`, exceptions)
//! are assumed to come from any call or any jump through a register.

mod state;
mod step;

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpKind,
};

use super::image::Image;
use crate::entries::{self, Part};
pub(super) use state::Value;
use state::{STACK_POINTER, State};

/// A call, or a jump out of the module, of one function.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// The address one past it.
    pub(super) after: u64,
    /// The function of another module that it goes to, if known.
    pub(super) callee: Option<Rc<str>>,
    /// The first six arguments.
    pub(super) arguments: [Value; 6],
    pub(super) is_jump: bool,
}

/// All calls of one function, by their return addresses.
pub(super) type Calls = HashMap<u64, Call>;

/// Bytes of a function that is followed, at most.
const LARGEST: u64 = 1 << 21;
/// The greatest number of times that an instruction is processed, on average.
const PATIENCE: usize = 64;

/// rdi, rsi, rdx, rcx, r8, r9 by their numbers.
const ARGUMENTS: [usize; 6] = [7, 6, 2, 1, 8, 9];
/// rax, rcx, rdx, rsi, rdi, r8 to r11: a call may change them.
const CLOBBERED: [usize; 9] = [0, 1, 2, 6, 7, 8, 9, 10, 11];

/// Follows the code from `start` to `end`.
pub(super) fn calls(image: &Image, start: u64, end: u64) -> Calls {
    let mut calls = Calls::new();
    let Some(length) = end.checked_sub(start).filter(|length| *length <= LARGEST) else {
        return calls;
    };
    let code = image.code_before(end, length);
    if code.len() as u64 == length {
        Flow::new(image, code, start).run(&mut calls);
    }
    calls
}
struct Flow<'a> {
    image: &'a Image,
    instructions: Vec<Instruction>,
    /// The index in `instructions` of each address.
    places: HashMap<u64, usize>,
    /// The states in front of the instructions that jumps lead to.
    states: BTreeMap<usize, State>,
    visited: Vec<bool>,
    todo: Vec<usize>,
    /// The state that holds behind every call and at every jump through a register.
    hidden: Option<State>,
    details: InstructionInfoFactory,
}

impl<'a> Flow<'a> {
    fn new(image: &'a Image, code: &[u8], start: u64) -> Flow<'a> {
        let mut decoder = Decoder::with_ip(64, code, start, DecoderOptions::NONE);
        let instructions: Vec<Instruction> = decoder.iter().collect();
        let places = instructions.iter().enumerate().map(|(i, at)| (at.ip(), i)).collect();
        let visited = vec![false; instructions.len()];
        Flow {
            image,
            instructions,
            places,
            states: BTreeMap::new(),
            visited,
            todo: Vec::new(),
            hidden: None,
            details: InstructionInfoFactory::new(),
        }
    }

    fn run(mut self, calls: &mut Calls) {
        let targets: Vec<usize> = self
            .instructions
            .iter()
            .filter(|i| i.op_count() > 0 && i.op0_kind() == OpKind::NearBranch64)
            .filter_map(|i| self.places.get(&i.near_branch_target()).copied())
            .collect();
        let mut is_target = vec![false; self.instructions.len()];
        targets.into_iter().for_each(|target| is_target[target] = true);
        let mut entry = State::unknown();
        entry.registers[STACK_POINTER] = Value::Frame(0, 0);
        for (number, register) in ARGUMENTS.into_iter().enumerate() {
            entry.registers[register] = Value::Argument(number, 0);
        }
        let mut next = Some((0, entry));
        let mut patience = self.instructions.len().saturating_mul(PATIENCE);
        let mut searched = 0;
        while let Some((at, state)) = next.take() {
            self.lead(at, state);
            while let Some(at) = self.todo.pop() {
                self.follow(at, &is_target, calls, &mut patience);
            }
            if patience == 0 {
                // An unfinished search may claim too much.
                calls.clear();
                return;
            }
            // The first code that no way has led to.
            let left = (searched..self.instructions.len())
                .find(|&at| !self.visited[at] && !is_padding(&self.instructions[at]));
            if let Some(at) = left {
                searched = at + 1;
                next = Some((at, self.hidden.clone().unwrap_or_else(State::unknown)));
            }
        }
    }

    /// Records that a way with `state` leads to the instruction `at`.
    fn lead(&mut self, at: usize, state: State) {
        match self.states.get_mut(&at) {
            Some(known) => {
                if !known.meet(&state) {
                    return;
                }
            }
            None => drop(self.states.insert(at, state)),
        }
        self.todo.push(at);
    }

    /// Goes straight on from `at` until the way ends or meets another one.
    fn follow(&mut self, at: usize, is_target: &[bool], calls: &mut Calls, patience: &mut usize) {
        let Some(mut state) = self.states.get(&at).cloned() else { return };
        let first = at;
        for (at, &meets) in is_target.iter().enumerate().skip(first) {
            if *patience == 0 {
                return;
            }
            *patience -= 1;
            if at != first && (meets || self.states.contains_key(&at)) {
                self.lead(at, state);
                return;
            }
            self.visited[at] = true;
            let instruction = self.instructions[at];
            match instruction.flow_control() {
                FlowControl::Next => self.step(&instruction, &mut state),
                FlowControl::Call | FlowControl::IndirectCall => {
                    let call = self.call(&instruction, &state, false);
                    for register in CLOBBERED {
                        state.registers[register] = Value::Unknown;
                    }
                    let part = call.callee.as_deref().and_then(entries::part);
                    let allocates = part == Some(Part::TaskAlloc);
                    if let (true, Value::Constant(body)) = (allocates, call.arguments[5]) {
                        state.registers[0] = Value::Task(body);
                    }
                    let ends = call.callee.as_deref().is_some_and(never_returns);
                    calls.insert(call.after, call);
                    self.hide(&state);
                    if ends {
                        return;
                    }
                }
                FlowControl::ConditionalBranch | FlowControl::XbeginXabortXend => {
                    if let Some(&target) = self.places.get(&instruction.near_branch_target()) {
                        self.lead(target, state.clone());
                    }
                }
                FlowControl::UnconditionalBranch => {
                    match self.places.get(&instruction.near_branch_target()) {
                        Some(&target) => self.lead(target, state),
                        None => {
                            let call = self.call(&instruction, &state, true);
                            calls.insert(call.after, call);
                        }
                    }
                    return;
                }
                FlowControl::IndirectBranch => {
                    let call = self.call(&instruction, &state, true);
                    if call.callee.is_some() {
                        calls.insert(call.after, call);
                    } else {
                        self.hide(&state);
                    }
                    return;
                }
                FlowControl::Return | FlowControl::Interrupt | FlowControl::Exception => return,
            }
        }
    }

    fn hide(&mut self, state: &State) {
        match &mut self.hidden {
            Some(known) => drop(known.meet(state)),
            None => self.hidden = Some(state.clone()),
        }
    }

    fn call(&self, instruction: &Instruction, state: &State, is_jump: bool) -> Call {
        let after = instruction.next_ip();
        let arguments = ARGUMENTS.map(|register| state.registers[register]);
        Call { after, callee: self.image.imported(after), arguments, is_jump }
    }
}

/// Whether a function never returns: code behind a call of it is reached from elsewhere.
pub(super) fn never_returns(callee: &str) -> bool {
    const ENDS: [&str; 12] = [
        "abort", "exit", "_exit", "__assert_fail", "__stack_chk_fail", "__chk_fail",
        "_Unwind_Resume", "_ZSt9terminatev", "longjmp", "siglongjmp", "__longjmp_chk",
        "pthread_exit",
    ];
    const BEGINNINGS: [&str; 8] = [
        "__cxa_throw", "__cxa_rethrow", "__cxa_bad_", "__cxa_pure_virtual", "_gfortran_stop",
        "_gfortran_error_stop", "_gfortran_runtime_error", "_gfortran_os_error",
    ];
    ENDS.contains(&callee)
        || BEGINNINGS.iter().any(|beginning| callee.starts_with(beginning))
        || (callee.starts_with("_ZSt") && callee.contains("__throw_"))
}

fn is_padding(instruction: &Instruction) -> bool {
    matches!(instruction.mnemonic(), Mnemonic::Nop | Mnemonic::Int3 | Mnemonic::Ud2)
        || instruction.is_invalid()
}
