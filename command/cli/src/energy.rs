//! The energy that the machine's packages use, by the processor's own account (RAPL), which the
//! kernel shows as files.
//!
//! `omphalos profile --counters` calls it before, during and after the program's run.
//!
//! What must hold: a counter begins at 0 again after some minutes at full power, so it is read more
//! often than that.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use omphalos_profile_format::{Energy, Record};

/// The folder in which the kernel shows the processor's packages.
const FOLDER: &str = "/sys/class/powercap";
/// The time between two reads. A counter's range is at least 65 kJ, and no package uses so much in
/// so short a time.
pub const EVERY: Duration = Duration::from_secs(30);

/// One package.
struct Package {
    name: String,
    file: PathBuf,
    /// The counter's last value before it begins again, microjoules.
    range: u64,
    last: u64,
    used: u64,
}

impl Package {
    fn record(&self, elapsed: u64) -> Record<'_> {
        let (domain, energy) = (self.name.as_bytes(), self.used);
        Energy { domain, energy, elapsed, why: b"" }.into()
    }
}

/// The energy of all packages from some moment on.
pub struct Meter {
    begin: Instant,
    packages: Vec<Package>,
    /// The reason why no energy is known.
    why: Option<String>,
}

impl Meter {
    /// Begins to measure.
    pub fn begin() -> Meter {
        Meter::of(Path::new(FOLDER))
    }

    fn of(folder: &Path) -> Meter {
        let begin = Instant::now();
        match packages(folder) {
            Ok(packages) if packages.is_empty() => {
                let why = "energy: this machine does not tell what its packages use (a virtual \
                           machine, or a processor without RAPL)";
                Meter { begin, packages, why: Some(why.to_owned()) }
            }
            Ok(packages) => Meter { begin, packages, why: None },
            Err((file, error)) => {
                let why = match error.kind() {
                    ErrorKind::PermissionDenied => "only root may read it".to_owned(),
                    _ => error.to_string(),
                };
                let why = format!("energy: {} is not to be read: {why}", file.display());
                Meter { begin, packages: Vec::new(), why: Some(why) }
            }
        }
    }

    /// Whether there is a package to measure.
    pub fn has_packages(&self) -> bool {
        !self.packages.is_empty()
    }

    /// Reads the counters.
    pub fn look(&mut self) {
        for package in &mut self.packages {
            let Ok(now) = number(&package.file) else { continue };
            let since = match now.checked_sub(package.last) {
                Some(since) => since,
                None => package.range.saturating_sub(package.last).saturating_add(now),
            };
            package.used = package.used.saturating_add(since);
            package.last = now;
        }
    }

    /// Returns the energy that each package has used since the program's start, as records.
    pub fn records(&mut self) -> Vec<Record<'_>> {
        self.look();
        let elapsed = self.begin.elapsed().as_nanos() as u64;
        if let Some(why) = &self.why {
            let nothing = Energy { why: why.as_bytes(), ..Energy::default() };
            return vec![nothing.into()];
        }
        self.packages.iter().map(|package| package.record(elapsed)).collect()
    }
}

/// Returns all packages that the kernel shows. The error is a file that cannot be read, with the
/// reason.
fn packages(folder: &Path) -> Result<Vec<Package>, (PathBuf, Error)> {
    let mut all = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(all) };
    for entry in entries.flatten() {
        let zone = entry.path();
        // `intel-rapl:0` is a package, `intel-rapl:0:1` a part of it: cores, memory. AMD's
        // processors have the same names.
        let is_package = entry.file_name().to_str().is_some_and(|name| {
            name.strip_prefix("intel-rapl:").is_some_and(|rest| rest.parse::<u32>().is_ok())
        });
        if !is_package {
            continue;
        }
        let name = std::fs::read_to_string(zone.join("name")).unwrap_or_default();
        // `psys` is the whole of a laptop, its packages included.
        if name.trim() == "psys" {
            continue;
        }
        let read = |file: &Path| number(file).map_err(|error| (file.to_owned(), error));
        let file = zone.join("energy_uj");
        let last = read(&file)?;
        let range = read(&zone.join("max_energy_range_uj"))?;
        all.push(Package { name: name.trim().to_owned(), file, range, last, used: 0 });
    }
    all.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(all)
}

fn number(file: &Path) -> Result<u64, Error> {
    std::fs::read_to_string(file)?.trim().parse().map_err(Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(meter: &mut Meter) -> Vec<(String, u64)> {
        let texts = |record: &Record<'_>| match record {
            Record::Energy(Energy { domain, energy, why: b"", .. }) => {
                (String::from_utf8_lossy(domain).into_owned(), *energy)
            }
            other => panic!("{other:?}"),
        };
        meter.records().iter().map(texts).collect()
    }

    #[test]
    fn packages_add_up_and_begin_again() {
        let base = tempfile::tempdir().unwrap();
        let put = |file: &str, text: &str| {
            let path = base.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        for (zone, name) in [
            ("intel-rapl:0", "package-0"),
            ("intel-rapl:1", "package-1"),
            ("intel-rapl:0:0", "core"),
            ("intel-rapl:2", "psys"),
            ("intel-rapl-mmio:0", "package-0"),
        ] {
            put(&format!("{zone}/name"), &format!("{name}\n"));
            put(&format!("{zone}/energy_uj"), "900\n");
            put(&format!("{zone}/max_energy_range_uj"), "1000\n");
        }
        let mut meter = Meter::of(base.path());
        put("intel-rapl:0/energy_uj", "950\n");
        put("intel-rapl:1/energy_uj", "100\n");
        meter.look();
        put("intel-rapl:0/energy_uj", "20\n");
        let both = [("package-0".to_owned(), 120), ("package-1".to_owned(), 200)];
        assert_eq!(used(&mut meter), both);
    }

    #[test]
    fn what_is_not_told_has_a_line() {
        let why = |meter: &mut Meter| match meter.records()[..] {
            [Record::Energy(energy)] => String::from_utf8_lossy(energy.why).into_owned(),
            _ => panic!("one record"),
        };
        let base = tempfile::tempdir().unwrap();
        let said = why(&mut Meter::of(&base.path().join("nothing")));
        assert!(said.starts_with("energy: this machine does not tell"), "{said}");
        let zone = base.path().join("intel-rapl:0");
        std::fs::create_dir_all(zone.join("energy_uj")).unwrap();
        let said = why(&mut Meter::of(base.path()));
        assert!(said.starts_with("energy: ") && said.contains("energy_uj is not to be"), "{said}");
    }
}
