//! Hands out nonmonotonic dynamic loops: each member works through its own part and then takes from
//! others.
//!
//! `omphalos_sync::ranges` has the algorithm, its argument and its model; this file applies it to
//! teams. A unit is one chunk, or as many chunks as it takes to count all units in 26 bits.

use super::constructs;
use crate::records::{LoopSpec, Member, Mode, Owner, Schedule, Slot, Team, Thread, Units};
use omphalos_sync::ranges::{Claim, Found, MOST_PARTS, MOST_UNITS, Parts, Seen, units_of_part};

impl Units {
    /// Cuts a loop of a team into units. Returns [`Units::NONE`] if one counter for all is faster
    /// or the only way. In a crowded team few members run at once, so they do not contend for a
    /// counter, and a look at all others costs more.
    pub(crate) fn of(spec: &LoopSpec, team: &Team) -> Units {
        let size = team.size.get();
        if !spec.nonmonotonic || spec.schedule != Schedule::Dynamic || size == 1 {
            return Units::NONE;
        }
        let units = Units::cut(spec);
        let least = match team.crowded.get() {
            true => (u64::from(size) * u64::from(size) / LOOKS_A_UNIT).max(u64::from(size)),
            false => u64::from(size) * CHUNKS_A_MEMBER_BY_COUNTER,
        };
        if u64::from(units.count) > least { units } else { Units::NONE }
    }

    fn cut(spec: &LoopSpec) -> Units {
        let chunks = if spec.chunk == 1 { spec.trip } else { spec.trip.div_ceil(spec.chunk) };
        let mut shift = 0;
        while chunks.div_ceil(1 << shift) > MOST_UNITS {
            shift += 1;
        }
        Units { count: chunks.div_ceil(1 << shift) as u32, shift }
    }

    /// Whether there are units, so that the loop is handed out by ranges.
    #[inline(always)]
    pub(crate) fn any(self) -> bool {
        self.count != 0
    }

    /// Whether this unit has the loop's last iteration.
    #[inline(always)]
    pub(crate) fn is_last(self, unit: u64) -> bool {
        unit + 1 == u64::from(self.count)
    }
}

/// In a crowded team, the number of looks at another member's range that cost no more than a unit
/// gains by ranges. With one counter for all, a unit costs some ten nanoseconds more. A look costs
/// less, because most members do not run and leave their lines alone.
const LOOKS_A_UNIT: u64 = 2;
/// The number of chunks for each member of an uncrowded team up to which one counter serves a loop.
/// Each member then asks for the counter's line a few times. With ranges it claims a part and looks
/// at every other range, which takes as long. And with one counter, the first member to come to a
/// `nowait` loop of tiny iterations does all of them at once. 2 threads, 4 empty iterations,
/// `nowait`: 121 ns a loop (with ranges 283 to 321), with a barrier 392 (505). It could hurt such
/// loops whose iterations take some hundred nanoseconds: 4 of 230 ns, `nowait`, 1103 (929 to 952),
/// with a barrier 1217 (1258).
const CHUNKS_A_MEMBER_BY_COUNTER: u64 = 2;
/// The number of looks of a thief at an owner that is about to fill its range or has few units.
const LOOKS_AT_OWNER: u32 = 20;
/// If an owner has so few units, a thief first looks whether the owner keeps working. To take them
/// costs both members more than a short unit takes.
const UNITS_LEFT_TO_OWNER: u64 = 8;
/// The number of pauses between two looks.
const PAUSES_A_LOOK: u32 = 3;

/// Returns the number of parts into which the team's loops are cut, and the member's own part.
#[inline(always)]
fn part(thread: &Thread, team: &Team) -> (u32, u32) {
    let (size, num) = (team.size.get(), thread.num.get());
    if size <= MOST_PARTS {
        return (size, num);
    }
    (MOST_PARTS, (u64::from(num) * u64::from(MOST_PARTS) / u64::from(size)) as u32)
}

/// Returns the word of parts of the member's loop.
#[inline(always)]
fn parts(share: &Member) -> Option<&'static Parts> {
    // SAFETY: null or an entry, and entries are never freed.
    unsafe { share.entry.get().as_ref() }.map(|entry| &entry.parts)
}

/// Begins loop `number`, cut into `units`, on the calling member: claims its part, unless a thief
/// has. The members share nothing else, so none has to set the loop up.
#[inline(always)]
pub(crate) fn arrive(thread: &Thread, team: &Team, number: u64, units: Units) {
    let slot = thread.as_owner().slot();
    let share = &slot.share;
    let Some(parts) = parts(share) else { return };
    omphalos_sys::will_write(parts);
    let (count, mine) = part(thread, team);
    share.unit.set(slot, share.spec().chunk << units.shift);
    share.units.set(slot, units);
    share.kept.set(slot, None);
    share.mode.set(slot, Mode::Ranges);
    slot.range.announce(number);
    let (begin, end) = units_of_part(units.count, mine, count);
    let near = || constructs::all_near(thread, team, number);
    match parts.claim(number, mine, near) {
        Claim::Mine if begin < end => slot.range.set(number, begin, end),
        Claim::Whole => {
            slot.range.set_spent(number);
            share.mode.set(slot, Mode::Over);
            share.set_rest(slot, 0, share.spec().trip);
        }
        _ => slot.range.set_spent(number),
    }
}

/// Finds more units for a member whose own range is empty. Puts all but the first into the own
/// range, and returns the first.
#[cold]
#[inline(never)]
pub(crate) fn find(thread: &Thread) -> Option<u64> {
    let slot = thread.as_owner().slot();
    let number = slot.share.number.get();
    slot.range.set_spent(number);
    if parts(&slot.share).is_none_or(Parts::is_whole) {
        slot.share.mode.set(slot, Mode::Over);
        return slot.share.kept.replace(slot, None);
    }
    // Members of a crowded team come late, when others have long done the loop: their parts can be
    // taken first. Elsewhere such members are about to come.
    let early = if thread.team().crowded.get() { unclaimed(thread, number) } else { None };
    let found = early.or_else(|| match stolen(thread, number) {
        Ok(units) => Some(units),
        // There is a part whose member has not come, and it may be taken. The ranges of other
        // members are not searched again: a member that took a part meanwhile works on it.
        Err(true) => unclaimed(thread, number),
        Err(false) => None,
    });
    let share = &slot.share;
    let Some((begin, end)) = found else {
        share.mode.set(slot, Mode::Over);
        return share.kept.replace(slot, None);
    };
    if begin + 1 < end {
        slot.range.set(number, begin + 1, end);
    } else if let Some(kept) = share.kept.replace(slot, None) {
        // The member has two units and an empty range: one unit goes there, for thieves.
        slot.range.set(number, kept, kept + 1);
    }
    Some(begin)
}

/// Puts off the loop's last unit, `unit`, which the calling member took; its range is empty. The
/// member executes another unit first, if it finds one; otherwise [`find`] returns this one.
///
/// The member with the loop's last iteration must execute nothing after it. LLVM's code takes the
/// value of a lastprivate variable at the loop's end from that member, and finds there the value of
/// the member's latest iteration. So it puts the unit off while it can get other members' units.
#[inline(always)]
pub(crate) fn put_off(slot: Owner<'_, Slot>, unit: u64) {
    slot.share.kept.set(slot, Some(unit));
}

/// Empties the range of the calling member, which leaves a loop that may have been cancelled.
#[cold]
#[inline(never)]
pub(crate) fn abandon(slot: &Slot) {
    slot.range.set_spent(slot.share.number.get());
}

/// Takes the part of a member that has not come yet.
fn unclaimed(thread: &Thread, number: u64) -> Option<(u64, u64)> {
    let team = thread.team();
    let share = &thread.slot().share;
    let (units, parts) = (share.units.get(), parts(share)?);
    let (count, _) = part(thread, team);
    while let Some(part) = parts.claim_any(number, count) {
        let (begin, end) = units_of_part(units.count, part, count);
        if begin < end {
            return Some((begin, end));
        }
    }
    None
}

/// Takes half of the units that another member has. If none has any, returns whether some member is
/// not in the loop.
fn stolen(thread: &Thread, number: u64) -> Result<(u64, u64), bool> {
    let team = thread.team();
    let (size, num) = (team.size.get(), thread.num.get());
    let mut absent = false;
    for victim in (num + 1..size).chain(0..num) {
        let range = &team.slot(victim).range;
        let mut seen = Seen::default();
        for _ in 0..LOOKS_AT_OWNER {
            match range.steal(number, UNITS_LEFT_TO_OWNER, &mut seen) {
                Found::Units(begin, end) => return Ok((begin, end)),
                Found::Nothing => break,
                Found::Absent => {
                    absent = true;
                    break;
                }
                Found::Soon | Found::Few => {
                    (0..PAUSES_A_LOOK).for_each(|_| core::hint::spin_loop())
                }
            }
        }
    }
    Err(absent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_can_be_counted_whatever_the_loop() {
        for trip in [0, 1, MOST_UNITS, MOST_UNITS + 1, u64::MAX / 2, u64::MAX] {
            for chunk in [1, 2, 1000, u64::MAX / 2, u64::MAX] {
                let units = Units::cut(&LoopSpec { trip, chunk, ..LoopSpec::NONE });
                assert!(u64::from(units.count) <= MOST_UNITS);
                let covered = u128::from(units.count) * (u128::from(chunk) << units.shift);
                assert!(covered >= u128::from(trip), "{trip} {chunk}");
                let all_but_one =
                    u128::from(units.count.saturating_sub(1)) * (u128::from(chunk) << units.shift);
                assert!(trip == 0 || all_but_one < u128::from(trip), "{trip} {chunk}");
            }
        }
    }
}
