//! The part of the run that is measured.

use std::time::Duration;

use crate::environment::Environment;

/// When measuring begins and ends, or where.
#[derive(clap::Args)]
pub struct Part {
    /// Measure from so long after the start on: 5s, 500ms, 2m
    #[arg(long, value_name = "TIME", value_parser = time)]
    delay: Option<Duration>,

    /// Measure for so long, then let the program run on unmeasured: 10s
    #[arg(long = "for", value_name = "TIME", value_parser = length)]
    length: Option<Duration>,

    /// Measure only while such regions run: those of a function (main), of a line (file.c:20), or
    /// the one with that name in a report (region at file.c:20 in main)
    #[arg(long, value_name = "REGION", conflicts_with_all = ["delay", "length", "collector"])]
    only: Option<String>,
}

impl Part {
    /// The regions that are measured alone.
    pub fn only(&self) -> Option<&str> {
        self.only.as_deref()
    }

    /// Sets the agent's variables.
    pub fn set(&self, environment: &mut Environment) {
        let both = [("OMPHALOS_PROFILE_DELAY", self.delay), ("OMPHALOS_PROFILE_FOR", self.length)];
        for (name, time) in both {
            if let Some(time) = time {
                environment.set(name, time.as_secs_f64().to_string());
            }
        }
        if let Some(only) = &self.only {
            environment.set("OMPHALOS_PROFILE_ONLY", only);
        }
    }
}

/// Reads a number with its unit; without a unit it is seconds.
pub(in crate::verbs) fn time(text: &str) -> Result<Duration, String> {
    let units = [("ms", 1e-3), ("us", 1e-6), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let found = units.iter().find_map(|(unit, length)| Some((text.strip_suffix(unit)?, *length)));
    let (number, unit) = found.unwrap_or((text, 1.0));
    let seconds = number.trim().parse::<f64>().ok().map(|number| number * unit);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "it should be a time such as 5s, 500ms or 2m".to_owned())
}

/// Reads a time that is not 0.
pub(in crate::verbs) fn length(text: &str) -> Result<Duration, String> {
    match time(text)? {
        Duration::ZERO => Err("it should be longer than nothing".to_owned()),
        length => Ok(length),
    }
}

#[cfg(test)]
mod tests {
    use super::{length, time};
    use std::time::Duration;

    #[test]
    fn times_have_units() {
        assert_eq!(time("5s"), Ok(Duration::from_secs(5)));
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(time("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(time("2"), Ok(Duration::from_secs(2)));
        for bad in ["", "s", "-1s", "5 days", "inf"] {
            assert!(time(bad).is_err(), "{bad:?}");
        }
        assert_eq!((time("0s"), length("1ms")), (Ok(Duration::ZERO), Ok(Duration::from_millis(1))));
        for nothing in ["0s", "0", "0.0m", "1e-12s"] {
            assert!(length(nothing).is_err(), "{nothing:?}");
        }
    }
}
