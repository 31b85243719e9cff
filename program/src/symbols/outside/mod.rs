//! Names addresses for those who look at a process from outside, without a profile.

use std::ops::Deref;

use super::{Call, ConstructKind, ModuleInfo, Owner, Role, Symbols};
use crate::entries::{self, Part};

mod code;
mod file;

pub use file::{ProgramFile, RuntimeCall, Segment};

/// A program file as it is mapped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mapped {
    /// The address of its begin.
    pub base: u64,
    /// One past its end.
    pub end: u64,
    /// The file's path, if it can be opened.
    pub file: String,
    /// Whether its names are needed.
    pub wanted: bool,
}

/// A function that contains an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFunction {
    /// Its name as its author wrote it. For a function that a compiler made of a construct, the
    /// name of the function around that construct, if it is known.
    pub name: String,
    /// Whether `name` is a name; otherwise it is an address, as `file+0x12`.
    pub named: bool,
    /// A compiler made it of a construct: "parallel", "task", or "construct" if only the runtime
    /// knows which.
    pub construct: Option<&'static str>,
    /// Whether a compiler made it for nothing that the user wrote.
    pub artificial: bool,
    /// Whether it is the inner half of a construct's body, which has the lines; the next function
    /// has the name.
    pub body: bool,
    /// The source file.
    pub file: Option<String>,
    /// The line; 0 = unknown.
    pub line: u32,
    /// The start of the machine function; `None` for one that is inlined into the next.
    pub start: Option<u64>,
    /// Whether it is inlined into the next one.
    pub inlined: bool,
}

/// The names of a process's addresses.
pub struct Names {
    symbols: Symbols,
}

impl Deref for Names {
    type Target = Symbols;

    fn deref(&self) -> &Symbols {
        &self.symbols
    }
}

impl Names {
    /// Opens the wanted files. Failures are reported in `notes`.
    pub fn open(files: &[Mapped], notes: &mut Vec<String>) -> Names {
        let modules: Vec<ModuleInfo> = files
            .iter()
            .map(|file| ModuleInfo {
                base: file.base,
                end: file.end,
                file_offset: 0,
                path: file.file.clone().into(),
                build_id: Vec::new(),
                flags: 0,
            })
            .collect();
        let wanted =
            |info: &ModuleInfo| files.iter().any(|file| file.base == info.base && file.wanted);
        Names { symbols: Symbols::open(&modules, &wanted, notes, |_| {}) }
    }

    /// The owner of the code at `address`.
    pub fn owner(&self, address: u64) -> Owner {
        self.symbols.kind(address)
    }

    /// The functions that contain `address`, innermost first, never empty. Subtract one from a
    /// return address before you pass it.
    pub fn functions(&self, address: u64) -> Vec<NamedFunction> {
        let found = self.symbols.functions(address);
        let last = found.len().saturating_sub(1);
        let one = |(at, function): (usize, &super::Function)| NamedFunction {
            name: self.name(address, function),
            named: function.named,
            construct: match function.role {
                Role::Region => Some("parallel"),
                Role::Task => Some("task"),
                Role::Outlined => Some("construct"),
                _ => None,
            },
            artificial: function.role == Role::Helper,
            body: function.role == Role::Body,
            file: function.file.as_deref().map(str::to_owned),
            line: function.near,
            start: function.start,
            inlined: at < last,
        };
        found.iter().enumerate().map(one).collect()
    }

    /// The function's name. Some names of bodies do not tell the function around them, but its
    /// lines do.
    fn name(&self, address: u64, function: &super::Function) -> String {
        if !function.shown.is_empty() {
            return function.shown.to_string();
        }
        let file = function.file.as_deref();
        // A function that is inlined there may have a name of its own.
        let (symbols, line) = (&self.symbols, function.line);
        let around = super::construct::around(symbols, address, file, line)
            .or_else(|| super::construct::user_function(symbols, address, file, line));
        around.map_or_else(String::new, |name| name.to_string())
    }

    /// The author's form of a function's name in a file.
    pub fn written(name: &str) -> String {
        super::names::display(name, None)
    }

    /// The variable at `offset` bytes into each thread's storage for the file around `module`, with
    /// the distance into it: `locks+8`.
    pub fn of_each_thread(&self, module: u64, offset: u64) -> Option<String> {
        let (image, _) = self.symbols.image(module)?;
        let (name, rest) = image.of_each_thread(offset)?;
        Some(if rest == 0 { name } else { format!("{name}+{rest}") })
    }

    /// The other lines of the source that the call which returns to `after` may stand for, because
    /// a compiler merged several calls into one. They come from the source, as far as it can be
    /// read.
    pub fn merged_lines(&self, after: u64) -> Vec<u32> {
        super::merged::lines(&self.symbols, after).unwrap_or_default()
    }

    /// Whether `address` has a line of its own, not only lines near it.
    pub fn has_line(&self, address: u64) -> bool {
        self.symbols.functions(address).first().is_some_and(|function| function.line > 0)
    }

    /// The construct whose call of the runtime returns to `address`: "region at file.c:3 in main".
    pub fn construct(&self, address: u64, kind: ConstructKind) -> super::Construct {
        (*self.symbols.construct(address, kind)).clone()
    }

    /// As [`construct`](Self::construct), where the construct's outlined function starts at
    /// `start`. That function decides if a compiler made the call a jump, so that `address` is in
    /// an outer function.
    pub fn construct_with_body(
        &self,
        address: u64,
        kind: ConstructKind,
        start: u64,
    ) -> super::Construct {
        super::construct::find_with_body(&self.symbols, address, kind, start)
    }

    /// As [`construct_with_body`](Self::construct_with_body), where either address may be 0, which
    /// is unknown. If two places of the source share one call, which then has no line, the outlined
    /// function decides the place.
    pub fn construct_known_by(
        &self,
        address: u64,
        kind: ConstructKind,
        start: u64,
    ) -> super::Construct {
        match (address, start) {
            (0, start) => self.construct_of_body(start, kind),
            (address, 0) => self.construct(address, kind),
            (address, start) => {
                let found = self.construct_with_body(address, kind, start);
                if found.line == 0 { self.construct_of_body(start, kind) } else { found }
            }
        }
    }

    /// The construct whose outlined function starts at `start`.
    pub fn construct_of_body(&self, start: u64, kind: ConstructKind) -> super::Construct {
        super::construct::find_by_body(&self.symbols, kind, start)
    }

    /// The line of the `ordered` directive, in this file, for which gcc's code calls the runtime at
    /// `address`. The line information gives that call `line`: the line of the code in front of the
    /// directive, or of its body. `None` if `line` is right, or the source does not show it.
    pub fn ordered_line(&self, address: u64, path: &str, line: u32) -> Option<u32> {
        let is_ordered =
            |name: &String| entries::is_gccs(name) && entries::part(name) == Some(Part::Ordered);
        self.callee(address).filter(is_ordered)?;
        self.symbols.ordered_line(address - 1, path, line)
    }

    /// The innermost loop around a place of the code, if it only waits for memory to change. With
    /// `meets`: the outermost loop in each of whose rounds threads wait for each other; the rounds
    /// are alike but for numbers that grow. `called` returns the known facts about functions of
    /// other modules.
    pub fn awaits(
        &self,
        address: u64,
        standing: &super::Standing<'_>,
        called: &dyn Fn(&str) -> Option<super::Called>,
        meets: bool,
    ) -> Option<super::Awaits> {
        self.symbols.awaits(address, standing, called, meets)
    }

    /// Whether the innermost loop around the call that returns to `after` would end if that call
    /// returned now; `None` if the code and the known facts about the thread do not show it.
    pub fn would_end(&self, after: u64, standing: &super::Standing<'_>) -> Option<bool> {
        self.symbols.would_end(after, standing)
    }

    /// The calls in the function around `address`, up to there, also of functions of the same file.
    pub fn calls_before(&self, address: u64) -> Vec<Call> {
        self.symbols.all_calls(address, false)
    }

    /// The calls in the whole function that starts at `start`, also of functions of the same file.
    pub fn calls_of(&self, start: u64) -> Vec<Call> {
        self.symbols.all_calls(start, true)
    }

    /// The first two arguments of the call that returned to `after`, if they come from variables of
    /// the calling frame that have not changed since. That frame goes on at `now`.
    pub fn arguments_handed(
        &self,
        after: u64,
        now: u64,
        standing: &super::Standing<'_>,
    ) -> [Option<u64>; 2] {
        self.symbols.arguments_handed(after, now, standing)
    }

    /// The first six arguments of the call that returns to `after`, as far as the code in front
    /// of it and the frame show them. The frame is in that call.
    pub fn numbers_handed(&self, after: u64, standing: &super::Standing<'_>) -> [Option<u64>; 6] {
        self.symbols.numbers_handed(after, standing)
    }

    /// The same six arguments for a call of a loop; the frame goes on at `now`, in that loop.
    pub fn numbers_of_round(
        &self,
        after: u64,
        now: u64,
        standing: &super::Standing<'_>,
    ) -> [Option<u64>; 6] {
        self.symbols.numbers_of_round(after, now, standing)
    }

    /// Whether the instruction that ends at `after` exchanges a value with memory.
    pub fn exchanges(&self, after: u64) -> bool {
        self.symbols.exchanges(after)
    }

    /// Whether the instruction that ends at `after`, or a later one of the same line, adds to a
    /// value in memory.
    pub fn adds(&self, after: u64) -> bool {
        self.symbols.adds(after)
    }

    /// The lock of the critical section that the call which returns to `after` begins, if the code
    /// shows it.
    pub fn critical_lock(&self, after: u64) -> Option<u64> {
        super::outlined::critical_lock(&self.symbols, after)
    }

    /// The first argument of the call that returns to `after`, if the code shows that it is always
    /// the same address.
    pub fn first_argument(&self, after: u64) -> Option<u64> {
        super::outlined::first_argument(&self.symbols, after)
    }

    /// An argument of that call, where the code has it as an address. `number`: which one, from 0.
    pub fn address_argument(&self, after: u64, number: usize) -> Option<u64> {
        super::outlined::address_argument(&self.symbols, after, number)
    }

    /// An argument of that call, where the code has it as a number.
    pub fn number_argument(&self, after: u64, number: usize) -> Option<u64> {
        super::outlined::number_argument(&self.symbols, after, number)
    }
}
