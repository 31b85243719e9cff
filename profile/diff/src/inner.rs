//! Compares the constructs inside two regions that are the same one.

use crate::items::Inside;
use crate::matching::align;
use crate::noise::median;

/// Returns the constructs that belong together, of those that every compiler and runtime tells.
fn pairs<'a>(before: &[&'a Inside], after: &[&'a Inside]) -> Vec<(usize, usize)> {
    align(before, after, |b, a| match b.name == a.name {
        true => Some(3),
        false => (b.kind() == a.kind()).then_some(1),
    })
}

fn told(all: &[Inside]) -> Vec<&Inside> {
    all.iter().filter(|one| one.is_told()).collect()
}

/// Whether both have the same kinds in the same order.
pub(crate) fn are_alike(before: &[Inside], after: &[Inside]) -> bool {
    told(before).iter().map(|one| one.kind()).eq(told(after).iter().map(|one| one.kind()))
}

/// Returns the iterations before and after of all loops that tell them on both sides: medians of
/// the runs.
pub(crate) fn iterations(before: &[Inside], after: &[Inside]) -> (f64, f64) {
    let (before, after) = (told(before), told(after));
    let both = pairs(&before, &after).into_iter();
    let both =
        both.filter_map(|(i, j)| before[i].iterations.as_ref().zip(after[j].iterations.as_ref()));
    both.fold((0.0, 0.0), |(b, a), (before, after)| (b + median(before), a + median(after)))
}

/// Returns the constructs of another kind, the new and the gone ones, in words.
pub(crate) fn changes(before: &[Inside], after: &[Inside]) -> Vec<String> {
    let (before, after) = (told(before), told(after));
    let pairs = pairs(&before, &after);
    let other = pairs.iter().filter(|(i, j)| before[*i].name != after[*j].name);
    let mut notes: Vec<String> =
        other.map(|&(i, j)| format!("{} is {}", before[i].name, after[j].name)).collect();
    let gone = (0..before.len()).filter(|i| pairs.iter().all(|(b, _)| b != i));
    notes.extend(gone.map(|i| format!("{} is gone", before[i].name)));
    let new = (0..after.len()).filter(|j| pairs.iter().all(|(_, a)| a != j));
    notes.extend(new.map(|j| format!("{} is new", after[j].name)));
    notes
}
