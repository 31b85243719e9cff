//! Runs the program to record: finds its file, makes its environment, and waits for its end. The
//! verbs that record a run call it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::SystemTime;

use super::{RATE, Recording, Runtime, only};
use crate::child::{self, End};
use crate::energy;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::install::Installation;
use crate::keep;
use crate::program;
use crate::terminal;
use crate::verbs::output::Template;
use crate::verbs::run::on_omphalos;
use crate::words;

/// The program to run, and the way to record it.
pub(in crate::verbs) struct Program<'a> {
    recording: &'a Recording,
    command: Vec<OsString>,
    pub(in crate::verbs) path: PathBuf,
    /// Names of libraries that must be loaded first.
    first: Vec<String>,
    /// Variables that are set for it alone.
    pub(in crate::verbs) variables: Vec<(&'static str, OsString)>,
    /// The places of the calls whose regions are measured alone.
    only: Option<String>,
}

impl<'a> Program<'a> {
    /// Finds the program that a verb's command starts; `bare` are options without their file.
    pub(in crate::verbs) fn find(
        recording: &'a Recording,
        (verb, command): (&str, &[OsString]),
        bare: &[&str],
    ) -> Result<Program<'a>, Failure> {
        let command = program::words(command);
        let path = words::program(verb, &command, bare)?;
        let first = program::check(&path)?;
        let hz = recording.hz;
        if let Some(tick) = tick().filter(|tick| *tick < hz && hz != RATE) {
            terminal::say(&format!(
                "--hz {hz}: this kernel looks at running threads {tick} times a second, and takes \
                 no more samples of them"
            ));
        }
        let only = recording.part.only();
        let only = only.map(|text| only::resolve(text, &path)).transpose()?;
        Ok(Program { recording, command, path, first, variables: Vec::new(), only })
    }

    /// Runs it to its end; returns how it ended, and the profiles that it wrote.
    pub(super) fn record(&self, template: &Template) -> Result<(End, Vec<PathBuf>), Failure> {
        let mut environment = environment(self.recording)?;
        environment.preload_by_name(&self.first);
        if let Some(only) = &self.only {
            environment.set("OMPHALOS_PROFILE_ONLY_AT", only);
        }
        for (name, value) in &self.variables {
            environment.set(name, value);
        }
        let mut machine = keep::Watch::begin(self.recording.counters);
        let started = SystemTime::now();
        let with_name = |pid| {
            environment.set("OMPHALOS_PROFILE_OUT", template.for_agent(pid));
            environment
        };
        let ended = match &mut machine.energy {
            Some(meter) if meter.has_packages() => {
                let watch: child::Watch<'_> = (energy::EVERY, &mut |_| meter.look());
                child::run_watched(&self.path, &self.command, with_name, Some(watch))?
            }
            _ => child::run(&self.path, &self.command, with_name)?,
        };
        if let End::Killed(signal) = ended.end {
            terminal::say(&format!("{} was ended by signal {signal}", self.path.display()));
        }
        terminal::outlive_failed_writes();
        let written = template.written(ended.pid.unsigned_abs(), started);
        // Without this, a report only knows less about the machine.
        written.iter().for_each(|profile| drop(machine.keep(profile)));
        Ok((ended.end, written))
    }
}

/// Returns how often in a second the kernel looks at running threads, if it says so.
fn tick() -> Option<u32> {
    let mut step = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is ours. The coarse clock goes on with each tick.
    let known = unsafe { libc::clock_getres(libc::CLOCK_MONOTONIC_COARSE, &mut step) } == 0;
    let step = u32::try_from(step.tv_nsec).ok().filter(|step| known && *step > 0)?;
    Some((1e9 / f64::from(step)).round() as u32)
}

/// Returns the environment of the profiled program, without the name of the profile.
fn environment(recording: &Recording) -> Result<Environment, Failure> {
    let installation = Installation::find()?;
    let agent = installation.agent()?;
    let mut environment = match recording.runtime {
        Runtime::Omphalos => on_omphalos(&installation)?,
        Runtime::System => Environment::default(),
    };
    // When it is preloaded, the agent can resume sleeps that its own timer interrupted.
    environment.preload(&agent)?;
    if recording.collector {
        // The user's own OMPT tools run beside it; the agent declines to be one of them.
        environment.set("OMPHALOS_PROFILE_COLLECTOR", "1");
    } else {
        environment.prepend("OMP_TOOL_LIBRARIES", agent.as_os_str());
        environment.set("OMP_TOOL", "enabled");
    }
    environment.set("OMPHALOS_PROFILE_HZ", recording.hz.to_string());
    if recording.counters {
        environment.set("OMPHALOS_PROFILE_COUNTERS", "1");
    }
    recording.part.set(&mut environment);
    Ok(environment)
}
