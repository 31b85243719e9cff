//! ICVs that are lists, or names from one.

use super::reading::Reading;
use super::words::{ALLOCATORS, shown, text};
use super::{MOST_ITEMS, MOST_TEXT, Of, Value, What};
use crate::target::Fault;

impl Reading<'_> {
    pub(super) fn nthreads(&self) -> Result<Value, Fault> {
        let (runtime, data) = (self.runtime, self.data()?);
        let first = runtime.get(data, "Icvs.nthreads")? as i64;
        let mut more = Vec::new();
        let mut level = runtime.get(data, "Icvs.deeper")?;
        if level == 0 {
            more = self.deeper("Shown.nthreads", "Shown.nthreads_count")?;
        }
        while level != 0 && more.len() < MOST_ITEMS as usize {
            more.push(runtime.get(level, "Level.threads")? as u32);
            level = runtime.get(level, "Level.deeper")?;
        }
        // 0 until the processors are counted.
        let first =
            if first == 0 { self.value(What::NumProcs)?.number.unwrap_or(0) } else { first };
        let mut value = self.list(first, &more, |threads| threads.to_string());
        // Without a list in the environment one number holds for every level: it is the first of a
        // list without end. LLVM's library says so, and debuggers' extensions expect it.
        value.whole &= self.list_or_text("Shown.nthreads_given")? != 0;
        Ok(value)
    }

    pub(super) fn allocator(&self) -> Result<Value, Fault> {
        let handle = self.own_field("Icvs.allocator")?;
        let name = ALLOCATORS.get((handle as usize).wrapping_sub(1)).copied();
        let length = self.list_or_text("Shown.allocator_length")?.min(MOST_TEXT as u64) as usize;
        let at = self.list_or_text("Shown.allocator")?;
        let text = match name {
            Some(name) => name.to_owned(),
            None if at != 0 => self.runtime.text(at, length)?,
            None => format!("{handle:#x}"),
        };
        Ok(shown(handle as i64, text))
    }

    pub(super) fn places(&self) -> Result<Value, Fault> {
        let at = self.list_or_text("Shown.places")?;
        if at == 0 {
            return Ok(text(""));
        }
        let all = self.runtime.text(at, MOST_TEXT)?;
        let partition = match self.of {
            Of::Process => None,
            _ => self.partition()?,
        };
        let Some((first, last)) = partition else { return Ok(text(all)) };
        // `{0,1},{2,3}`
        let places: Vec<&str> =
            all.split_inclusive('}').map(|p| p.trim_start_matches(',')).collect();
        let count = places.len();
        let part = match first <= last {
            true => places.get(first..(last + 1).min(count)).unwrap_or_default().join(","),
            false => all.clone(),
        };
        Ok(text(part))
    }

    /// First and last place of the implicit task's partition.
    pub(super) fn partition(&self) -> Result<Option<(usize, usize)>, Fault> {
        let slot = match self.of {
            Of::Thread(thread) => thread.slot()?,
            _ => self.team()?.slot(0)?,
        };
        let at = self.runtime.at(slot, "Slot.partition")?;
        let second = at.wrapping_add(self.runtime.value("Slot.partition.1")?);
        let (first, last) =
            (self.runtime.number(at, 4)? as i32, self.runtime.number(second, 4)? as i32);
        Ok(usize::try_from(first).ok().zip(usize::try_from(last).ok()))
    }

    /// The processors of the affinity mask that the runtime saw first: `0-3,8`.
    pub(super) fn mask(&self) -> Result<String, Fault> {
        /// The most words that are read.
        const MOST_WORDS: u64 = 16;
        let runtime = self.runtime;
        let processors = runtime.at(runtime.settings()?, "Settings.processors")?;
        let words = runtime.get(processors, "Processors.seen")?;
        if words == 0 {
            return Self::none("not asked of the system yet");
        }
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        let all: Result<Vec<u64>, Fault> =
            (0..MOST_WORDS).map(|at| runtime.word(words.wrapping_add(at * 8))).collect();
        let bits = all?.into_iter().flat_map(|word| (0..64).map(move |bit| word >> bit & 1));
        for (at, _) in (0..).zip(bits).filter(|(_, bit)| *bit != 0) {
            match ranges.last_mut() {
                Some(last) if last.1 + 1 == at => last.1 = at,
                _ => ranges.push((at, at)),
            }
        }
        let text = |&(first, last): &(u64, u64)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        };
        Ok(ranges.iter().map(text).collect::<Vec<_>>().join(","))
    }

    /// The places of a team's threads, by their numbers.
    pub(super) fn place_assignment(&self) -> Result<Value, Fault> {
        let team = self.team()?;
        let mut places = Vec::new();
        for num in 0..team.size()?.min(MOST_ITEMS as u32) {
            let thread = team.thread(num)?;
            places.push((thread.get("Thread.place")? as i32).to_string());
        }
        Ok(text(places.join(",")))
    }
}
