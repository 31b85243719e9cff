//! Asks a process that runs on Omphalos to load the profiler's agent, and reads how far it is.
//!
//! The process is not stopped: the request is written into its memory, where the next region that
//! begins finds it. The kernel allows that to anybody who may trace the process. What must hold:
//! the request names no code; it says until when the agent may begin, so that nothing is left of it
//! if this program ends in the middle.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use omphalos_ompd_view::{Ask, Fault, Layout, Runtime};

use crate::space::Space;
use crate::space::live::{Identity, Live, Way, peek, poke};

/// The number of checks whether a process that has changed ends, and the time between two of them.
const LOOKS: u32 = 100;
const PAUSE: Duration = Duration::from_millis(5);

/// A request that was made.
pub struct ToolRequest {
    identity: Identity,
    pid: u32,
    number: u64,
    beat: u64,
    at: u64,
    layout: Arc<Layout>,
}

/// The progress of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// No region has begun.
    Unanswered,
    /// Another request is served.
    Taken,
    /// The agent is loaded and waits for a region.
    Awaits,
    /// The agent records.
    Records,
    /// The agent has ended, and its file is complete.
    Over,
    /// The agent is in the process already, or cannot be loaded.
    Refused,
    /// There are as many tools as there can be.
    Full,
}

/// The reason why the process can no longer be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// The process has ended.
    Gone,
    /// The process is another program.
    Another,
}

impl ToolRequest {
    /// Asks with these settings; the agent may begin within `wait`.
    pub fn make(pid: u32, text: &[u8], wait: Duration) -> Result<ToolRequest, Fault> {
        let identity = Identity::of(pid)?;
        let (_, layout) = Live::look(pid, Way::Running, |live| {
            Runtime::find(live.as_target()).map(|runtime| runtime.layout().clone())
        })?;
        let layout = layout?;
        let (at, enable) = (layout.root("request")?, layout.root("enable")?);
        if text.len() as u64 > layout.value("Request.BYTES")? {
            return Err(Fault::Unknown("the profile's path is too long".to_owned()));
        }
        let number = RandomState::new().hash_one(pid) | 1;
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let until = (since + wait).as_nanos() as u64;
        let request = ToolRequest { identity, pid, number, beat: number, at, layout };
        let word = |name: &str, word: u64| {
            let place = at + request.layout.value(name)?;
            request.write(place, &word.to_le_bytes())
        };
        request.write(at + request.layout.value("Request.text")?, text)?;
        word("Request.length", text.len() as u64)?;
        word("Request.until", until)?;
        word("Request.check", sum_of(number, until, text))?;
        request.write(at, &number.to_le_bytes())?;
        request.write(enable, &(Ask::Tool as u32).to_le_bytes())?;
        Ok(request)
    }

    /// Withdraws the request, or ends the agent that it brought in.
    pub fn withdraw(&self) {
        if let Ok(place) = self.layout.value("Request.over") {
            // If the process has ended, there is nothing to end.
            let _ = self.write(self.at + place, &self.number.to_le_bytes());
        }
        let mut word = [0; 4];
        if let Ok(enable) = self.layout.root("enable")
            && peek(self.pid, enable, &mut word)
            && u32::from_le_bytes(word) == Ask::Tool as u32
        {
            let _ = self.write(enable, &0u32.to_le_bytes());
        }
    }

    /// The progress of the request, unless the process is gone. It also shows the process that
    /// somebody still asks: an agent that nobody asks about for seconds ends.
    pub fn progress(&mut self) -> Result<Progress, Left> {
        match Identity::of(self.pid) {
            Ok(now) if now == self.identity => {}
            Ok(_) => return Err(self.left()),
            Err(_) => return Err(Left::Gone),
        }
        let read = |name: &str, into: &mut [u8]| {
            let place = self.layout.value(name).unwrap_or_default();
            peek(self.pid, self.at + place, into).then_some(()).ok_or(Left::Gone)
        };
        let (mut about, mut answer) = ([0; 8], [0; 4]);
        read("Request.answered", &mut about)?;
        read("Request.answer", &mut answer)?;
        let answer = u64::from(u32::from_le_bytes(answer));
        let is = |name: &str| self.layout.value(name) == Ok(answer);
        if u64::from_le_bytes(about) != self.number {
            let is_served = is("Request.AWAITS") || is("Request.RECORDS");
            return Ok(if is_served { Progress::Taken } else { Progress::Unanswered });
        }
        self.beat = self.beat.wrapping_add(1);
        if let Ok(place) = self.layout.value("Request.beat") {
            let _ = self.write(self.at + place, &self.beat.to_le_bytes());
        }
        Ok(match () {
            () if is("Request.RECORDS") => Progress::Records,
            () if is("Request.OVER") => Progress::Over,
            () if is("Request.REFUSED") => Progress::Refused,
            () if is("Request.FULL") => Progress::Full,
            () => Progress::Awaits,
        })
    }

    /// Finds out why the process has changed. A process that ends loses its memory before its
    /// number.
    fn left(&self) -> Left {
        for _ in 0..LOOKS {
            if Identity::of(self.pid).is_err() {
                return Left::Gone;
            }
            std::thread::sleep(PAUSE);
        }
        Left::Another
    }

    fn write(&self, place: u64, bytes: &[u8]) -> Result<(), Fault> {
        match poke(self.pid, place, bytes) {
            true => Ok(()),
            false => Err(Fault::Unknown("its memory may not be written".to_owned())),
        }
    }
}

/// The runtime's checksum (`omphalos_events::request`): FNV-1a of the two numbers and the text.
fn sum_of(number: u64, until: u64, text: &[u8]) -> u64 {
    let bytes = number.to_le_bytes().into_iter().chain(until.to_le_bytes());
    let step = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    bytes.chain(text.iter().copied()).fold(0xcbf2_9ce4_8422_2325, step)
}
