//! Finds handlers of exceptions behind which a function leaves out an operation.

use std::collections::HashSet;

use iced_x86::FlowControl;

use super::image::Image;
use super::rounds::Rounds;
use super::{Symbols, source};

/// The function by which a handler takes over an exception.
const CATCHES: &str = "__cxa_begin_catch";

impl Symbols {
    /// The return addresses of the calls that begin a handler of the function around `address`,
    /// from which the function returns without coming to one of `to` (return addresses), or comes
    /// there in the next round of a loop: `is_round`, for what a handler and a call return to.
    pub fn handlers_past(
        &self,
        address: u64,
        to: &[u64],
        is_round: &dyn Fn(u64, u64) -> bool,
    ) -> Vec<u64> {
        let Some((image, bias)) = self.image(address) else { return Vec::new() };
        let Some(parts) = parts(image, address.wrapping_sub(bias)) else { return Vec::new() };
        let to: Vec<u64> = to.iter().map(|after| after.wrapping_sub(bias)).collect();
        let all = parts.iter().flat_map(|part| &part.instructions);
        let catches = all.filter(|one| {
            let is_call = one.flow_control() == FlowControl::Call;
            is_call && image.imported(one.next_ip()).is_some_and(|name| &*name == CATCHES)
        });
        let leaves = |after: &u64| {
            let is_next = |to: u64| is_round(after.wrapping_add(bias), to.wrapping_add(bias));
            returns_without(&parts, *after, &to, &is_next) == Some(true)
        };
        let found = catches.map(|one| one.next_ip()).filter(leaves);
        found.map(|after| after.wrapping_add(bias)).collect()
    }

    /// Whether the source has the line `at` in the block of a `try` whose first handler begins at
    /// the line `handler` or right in front of it.
    pub fn is_tried(&self, path: &str, at: u32, handler: u32) -> bool {
        let Some((text, _)) = source::text(path) else { return false };
        let lines: Vec<&str> = text.lines().collect();
        let has = |line: u32, word: &str| {
            let text = lines.get((line as usize).wrapping_sub(1)).copied().unwrap_or_default();
            let code = text.split("//").next().unwrap_or_default();
            code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == word)
        };
        let begins = (1..=at).rev().find(|line| has(*line, "try") || has(*line, "catch"));
        let ends = (at..=handler).find(|line| has(*line, "catch"));
        begins.is_some_and(|line| has(line, "try")) && ends.is_some_and(|line| line + 1 >= handler)
    }
}

/// The code of a function: its hot part, and the cold one that the compiler has put elsewhere.
fn parts(image: &Image, address: u64) -> Option<Vec<Rounds>> {
    let hot = Rounds::with(image, address)?;
    let name = &image.function_symbol(address)?.name;
    let cold = image.function_named(&format!("{name}.cold"));
    Some(
        [Some(hot), cold.and_then(|start| Rounds::with(image, start))]
            .into_iter()
            .flatten()
            .collect(),
    )
}

/// Whether a way from `after` leads to a return, or to one of `to` in the next round of a loop
/// (`is_next`), and none to another one of `to`; `None` if the code does not show all ways.
fn returns_without(
    parts: &[Rounds],
    after: u64,
    to: &[u64],
    is_next: &dyn Fn(u64) -> bool,
) -> Option<bool> {
    let (mut seen, mut todo, mut next) = (HashSet::new(), vec![after], Vec::new());
    let mut returns = false;
    while let Some(ip) = todo.pop() {
        if !seen.insert(ip) {
            continue;
        }
        let part = parts.iter().find(|part| part.places.contains_key(&ip))?;
        let at = part.places[&ip];
        let one = &part.instructions[at];
        let here = |after: &&u64| (one.ip() + 1..=one.next_ip()).contains(*after);
        match to.iter().find(here) {
            Some(after) if is_next(*after) => {
                returns = true;
                continue;
            }
            Some(_) => return Some(false),
            None => {}
        }
        returns |= one.flow_control() == FlowControl::Return;
        part.follow(at, &mut next)?;
        todo.extend(next.drain(..).filter_map(|to| Some(part.instructions.get(to)?.ip())));
        let target = one.near_branch_target();
        if parts.iter().any(|part| part.places.contains_key(&target))
            && one.flow_control() != FlowControl::Call
        {
            todo.push(target);
        }
    }
    Some(returns)
}
