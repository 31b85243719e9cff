//! Replays a running thread's code from its registers, on the memory as it is, to find out whether
//! it walks in a circle: a list whose end leads back into it, a full table that it probes.
//!
//! What must hold for a circle that is found: as long as no other thread writes what the code
//! reads, it goes round for ever. So the replay follows each instruction exactly and gives up where
//! it cannot. If the code comes back to its first instruction, `needed.rs` finds what decided its
//! way; all of that must be as it was. (What only counts the rounds decides nothing.)

mod arithmetic;
mod instructions;
mod library;
mod machine;
mod needed;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction};

use super::super::Symbols;
use super::Standing;
use super::pure::Cell;
pub use library::is_comparison;
use machine::{Machine, Step};
use needed::{Needed, needed};

/// The instructions that are replayed, at most.
const MOST_STEPS: usize = 1 << 15;
/// The times that the code comes back to its first instruction and its way is looked at, at most.
const MOST_ANALYSES: usize = 8;
/// Bytes of an instruction, at most.
const LONGEST: usize = 15;

/// A circle in memory that code walks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Circle {
    /// The instruction that reads the circle's elements.
    pub reads_at: u64,
    /// The memory that it reads in each element, in the order of the walk, and the number there.
    pub elements: Vec<(Cell, u64)>,
    /// All memory, outside the code's own variables, that decides the walk.
    pub reads: Vec<Cell>,
    /// Whether each element leads to the next one.
    pub linked: bool,
    /// The code also writes memory that is not its own.
    pub writes: bool,
}

impl Symbols {
    /// The circle that the code walks which goes on at `rip`. `flags`: the processor's flags there,
    /// if known. `own`: the memory in which the code's own variables are.
    pub fn circle(
        &self,
        rip: u64,
        flags: Option<u64>,
        own: Range<u64>,
        standing: &Standing<'_>,
    ) -> Option<Circle> {
        let mut code: HashMap<u64, Instruction> = HashMap::new();
        let mut machine = Machine::new(standing, flags, own);
        let begun = machine.stack_pointer();
        let (mut at, mut steps) = (rip, Vec::<Step>::new());
        let mut known: Option<Needed> = None;
        let mut analyses = 0;
        let mut step = |machine: &mut Machine<'_>, at: u64| {
            let one = match code.get(&at) {
                Some(one) => *one,
                None => *code.entry(at).or_insert(self.instruction(at)?),
            };
            let compared = match one.flow_control() {
                FlowControl::Call | FlowControl::IndirectCall => {
                    let (image, bias) = self.image(at)?;
                    let name = image.imported(one.next_ip().wrapping_sub(bias));
                    name.map_or(Some(None), |name| machine.compares(&name, &one))?
                }
                _ => None,
            };
            compared.or_else(|| machine.step(&one))
        };
        while steps.len() < MOST_STEPS {
            let (next, done) = step(&mut machine, at)?;
            steps.push(done);
            at = next;
            if at != rip || machine.stack_pointer() != begun {
                continue;
            }
            let stays = |needed: &Needed| needed.places.iter().all(|it| machine.is_as_begun(*it));
            if known.as_ref().is_some_and(|known| !stays(known)) {
                continue;
            }
            analyses += 1;
            let needed = needed(&steps).filter(|_| analyses <= MOST_ANALYSES)?;
            if stays(&needed) {
                // In a second round, what the first one read leads to each element.
                for one in &mut steps {
                    (at, *one) = step(&mut machine, at)?;
                }
                let writes = machine.shares;
                return circle(&steps, &needed).map(|circle| Circle { writes, ..circle });
            }
            known = Some(needed);
        }
        None
    }

    fn instruction(&self, at: u64) -> Option<Instruction> {
        let (image, bias) = self.image(at)?;
        let bytes = image.bytes_from(at.wrapping_sub(bias), LONGEST);
        let one = Decoder::with_ip(64, bytes, at, DecoderOptions::NONE).decode();
        (!one.is_invalid()).then_some(one)
    }
}

/// The circle in one replayed round: what the instruction reads that leads from element to element,
/// or else the one that reads the most places.
fn circle(steps: &[Step], needed: &Needed) -> Option<Circle> {
    let mut found: Vec<Circle> = Vec::new();
    let mut seen: HashSet<(u64, Cell)> = HashSet::new();
    let mut reads: Vec<Cell> = Vec::new();
    for (step, is_needed) in steps.iter().zip(&needed.steps) {
        let Some(load) = step.load.as_ref().filter(|_| *is_needed) else { continue };
        let at = found.iter().position(|one| one.reads_at == step.ip).unwrap_or_else(|| {
            found.push(Circle { reads_at: step.ip, ..Circle::default() });
            found.len() - 1
        });
        found[at].linked |= load.linked;
        if seen.insert((step.ip, load.cell)) {
            found[at].elements.push((load.cell, load.number));
            reads.push(load.cell);
        }
    }
    let found = found.into_iter().max_by_key(|one| (one.linked, one.elements.len()))?;
    (found.linked || found.elements.len() > 1).then_some(Circle { reads, ..found })
}
