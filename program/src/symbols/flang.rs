//! Finds the directive that one of flang's outlined functions was made of.
//!
//! Their line information is loose. A body opens with lines of the head of the procedure, a
//! reduction has the line of the first one in the file, and a call may have the line of any code
//! before it. But a body is named after its procedure, and most of its lines are its own. So the
//! directive is the one of the procedure's that most of these lines follow.

use std::ops::Range;

use super::directives::Directive;
use super::inner::{self, Inner};
use super::{ConstructKind, Symbols, enclosing, source};

/// The text that flang appends to the procedure's name.
const SUFFIX: &str = "..omp_par";

/// The line of the directive whose outlined function starts at `start`; `None` if that is not
/// flang's, or the source does not show it.
pub(super) fn directive_of_body(
    symbols: &Symbols,
    start: u64,
    path: &str,
    kind: ConstructKind,
) -> Option<u32> {
    let own = lines_of_procedure(symbols, start, path)?;
    let module = symbols.module(start)?;
    let image = module.image.as_ref()?;
    let address = start.wrapping_sub(module.bias);
    let (from, to) = image.function_bounds(address).filter(|(from, _)| *from == address)?;
    let lines = image.lines_in_file(from, to, path);
    let opened = &mut *symbols.opened.borrow_mut();
    let known = source::lines_of(&mut opened.sources, path, kind);
    let known: Vec<u32> = known.iter().copied().filter(|line| own.contains(line)).collect();
    followed(&known, lines.iter().copied().filter(|line| own.contains(line)))
}

/// The line of a call in a body of flang's, or of the code next to a call without a line; or, if
/// that line is another procedure's, the line of the body's directive.
pub(super) fn line_of_call(symbols: &Symbols, pc: u64, path: &str, line: u32) -> u32 {
    let line = match symbols.image_at(pc) {
        Some((image, bias)) if line == 0 => image.near_line(pc.wrapping_sub(bias)),
        _ => line,
    };
    match lines_of_procedure(symbols, pc, path) {
        Some(own) if !own.contains(&line) => {
            let start = symbols.module(pc).and_then(|module| {
                let bounds =
                    module.image.as_ref()?.function_bounds(pc.wrapping_sub(module.bias))?;
                Some(bounds.0.wrapping_add(module.bias))
            });
            let directive = start
                .and_then(|start| directive_of_body(symbols, start, path, ConstructKind::Region));
            directive.unwrap_or(line)
        }
        _ => line,
    }
}

/// The line of the directive for which flang's code at `pc` enters a critical section: flang gives
/// the call the line of the procedure's head. `None` if the line is right, or the source does not
/// show it.
pub(super) fn line_of_critical(symbols: &Symbols, pc: u64, path: &str, line: u32) -> Option<u32> {
    let after = pc.wrapping_add(1);
    let callee = symbols.callee(after).filter(|callee| callee.starts_with("__kmpc_critical"))?;
    let is_flangs = path.rsplit('.').next().is_some_and(|end| end.starts_with(['f', 'F']));
    let all = symbols.directives(pc, path);
    let is_critical = |directive: &&Directive| inner::is_of(directive, Inner::Critical, &callee);
    let mut own = all.iter().filter(is_critical);
    if !is_flangs || own.clone().any(|it| (it.line..=it.last).contains(&line)) {
        return None;
    }
    own.find(|directive| directive.line > line).map(|directive| directive.line)
}

/// The lines of the procedure that the outlined function around `pc` was made of; `None` if that is
/// not flang's.
fn lines_of_procedure(symbols: &Symbols, pc: u64, path: &str) -> Option<Range<u32>> {
    let module = symbols.module(pc)?;
    let image = module.image.as_ref()?;
    let address = pc.wrapping_sub(module.bias);
    let (procedure, _) = image.function_symbol(address)?.name.split_once(SUFFIX)?;
    let own = enclosing::procedure(image, address, procedure, path);
    Some(own.unwrap_or(0..u32::MAX))
}

/// The directive that most of the lines follow, of directives in ascending order; the only one, if
/// there is just one.
fn followed(directives: &[u32], lines: impl Iterator<Item = u32>) -> Option<u32> {
    let mut counts = vec![0u32; directives.len()];
    for line in lines {
        let next = directives.partition_point(|directive| *directive <= line);
        if let Some(count) = next.checked_sub(1).and_then(|at| counts.get_mut(at)) {
            *count += 1;
        }
    }
    if let [only] = directives {
        return Some(*only);
    }
    // If two have equal counts, take the later one: shared code has the line of the first.
    let (at, most) = counts.iter().enumerate().max_by_key(|(at, count)| (**count, *at))?;
    (*most > 0).then(|| directives[at])
}

#[cfg(test)]
mod tests {
    use super::followed;

    #[test]
    fn a_body_follows_its_directive() {
        let of = |lines: &[u32]| followed(&[13, 35], lines.iter().copied());
        assert_eq!(of(&[13, 15]), Some(13));
        // The line of the first reduction in a body of its own.
        assert_eq!(of(&[13, 37]), Some(35));
        assert_eq!(of(&[10, 12]), None);
        assert_eq!(followed(&[25], [7].into_iter()), Some(25));
    }
}
