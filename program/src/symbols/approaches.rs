//! Finds whether the code with which a thread goes on comes to a certain place: in its own
//! function, or in one that it calls.

use iced_x86::{Decoder, DecoderOptions};

use super::Symbols;
use super::image::Image;

/// The depth of calls between a thread's own function and a place.
const DEEPEST: usize = 3;
/// Functions of one file that are searched, and places that lead to a wanted one.
const MOST_FUNCTIONS: usize = 50_000;
const MOST_WAYS: usize = 64;
/// The longest instruction, in bytes.
const LONGEST: usize = 15;

/// Places from which code comes to wanted ones.
#[derive(Clone, Debug, Default)]
pub struct Approaches {
    /// The address one past an instruction, which is a wanted place or a call that leads to one;
    /// and the address one past that wanted place.
    ways: Vec<(u64, u64)>,
}

impl Symbols {
    /// The calls that lead to places of the program, each by the address one past its instruction.
    pub fn approaches_to(&self, wanted: &[u64]) -> Approaches {
        let mut ways: Vec<(u64, u64)> = wanted.iter().map(|at| (*at, *at)).collect();
        let mut from = 0;
        for _ in 0..DEEPEST {
            let (last, end) = (from, ways.len());
            from = end;
            for (image, bias) in self.program_files() {
                let is_here = |at: &u64| {
                    let file = self.image(at - 1);
                    file.is_some_and(|(of, at)| std::ptr::eq(of, image) && at == bias)
                };
                let new = ways[last..end].iter().filter(|(at, _)| is_here(at));
                let starts: Vec<(u64, u64)> = new
                    .filter_map(|(at, to)| {
                        let start = image.function_bounds(at.wrapping_sub(bias + 1))?.0;
                        Some((start, *to))
                    })
                    .collect();
                let calls = image.calls_of(&starts).into_iter();
                ways.extend(calls.map(|(at, to)| (at.wrapping_add(bias), to)));
            }
            if ways.len() == end || ways.len() > MOST_WAYS {
                break;
            }
        }
        ways.truncate(MOST_WAYS);
        Approaches { ways }
    }

    /// The addresses one past the first instruction of each piece of code at one of these lines of
    /// a file.
    pub fn code_of(&self, path: &str, lines: &[u32]) -> Vec<u64> {
        let mut found = Vec::new();
        for (image, bias) in self.program_files() {
            let starts = image.rows_at(path, lines);
            let behind = starts.into_iter().filter_map(|at| {
                let code = image.bytes_from(at, LONGEST);
                let one = Decoder::with_ip(64, code, at, DecoderOptions::NONE).decode();
                (!one.is_invalid()).then_some(one.next_ip().wrapping_add(bias))
            });
            found.extend(behind.take(MOST_WAYS));
        }
        found
    }

    /// The first of the wanted places to which a function may come that goes on at `from`.
    pub fn reached_from(&self, from: u64, ways: &Approaches) -> Option<u64> {
        let (image, bias) = self.image(from)?;
        let here = image.function_bounds(from.wrapping_sub(bias))?;
        let is_here = |at: u64| (here.0..here.1).contains(&at.wrapping_sub(bias + 1));
        let own: Vec<(u64, u64)> =
            ways.ways.iter().copied().filter(|(at, _)| is_here(*at)).collect();
        let leads = |to: u64, without: &[u64]| self.leads_to(from, to, without) == Some(true);
        let is_first = |(at, _): &&(u64, u64)| {
            let others = own.iter().map(|(other, _)| *other).filter(|other| other != at);
            leads(*at, &others.collect::<Vec<u64>>())
        };
        own.iter().find(is_first).map(|(_, to)| *to)
    }
}

impl Image {
    /// The addresses one past each call, or jump, of functions that start at one of these places.
    fn calls_of(&self, starts: &[(u64, u64)]) -> Vec<(u64, u64)> {
        let mut found = Vec::new();
        if starts.is_empty() {
            return found;
        }
        for &(start, end) in self.functions().iter().take(MOST_FUNCTIONS) {
            for (after, _) in self.ways_out(start, end) {
                let Some(to) = self.own_callee(after) else { continue };
                // Several wanted places may be in the code of one function.
                let of = starts.iter().filter(|(start, _)| *start == to);
                found.extend(of.map(|(_, wanted)| (after, *wanted)));
            }
            if found.len() >= MOST_WAYS {
                break;
            }
        }
        found
    }
}
