//! ICVs as OMPD enumerates them.
//!
//! What must hold: the first 30 ids, their order and their scopes are those of LLVM's library,
//! which debuggers' extensions have in their code. Every other ICV comes behind them, with a scope
//! that such an extension knows. Each ICV is answered as a number too, if a number can express its
//! value.

use omphalos_ompd_view::icv::{self, Icv, Of, Scope, Value};

use crate::{Answer, Code, Held, Kind, Native, thread};

/// The names by id, from 1 on. OpenMP's name comes before the names of older texts for the same
/// ICV.
const ORDER: &[&str] = &[
    "dyn-var", "run-sched-var", "stacksize-var", "cancel-var", "max-task-priority-var",
    "debug-var", "nthreads-var", "display-affinity-var", "affinity-format-var",
    "default-device-var", "tool-var", "tool-libraries-var", "tool-verbose-init-var", "levels-var",
    "active-levels-var", "thread-limit-var", "max-active-levels-var", "bind-var", "num-procs-var",
    "ompd-num-procs-var", "thread-num-var", "ompd-thread-num-var", "final-task-var",
    "ompd-final-var", "ompd-final-task-var", "implicit-task-var", "ompd-implicit-var",
    "ompd-implicit-task-var", "team-size-var", "ompd-team-size-var", "explicit-task-var",
    "wait-policy-var", "target-offload-var", "def-allocator-var", "nteams-var",
    "teams-thread-limit-var", "num-devices-var", "device-num-var", "available-devices-var",
    "league-size-var", "team-num-var", "team-generator-var", "free-agent-var",
    "free-agent-thread-limit-var", "structured-thread-limit-var", "place-partition-var",
    "place-assignment-var",
];

/// The number of ICVs.
pub const COUNT: u64 = ORDER.len() as u64;

/// An ICV.
pub struct Known {
    /// Its number.
    pub id: u64,
    /// Its name.
    pub name: &'static str,
    /// The scope that OMPD enumerates it with, `ompd_scope_t`.
    pub scope: u64,
    icv: &'static Icv,
}

/// The ICV with a number.
pub fn with_id(id: u64) -> Option<Known> {
    let name = ORDER.get(usize::try_from(id).ok()?.checked_sub(1)?)?;
    let icv = icv::named(name)?;
    // Debuggers' extensions know the scopes address space, thread, parallel and task.
    let scope = match icv.scope {
        Scope::Global => Scope::AddressSpace,
        Scope::ImplicitTask => Scope::Task,
        Scope::Teams | Scope::Target => Scope::Parallel,
        scope => scope,
    };
    Some(Known { id, name: icv.name, scope: scope as u64, icv })
}

/// The ICV with a name.
pub fn named(name: &str) -> Option<Known> {
    let at = ORDER.iter().position(|known| *known == name)?;
    with_id(at as u64 + 1)
}

/// The kind of handle that a scope wants, and whether it must be an implicit task's.
fn wanted(scope: u64) -> Answer<(Kind, bool)> {
    Ok(match scope {
        1 | 2 => (Kind::Space, false),
        3 => (Kind::Thread, false),
        4 | 7 | 8 => (Kind::Parallel, false),
        5 => (Kind::Task, true),
        6 => (Kind::Task, false),
        _ => return Err(Code::BadInput),
    })
}

impl Held {
    /// Checks that the handle is of the kind that the scope wants.
    pub fn in_scope(&self, scope: u64) -> Answer<()> {
        let (kind, implicit) = wanted(scope)?;
        if self.kind != kind || implicit && !self.is_implicit()? {
            return Err(Code::IncompatibleHandle);
        }
        Ok(())
    }

    /// The value of an ICV for the thing that the handle names.
    pub fn icv(&self, known: &Known) -> Answer<Value> {
        let kind = self.kind;
        let mut value = self
            .ask_runtime(|runtime, at| {
                let of = match kind {
                    Kind::Space => Of::Process,
                    Kind::Thread => Of::Thread(runtime.thread(at)),
                    Kind::Parallel => Of::Team(runtime.team(at)),
                    Kind::Task => Of::Task(runtime.task(at)),
                };
                runtime.icv(known.icv, of)
            })
            .map_err(|code| match code {
                // A process has no value for an ICV that only a task has.
                Code::Unavailable if kind == Kind::Space && known.scope > 2 => Code::Incompatible,
                code => code,
            })?;
        match known.name {
            // Readers search for the chunk behind a comma.
            "run-sched-var" if !value.text.contains(',') => value.text += ",0",
            "place-partition-var" => {
                value.number = Some(value.text.matches('{').count() as i64);
            }
            "place-assignment-var" => {
                let first = value.text.split(',').next();
                value.number = first.and_then(|place| place.parse().ok());
            }
            "device-num-var" => {
                if let Some(number) = self.device_number() {
                    (value.number, value.text) = (Some(number as i64), number.to_string());
                }
            }
            _ => {}
        }
        Ok(value)
    }

    /// The scope, the name and the value of each ICV for the thread with this kernel number; for a
    /// thread that OpenMP does not know, the values of the process. `self` is a space.
    pub fn icvs_of_thread(&self, lwp: u64) -> Vec<(&'static str, &'static str, String)> {
        let thread = thread::by_native(&self.space, Native::Lwp(lwp)).ok();
        let current = |ask: fn(&Held) -> Answer<Held>| ask(thread.as_ref()?).ok();
        let (team, task) = (current(Held::current_parallel), current(Held::current_task));
        let value_of = |known: Known| {
            let (scope, held) = match known.scope {
                3 => ("thread", thread.as_ref()?),
                4 => ("parallel", team.as_ref()?),
                6 => ("task", task.as_ref()?),
                _ => ("address space", self),
            };
            let unknown = |code| format!("(not known: {})", code as i32);
            let value = held.icv(&known).map_or_else(unknown, |value| value.text);
            Some((scope, known.name, value))
        };
        (1..=COUNT).filter_map(with_id).filter_map(value_of).collect()
    }

    /// The host's number as a device: it follows the devices that the host plays.
    pub fn number_of_host(&self) -> Answer<u64> {
        Held::space(self.space.clone()).number("num-devices-var").map(|number| number as u64)
    }

    /// The number of an ICV, by name.
    pub fn number(&self, name: &str) -> Answer<i64> {
        let known = named(name).ok_or(Code::Error)?;
        self.icv(&known)?.number.ok_or(Code::Incompatible)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_icv_is_enumerated_once() {
        for known in icv::ALL {
            assert_eq!(
                ORDER.iter().filter(|name| **name == known.name).count(),
                1,
                "{}",
                known.name
            );
            assert!(named(known.name).is_some_and(|found| matches!(found.scope, 2 | 3 | 4 | 6)));
        }
        assert_eq!(ORDER.len(), icv::ALL.len());
        assert!(with_id(0).is_none() && with_id(COUNT + 1).is_none());
    }
}
