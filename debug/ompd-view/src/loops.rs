//! The worksharing construct that a thread is in: a loop or `sections`.
//!
//! Only constructs whose chunks the runtime hands out are known. A static loop is unknown in most
//! programs: the compiler's code computes a member's share by itself (gcc), or asks once (clang).

use crate::snapshot::Loop;
use crate::target::Fault;
use crate::team::Team;
use crate::thread::Thread;

/// The most members of a team whose remaining iterations are counted.
const MOST_MEMBERS: u32 = 4096;
/// More schedules than any runtime has: a larger number makes no sense.
const MOST_SCHEDULES: u64 = 64;
/// `ompt_work_sections`, `ompt_work_distribute`, and a loop whose schedule was chosen as it began.
const SECTIONS: u64 = 2;
const DISTRIBUTE: u64 = 6;
const CHOSEN: u64 = 13;

impl<'r> Thread<'r> {
    /// The loop, or `sections`, that the thread is in; `None` if the runtime hands out the chunks
    /// of none.
    pub fn in_loop(&self) -> Result<Option<Loop>, Fault> {
        let Some(team) = self.team()? else { return Ok(None) };
        let runtime = self.runtime;
        let share = runtime.at(self.slot()?, "Slot.share")?;
        if runtime.get(share, "Member.open")? & 1 == 0 {
            return Ok(None);
        }
        let spec = runtime.at(share, "Member.spec")?;
        let get = |field| runtime.get(spec, field);
        let is = |value| Ok::<_, Fault>(runtime.value(value)? == get("LoopSpec.schedule")?);
        let is_static = is("LoopSpec.STATIC")?;
        let schedule = match get("LoopSpec.schedule")? {
            _ if is_static => "static".to_owned(),
            _ if is("LoopSpec.DYNAMIC")? => "dynamic".to_owned(),
            _ if is("LoopSpec.GUIDED")? => "guided".to_owned(),
            // A runtime newer than this library may have more schedules.
            other @ ..MOST_SCHEDULES => format!("schedule {other}"),
            _ => return Err(Fault::Nonsense("a loop whose schedule is none".into())),
        };
        let kind = get("LoopSpec.kind")?;
        let (trip, chunk) = (get("LoopSpec.trip")?, get("LoopSpec.chunk")?);
        let is_ordered = get("LoopSpec.ordered")? & 1 != 0;
        let entry = runtime.get(share, "Member.entry")?;
        let alone = team.size()? == 1;
        Ok(Some(Loop {
            construct: match kind {
                SECTIONS => "sections",
                DISTRIBUTE => "distribute",
                _ => "loop",
            }
            .into(),
            schedule,
            chosen: kind == CHOSEN,
            // With a team of one, the runtime makes the whole loop one chunk.
            chunk: Some(chunk).filter(|&chunk| chunk != 0 && !(alone && chunk == trip)),
            ordered: is_ordered,
            nonmonotonic: get("LoopSpec.nonmonotonic")? & 1 != 0,
            iterations: trip,
            first: get("LoopSpec.start")? as i64,
            step: get("LoopSpec.step")? as i64,
            number: if entry == 0 { None } else { Some(runtime.get(share, "Member.number")?) },
            left: self.left(&team, share, trip)?,
            own: match () {
                () if is_ordered => self.chunk_of_turn(share)?,
                () if is_static && chunk == 0 => own_share(trip, team.size()?, self.num()?),
                () => None,
            },
        }))
    }

    /// The number of iterations that no member has taken yet, if one word or the ranges of all
    /// members tell it.
    fn left(&self, team: &Team<'r>, share: u64, trip: u64) -> Result<Option<u64>, Fault> {
        let runtime = self.runtime;
        let spec = runtime.at(share, "Member.spec")?;
        if team.size()? == 1 {
            let own = |field| runtime.get(share, field);
            let left = own("Member.rest_end")?.saturating_sub(own("Member.rest")?);
            return Ok(Some(left.min(trip)));
        }
        let entry = runtime.get(share, "Member.entry")?;
        let mode = runtime.get(share, "Member.mode")?;
        if entry == 0
            || runtime.get(spec, "LoopSpec.schedule")? == runtime.value("LoopSpec.STATIC")?
        {
            return Ok(None);
        }
        if mode == runtime.value("Member.RANGES")? {
            return self.left_in_ranges(team, share, entry, trip).map(Some);
        }
        // A member that has had its last chunk does not tell how it got its chunks.
        if mode == runtime.value("Member.OVER")?
            && runtime.get(spec, "LoopSpec.nonmonotonic")? & 1 != 0
        {
            return Ok(None);
        }
        let taken = match self.behind_last_chunk(team, share)? {
            0 => runtime.get(entry, "WorkShare.next")?,
            behind => behind,
        };
        Ok(Some(trip.saturating_sub(taken)))
    }

    /// The iteration behind the last chunk that any member has taken, if members count chunks and
    /// each knows the position of its own; else 0.
    fn behind_last_chunk(&self, team: &Team<'r>, share: u64) -> Result<u64, Fault> {
        let runtime = self.runtime;
        let number = runtime.get(share, "Member.number")?;
        let mut behind = 0;
        for num in 0..team.size()?.min(MOST_MEMBERS) {
            let other = runtime.at(team.slot(num)?, "Slot.share")?;
            if runtime.get(other, "Member.number")? == number {
                behind = behind.max(runtime.get(other, "Member.rest")?);
            }
        }
        Ok(behind)
    }

    /// The iterations left in a loop with stealing: those in the members' ranges, and the parts
    /// that nobody has claimed (`omphalos_sync::ranges` documents the words).
    fn left_in_ranges(
        &self,
        team: &Team<'r>,
        share: u64,
        entry: u64,
        trip: u64,
    ) -> Result<u64, Fault> {
        let runtime = self.runtime;
        let bits = runtime.value("Leased.END_BITS")?.min(31);
        let flags = runtime.value("Parts.FLAGS")?.clamp(2, 63);
        let number = runtime.get(share, "Member.number")?;
        let units = runtime.get(runtime.at(share, "Member.units")?, "Units.count")?;
        let size = team.size()?.min(MOST_MEMBERS);
        let field = (1 << bits) - 1;
        let (mut left, mut has_last): (u64, bool) = (0, false);
        for num in 0..size {
            let slot = team.slot(num)?;
            let word = runtime.word(runtime.at(slot, "Slot.range")?)?;
            let (begin, end) = (word & field, (word >> bits) & field);
            if begin < end && word >> (2 * bits) == number << (2 * bits) >> (2 * bits) {
                left += end - begin;
                has_last |= end == units;
            }
        }
        let word = runtime.word(runtime.at(entry, "WorkShare.parts")?)?;
        let parts = u64::from(size).min(flags - 1);
        if word >> flags == number << flags >> flags {
            let bound = |part: u64| units.saturating_mul(part) / parts;
            for part in (0..parts).filter(|part| word >> part & 1 == 0) {
                left += bound(part + 1) - bound(part);
                has_last |= part + 1 == parts;
            }
        }
        let unit = runtime.get(share, "Member.unit")?;
        // The loop's last unit may be a short one.
        let short = if has_last { units.saturating_mul(unit).saturating_sub(trip) } else { 0 };
        Ok(left.saturating_mul(unit).saturating_sub(short).min(trip))
    }

    /// The chunk of an ordered loop that the member has: its first iteration, and how many.
    fn chunk_of_turn(&self, share: u64) -> Result<Option<(u64, u64)>, Fault> {
        let runtime = self.runtime;
        let at = runtime.at(share, "Member.current")?;
        let end = runtime.word(at.wrapping_add(runtime.value("Member.current.1")?))?;
        let first = runtime.word(at)?;
        Ok(end.checked_sub(first).filter(|count| *count != 0).map(|count| (first, count)))
    }
}

/// The share of a member in a static loop with one share for each: its first iteration, and how
/// many.
fn own_share(trip: u64, size: u32, num: u32) -> Option<(u64, u64)> {
    let (size, num) = (u64::from(size), u64::from(num));
    let (share, rest) = (trip.checked_div(size)?, trip % size);
    let count = share + u64::from(num < rest);
    (count != 0).then_some((num.checked_mul(share)? + num.min(rest), count))
}
