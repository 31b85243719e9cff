//! What a function's code hands to the functions that it calls: constants, followed through
//! registers and spill slots from where they are loaded to each call.
//!
//! A compiler may load the address of an outlined function far before the call that hands it to the
//! runtime: gcc does so ahead of a loop, for all regions of the loop at once. So nearness tells
//! nothing; the registers do.
//!
//! What must hold: a constant is named only where every way through the function leads to it. Each
//! place holds a value or [`Value::Unknown`]; ways that meet keep what they agree on, so that the
//! search ends. Ways that the code does not show (tables of a `switch`, exceptions) are taken to
//! come from any call or any jump through a register.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess,
    OpKind, Register,
};

use super::image::Image;

/// What is known of a register or a spill slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Unknown,
    Constant(u64),
    /// A place in the function's frame: which origin, and how far from it.
    Frame(u64, i64),
    /// A task that LLVM's runtime allocated for the outlined function at this address.
    Task(u64),
}

/// A call, or a jump out of the module, of one function.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// One past it.
    pub(super) after: u64,
    /// The function of another module that it goes to, if that is known.
    pub(super) callee: Option<Rc<str>>,
    /// The first six arguments.
    pub(super) arguments: [Value; 6],
    pub(super) is_jump: bool,
}

/// All calls of one function, by where each ends.
pub(super) type Calls = HashMap<u64, Call>;

/// Longer functions are not followed.
const LARGEST: u64 = 1 << 21;
/// Each instruction is gone over this often at most, on average.
const PATIENCE: usize = 64;

/// rdi, rsi, rdx, rcx, r8, r9 by their numbers.
const ARGUMENTS: [usize; 6] = [7, 6, 2, 1, 8, 9];
/// rax, rcx, rdx, rsi, rdi, r8 to r11: a call may change them.
const CLOBBERED: [usize; 9] = [0, 1, 2, 6, 7, 8, 9, 10, 11];
const STACK_POINTER: usize = 4;
const FRAME_POINTER: usize = 5;

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

#[derive(Clone, PartialEq)]
struct State {
    registers: [Value; 16],
    /// Spill slots by origin and distance; those that are not there are unknown.
    slots: BTreeMap<(u64, i64), Value>,
}

impl State {
    fn unknown() -> State {
        State { registers: [Value::Unknown; 16], slots: BTreeMap::new() }
    }

    /// Keeps what both agree on. True if anything was lost.
    fn meet(&mut self, other: &State) -> bool {
        let mut lost = false;
        for (mine, theirs) in self.registers.iter_mut().zip(&other.registers) {
            if *mine != Value::Unknown && mine != theirs {
                *mine = Value::Unknown;
                lost = true;
            }
        }
        let before = self.slots.len();
        self.slots.retain(|slot, value| other.slots.get(slot) == Some(value));
        lost || self.slots.len() != before
    }

    fn store(&mut self, slot: (u64, i64), size: i64, value: Value) {
        let (origin, at) = slot;
        let hit: Vec<_> = self
            .slots
            .range((origin, at - 7)..(origin, at + size.max(1)))
            .map(|(k, _)| *k)
            .collect();
        for slot in hit {
            self.slots.remove(&slot);
        }
        if value != Value::Unknown {
            self.slots.insert(slot, value);
        }
    }
}

struct Flow<'a> {
    image: &'a Image,
    instructions: Vec<Instruction>,
    /// Where in `instructions` each address is.
    places: HashMap<u64, usize>,
    /// What holds before the instructions that jumps lead to.
    states: BTreeMap<usize, State>,
    visited: Vec<bool>,
    todo: Vec<usize>,
    /// What holds after every call and at every jump through a register.
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
        let mut next = Some((0, entry));
        let mut patience = self.instructions.len().saturating_mul(PATIENCE);
        let mut searched = 0;
        while let Some((at, state)) = next.take() {
            self.lead(at, state);
            while let Some(at) = self.todo.pop() {
                self.follow(at, &is_target, calls, &mut patience);
            }
            if patience == 0 {
                // What is not finished may claim too much.
                calls.clear();
                return;
            }
            // The first of the code that no way has led to.
            let left = (searched..self.instructions.len())
                .find(|&at| !self.visited[at] && !is_padding(&self.instructions[at]));
            if let Some(at) = left {
                searched = at + 1;
                next = Some((at, self.hidden.clone().unwrap_or_else(State::unknown)));
            }
        }
    }

    /// A way with `state` leads to the instruction `at`.
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
                    let allocates = call.callee.as_deref().is_some_and(|name| {
                        name == "__kmpc_omp_task_alloc" || name == "__kmpc_omp_target_task_alloc"
                    });
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

    /// What an instruction that is no jump and no call does to the state.
    fn step(&mut self, instruction: &Instruction, state: &mut State) {
        let value = self.result(instruction, state);
        match instruction.mnemonic() {
            Mnemonic::Push => {
                let moved = moved(state.registers[STACK_POINTER], -8);
                state.registers[STACK_POINTER] = moved;
                if let Value::Frame(origin, at) = moved {
                    state.store((origin, at), 8, value.unwrap_or(Value::Unknown));
                }
                return;
            }
            Mnemonic::Pop => {
                let top = state.registers[STACK_POINTER];
                state.registers[STACK_POINTER] = moved(top, 8);
                if let Some(register) = whole(instruction.op0_register()) {
                    state.registers[register] = value.unwrap_or(Value::Unknown);
                }
                return;
            }
            Mnemonic::Leave => {
                let frame = state.registers[FRAME_POINTER];
                state.registers[FRAME_POINTER] = load(state, frame);
                state.registers[STACK_POINTER] = moved(frame, 8);
                return;
            }
            _ => {}
        }
        if let Some(value) = value {
            if instruction.op0_kind() == OpKind::Register {
                if let Some(register) = whole(instruction.op0_register()) {
                    state.registers[register] = value;
                    return;
                }
            } else if let Value::Frame(origin, at) = address(instruction, state) {
                state.store((origin, at), 8, value);
                return;
            }
        }
        // Anything else: what it writes is unknown.
        let writes = |access| {
            matches!(
                access,
                OpAccess::Write
                    | OpAccess::CondWrite
                    | OpAccess::ReadWrite
                    | OpAccess::ReadCondWrite
            )
        };
        let details = self.details.info(instruction);
        let written: Vec<usize> = details
            .used_registers()
            .iter()
            .filter(|used| writes(used.access()))
            .filter_map(|used| whole(used.register().full_register()))
            .collect();
        let to_memory = details.used_memory().iter().find(|used| writes(used.access()));
        if let Some(used) = to_memory
            && used.index() == Register::None
            && let Some(base) = whole(used.base())
            && let Value::Frame(origin, at) =
                moved(state.registers[base], used.displacement() as i64)
        {
            state.store((origin, at), used.memory_size().size() as i64, Value::Unknown);
        }
        for register in written {
            state.registers[register] = Value::Unknown;
        }
    }

    /// The 64-bit value that an instruction of a known kind makes.
    fn result(&self, instruction: &Instruction, state: &State) -> Option<Value> {
        let register = |register: Register| whole(register).map(|at| state.registers[at]);
        match instruction.mnemonic() {
            Mnemonic::Mov => match instruction.op1_kind() {
                OpKind::Register => register(instruction.op1_register()),
                OpKind::Immediate64 | OpKind::Immediate32to64 => {
                    Some(Value::Constant(instruction.immediate(1)))
                }
                // A write to the lower half clears the upper one.
                OpKind::Immediate32 if instruction.op0_register().is_gpr32() => {
                    Some(Value::Constant(u64::from(instruction.immediate32())))
                }
                OpKind::Memory
                    if instruction.op0_register().is_gpr64()
                        && instruction.memory_index() == Register::None =>
                {
                    Some(load(state, address(instruction, state)))
                }
                _ => None,
            },
            Mnemonic::Lea if instruction.op0_register().is_gpr64() => {
                if instruction.is_ip_rel_memory_operand() {
                    return Some(Value::Constant(instruction.ip_rel_memory_address()));
                }
                Some(address(instruction, state))
            }
            Mnemonic::Add | Mnemonic::Sub
                if instruction.op0_kind() == OpKind::Register
                    && matches!(
                        instruction.op1_kind(),
                        OpKind::Immediate8to64 | OpKind::Immediate32to64
                    ) =>
            {
                let by = instruction.immediate(1) as i64;
                let by =
                    if instruction.mnemonic() == Mnemonic::Add { by } else { by.wrapping_neg() };
                Some(moved(register(instruction.op0_register())?, by))
            }
            // A frame of coarser alignment: places in it are counted from here.
            Mnemonic::And if instruction.op0_register() == Register::RSP => {
                Some(Value::Frame(instruction.ip(), 0))
            }
            Mnemonic::Push => match instruction.op0_kind() {
                OpKind::Register => register(instruction.op0_register()),
                _ => None,
            },
            Mnemonic::Pop => Some(load(state, state.registers[STACK_POINTER])),
            _ => None,
        }
    }
}

/// What follows a call of one of these is reached from elsewhere.
fn never_returns(callee: &str) -> bool {
    const ENDS: [&str; 12] = [
        "abort",
        "exit",
        "_exit",
        "__assert_fail",
        "__stack_chk_fail",
        "__chk_fail",
        "_Unwind_Resume",
        "_ZSt9terminatev",
        "longjmp",
        "siglongjmp",
        "__longjmp_chk",
        "pthread_exit",
    ];
    const BEGINNINGS: [&str; 8] = [
        "__cxa_throw",
        "__cxa_rethrow",
        "__cxa_bad_",
        "__cxa_pure_virtual",
        "_gfortran_stop",
        "_gfortran_error_stop",
        "_gfortran_runtime_error",
        "_gfortran_os_error",
    ];
    ENDS.contains(&callee)
        || BEGINNINGS.iter().any(|beginning| callee.starts_with(beginning))
        || (callee.starts_with("_ZSt") && callee.contains("__throw_"))
}

fn is_padding(instruction: &Instruction) -> bool {
    matches!(instruction.mnemonic(), Mnemonic::Nop | Mnemonic::Int3 | Mnemonic::Ud2)
        || instruction.is_invalid()
}

/// The number of a 64-bit register.
fn whole(register: Register) -> Option<usize> {
    register.is_gpr64().then(|| register.number())
}

fn moved(value: Value, by: i64) -> Value {
    match value {
        Value::Frame(origin, at) => Value::Frame(origin, at.wrapping_add(by)),
        Value::Constant(constant) => Value::Constant(constant.wrapping_add_signed(by)),
        Value::Unknown | Value::Task(_) => Value::Unknown,
    }
}

fn load(state: &State, from: Value) -> Value {
    match from {
        Value::Frame(origin, at) => {
            state.slots.get(&(origin, at)).copied().unwrap_or(Value::Unknown)
        }
        _ => Value::Unknown,
    }
}

/// The address of an instruction's operand in memory, where it is a place and a distance.
fn address(instruction: &Instruction, state: &State) -> Value {
    if instruction.memory_index() != Register::None {
        return Value::Unknown;
    }
    match whole(instruction.memory_base()) {
        Some(base) => moved(state.registers[base], instruction.memory_displacement64() as i64),
        None => Value::Unknown,
    }
}
