//! Frames with names and lines.

use omphalos_ompd_view::snapshot::Frame;
use omphalos_program::{ConstructKind, Mapped, Names, Owner, library};
use omphalos_why::words;

use crate::space::{Module, Space};
use crate::unwind::Raw;

/// Frames of stacks, and names of other addresses.
pub struct Named<'a> {
    names: Names,
    modules: &'a [Module],
}

impl<'a> Named<'a> {
    /// Opens the files that contain one of `addresses`.
    pub fn open(
        space: &dyn Space,
        modules: &'a [Module],
        addresses: impl Iterator<Item = u64>,
        notes: &mut Vec<String>,
    ) -> Named<'a> {
        // A file's name shows whether it belongs to a runtime or to the system.
        let is_opened = |name: &str| {
            let others = [&library::RUNTIMES[..], &library::SYSTEM[..]];
            !others.iter().any(|names| library::is_one_of(name, names))
        };
        let place = |module: &Module| match is_opened(module.name()) {
            true => space.file(module),
            false => Some(module.place().to_owned()),
        };
        let places: Vec<Option<String>> = modules.iter().map(place).collect();
        let mut files: Vec<Mapped> = modules
            .iter()
            .zip(&places)
            .map(|(module, place)| Mapped {
                base: module.base,
                end: module.end,
                file: place.clone().unwrap_or_else(|| module.place().to_owned()),
                wanted: false,
            })
            .collect();
        for address in addresses {
            let next = files.partition_point(|file| file.base <= address);
            let Some(at) = next.checked_sub(1) else { continue };
            // A function of the C library gets the name by which it is called: the library's own
            // tables are large.
            let is_system = words::is_system_file(modules[at].name());
            // Shared memory is a mapped file too.
            let is_code =
                || space.mappings().iter().any(|m| m.executable && m.path == modules[at].path);
            if files[at].wanted {
                continue;
            }
            files[at].wanted = address < files[at].end && !is_system && is_code();
        }
        for ((file, place), module) in files.iter_mut().zip(&places).zip(modules) {
            if file.wanted && place.is_none() && module.path.starts_with('/') {
                file.wanted = false;
                notes.push(format!(
                    "'{}' is no more what the process has: no names from it (it was deleted or \
                     replaced since; root may still read it)",
                    module.place()
                ));
            }
        }
        Named { names: Names::open(&files, notes), modules }
    }

    /// The names and places from the program's symbols.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Whether the file that `address` is in is an OpenMP runtime.
    pub fn is_runtimes(&self, address: u64) -> bool {
        self.module(address).is_some() && self.names.owner(address) == Owner::Runtime
    }

    /// The file that `address` is in.
    pub fn module(&self, address: u64) -> Option<&'a Module> {
        let next = self.modules.partition_point(|module| module.base <= address);
        self.modules.get(next.checked_sub(1)?).filter(|module| address < module.end)
    }

    /// All files, by their addresses.
    pub fn modules(&self) -> &'a [Module] {
        self.modules
    }

    /// The frames of one stack with names. Inlined functions have frames of their own.
    pub fn frames(&self, stack: &[Raw]) -> Vec<Frame> {
        let mut frames = Vec::with_capacity(stack.len());
        let mut body: Option<(u64, (Option<String>, u32))> = None;
        for (at, raw) in stack.iter().enumerate() {
            let module = self.module(raw.lookup).map_or("", Module::name).to_owned();
            let runtime = matches!(self.names.owner(raw.lookup), Owner::Runtime | Owner::Tool);
            let frame =
                Frame { address: raw.address, cfa: raw.cfa, module, runtime, ..Frame::default() };
            if raw.signal {
                frames.push(Frame { function: SIGNAL.to_owned(), ..frame });
                continue;
            }
            for function in self.names.functions(raw.lookup) {
                // A call that is looked up alone has no other half.
                if function.body && at + 1 < stack.len() {
                    // Its caller, the other half, represents both halves, at this half's place.
                    body = Some((raw.address, (function.file, function.line)));
                    continue;
                }
                if function.artificial {
                    continue;
                }
                // Libraries have special names for their exports, or none.
                let foreign = runtime || self.names.owner(raw.lookup) == Owner::System;
                let called = || self.names.callee(stack.get(at + 1)?.address);
                let name = match function.named && !foreign || function.inlined {
                    true => function.name,
                    false => called().unwrap_or(function.name),
                };
                let own = (raw.address, (function.file, function.line));
                let half = body.take().filter(|_| function.construct.is_some());
                let (address, mut place) = half.unwrap_or(own);
                // A call that two places of the source share has no line; the line of the construct
                // is near.
                if place.1 == 0
                    && function.construct.is_some()
                    && let Some(start) = function.start
                {
                    let first = self.names.functions(start).into_iter().next_back();
                    place = first.map_or(place, |first| (first.file, first.line));
                    if place.1 == 0 {
                        let construct = self.names.construct_of_body(start, ConstructKind::Region);
                        place = (construct.file.map(|file| file.to_string()), construct.line);
                    }
                }
                let (file, line) = place;
                frames.push(Frame {
                    address,
                    function: name,
                    construct: function.construct.map(str::to_owned),
                    file,
                    line: Some(line).filter(|line| *line > 0),
                    inlined: function.inlined,
                    ..frame.clone()
                });
            }
        }
        frames
    }
}

/// The function of a frame that the kernel made to call a signal's handler.
pub const SIGNAL: &str = "<signal handler called>";
