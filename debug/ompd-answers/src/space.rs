//! A process or core file, and the records that handles name in it.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use omphalos_ompd_view::{Fault, Layout, Runtime, Target, Task, Team, Thread};

use crate::{Answer, Callbacks, Code, Debugger, Kind};

/// A process or core file with our runtime in it.
pub struct Space {
    callbacks: Callbacks,
    layout: Arc<Layout>,
    /// The debugger's context, for generations that name the process by it.
    pub context: usize,
}

impl Space {
    /// Finds the runtime: [`Code::Incompatible`] if there is none that this library can read.
    pub fn open(debugger: Box<dyn Debugger>, context: usize) -> Answer<Arc<Space>> {
        if !debugger.is_alike()? {
            return Err(Code::Incompatible);
        }
        let callbacks = Callbacks(debugger);
        let layout = Layout::of(&callbacks).map_err(|fault| match fault {
            Fault::Unknown(_) | Fault::Nonsense(_) => Code::Incompatible,
            fault => fault.into(),
        })?;
        // From here on the runtime passes its places for breakpoints. A core file cannot be asked
        // for that; the fault is ignored.
        let _ = Runtime::with(&callbacks, layout.clone()).ask_for_places();
        Ok(Arc::new(Space { callbacks, layout, context }))
    }

    /// The debugger.
    pub fn debugger(&self) -> &dyn Debugger {
        &*self.callbacks.0
    }

    /// The process' memory and symbols.
    pub fn target(&self) -> &dyn Target {
        &self.callbacks
    }

    /// The runtime, as it is at this moment.
    pub fn runtime(&self) -> Runtime<'_> {
        Runtime::with(&self.callbacks, self.layout.clone())
    }
}

/// The thing that a handle names: a record in a space, in one of its lives. The runtime uses a
/// record again for another thing: that is the record's next life.
#[derive(Clone)]
pub struct Held {
    /// The space of the record.
    pub space: Arc<Space>,
    /// The kind of the record.
    pub kind: Kind,
    /// The record; 0 for a space.
    pub address: u64,
    /// For an implicit task, the region's team; else 0. (A member that has not begun its task yet
    /// has the record of an earlier task.)
    pub(crate) team: u64,
    /// A number that is different in each life of the record.
    life: u64,
}

impl PartialEq for Held {
    fn eq(&self, other: &Held) -> bool {
        Arc::ptr_eq(&self.space, &other.space) && self.key() == other.key()
    }
}

impl Eq for Held {}

impl Hash for Held {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

fn life_of_thread(thread: &Thread<'_>) -> Result<u64, Fault> {
    Ok(u64::from(thread.lwp()?))
}

/// The life of a task's record. Two tasks of one function may have the same record one after the
/// other: then their ids differ, if the runtime keeps ids.
fn life_of_task(task: &Task<'_>) -> Result<u64, Fault> {
    let kind = task.function()?.wrapping_mul(8) | u64::from(task.flags()? & 7);
    Ok(kind.wrapping_add(task.id()?.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

impl Held {
    fn key(&self) -> (Kind, u64, u64) {
        (self.kind, self.address, self.life)
    }

    /// A space.
    pub fn space(space: Arc<Space>) -> Held {
        Held { space, kind: Kind::Space, address: 0, team: 0, life: 0 }
    }

    /// A device of a space, by its number: the host, or a device that it plays. This is a further
    /// handle of the space; giving it back makes no other handle stale.
    pub fn device(space: Arc<Space>, number: u64) -> Held {
        Held { space, kind: Kind::Space, address: number, team: 0, life: 1 }
    }

    /// The device's number; `None` for anything else, also for a whole space.
    pub fn device_number(&self) -> Option<u64> {
        (self.kind == Kind::Space && self.life == 1).then_some(self.address)
    }

    /// Whether it is a space, and not a device of one.
    pub fn is_whole(&self) -> bool {
        self.kind == Kind::Space && self.life == 0
    }

    /// A thread.
    pub fn thread(space: &Arc<Space>, thread: &Thread<'_>) -> Result<Held, Fault> {
        let life = life_of_thread(thread)?;
        Ok(Held {
            space: space.clone(),
            kind: Kind::Thread,
            address: thread.address,
            team: 0,
            life,
        })
    }

    /// A region.
    pub fn parallel(space: &Arc<Space>, team: &Team<'_>) -> Result<Held, Fault> {
        let life = team.region()?;
        Ok(Held {
            space: space.clone(),
            kind: Kind::Parallel,
            address: team.address,
            team: 0,
            life,
        })
    }

    /// A task.
    pub fn task(space: &Arc<Space>, task: &Task<'_>) -> Result<Held, Fault> {
        if task.is_implicit()? {
            return Held::implicit(space, &task.team()?, task.address);
        }
        let life = life_of_task(task)?;
        Ok(Held { space: space.clone(), kind: Kind::Task, address: task.address, team: 0, life })
    }

    /// The implicit task of a region's member, whose record stands at `address`.
    pub fn implicit(space: &Arc<Space>, team: &Team<'_>, address: u64) -> Result<Held, Fault> {
        let (life, team) = (team.region()?, team.address);
        Ok(Held { space: space.clone(), kind: Kind::Task, address, team, life })
    }

    /// Checks that the record still is the thing that the handle named.
    fn check(&self, runtime: &Runtime<'_>) -> Answer<()> {
        let of_region = |at: u64| {
            let team = runtime.team(at);
            Ok((team.region()?, team.is_over()?))
        };
        let found = match self.kind {
            Kind::Space => Ok((self.life, false)),
            Kind::Thread => life_of_thread(&runtime.thread(self.address)).map(|life| (life, false)),
            Kind::Parallel => of_region(self.address),
            Kind::Task if self.team != 0 => of_region(self.team),
            Kind::Task => {
                let task = runtime.task(self.address);
                life_of_task(&task).and_then(|life| Ok((life, task.has_ended()?)))
            }
        };
        match found {
            Ok((life, false)) if life == self.life => Ok(()),
            // A thread that has ended, a region that is over, the record of another task.
            Ok(_) | Err(Fault::Nonsense(_)) => Err(Code::StaleHandle),
            Err(fault) => Err(fault.into()),
        }
    }

    /// Whether the thing is gone, so that no question has an answer.
    pub(crate) fn is_over(&self) -> bool {
        self.check(&self.space.runtime()) == Err(Code::StaleHandle)
    }

    /// Asks the runtime about the record.
    pub fn ask_runtime<T>(
        &self,
        question: impl FnOnce(&Runtime<'_>, u64) -> Result<T, Fault>,
    ) -> Answer<T> {
        let runtime = self.space.runtime();
        self.check(&runtime)?;
        Ok(question(&runtime, self.address)?)
    }

    /// Compares two things by the addresses of their records; the same thing is equal.
    pub fn compare(&self, other: &Held) -> Answer<i32> {
        if !Arc::ptr_eq(&self.space, &other.space) {
            return Err(Code::BadInput);
        }
        Ok(self.key().cmp(&other.key()) as i32)
    }

    /// A text that is the same for the same thing and different for different things.
    pub fn name(&self) -> String {
        format!("{:x}.{:x}", self.address, self.life)
    }
}
