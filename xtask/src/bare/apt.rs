//! Sets up the bare machine's packages: they come from the same places as those of this machine's
//! apt.

use std::path::Path;
use std::process::Command;

use crate::Outcome;
use crate::tools::{self, step};

/// Debian 12.
const RELEASE: &str = "bookworm";

/// The file of a system that holds these settings of apt.
const SETTINGS: &str = "etc/apt/apt.conf.d/99fetching";

/// The settings of apt that say how packages are fetched; the other settings concern this machine
/// alone.
const FETCHING: [&str; 5] = [
    "Acquire::http::", "Acquire::https::", "Acquire::Check-", "Acquire::Retries",
    "Acquire::ForceIPv",
];

/// A place that packages come from.
#[derive(Debug, PartialEq, Eq)]
struct Source {
    address: String,
    release: String,
    component: String,
}

/// Makes the smallest Debian 12 in `folder`; `packages` is the cache of the packages it is made of.
pub fn bootstrap(folder: &Path, packages: &Path) -> Outcome {
    let sources = known_sources()?;
    step("making a bare Debian 12 (debootstrap)");
    debootstrap(folder, packages, RELEASE, &sources[0].address)?;
    configure(folder, &sources)
}

/// Makes such a system of another suite of Debian, from the address that this machine's apt uses.
pub fn bootstrap_suite(folder: &Path, packages: &Path, suite: &str) -> Outcome {
    let address = known_sources()?.swap_remove(0).address;
    step(&format!("making a bare Debian {suite} (debootstrap)"));
    debootstrap(folder, packages, suite, &address)?;
    let source = Source { address, release: suite.into(), component: "main".into() };
    configure(folder, &[source])
}

/// Whether a system was made completely: the file that `configure` writes last exists.
pub fn is_complete(folder: &Path) -> bool {
    folder.join(SETTINGS).is_file()
}

/// The sources of Debian 12 that this machine's apt has; at least one.
fn known_sources() -> Outcome<Vec<Source>> {
    let format = "$(REPO_URI) $(RELEASE) $(COMPONENT)";
    let listed = tools::output(
        Command::new("apt-get").args(["indextargets", "--format", format, "Created-By: Packages"]),
    )?;
    let mut sources = sources(&listed);
    match sources.iter().position(|source| source.release == RELEASE) {
        Some(first) => {
            sources.swap(0, first);
            Ok(sources)
        }
        None => Err(format!(
            "this machine's apt has no source of Debian's {RELEASE}: run `bare` on Debian 12, or \
             add one to /etc/apt"
        )),
    }
}

fn debootstrap(folder: &Path, packages: &Path, suite: &str, address: &str) -> Outcome {
    let mut debootstrap = Command::new("debootstrap");
    debootstrap.args(["--variant=minbase", "--cache-dir"]).arg(
        packages
            .canonicalize()
            .map_err(|error| format!("cannot find {}: {error}", packages.display()))?,
    );
    if address.starts_with("https") {
        debootstrap.arg("--include=ca-certificates");
    }
    debootstrap.arg(suite).arg(folder).arg(address);
    // debootstrap has no script for a suite that is younger than itself; the one of `sid` fits all
    // suites since 2018.
    if !Path::new("/usr/share/debootstrap/scripts").join(suite).exists() {
        debootstrap.arg("sid");
    }
    debootstrap.envs(proxies()).stdout(std::process::Stdio::null());
    tools::run(&mut debootstrap)
}

/// Writes the settings of the system's apt: the places of its packages, and how to fetch them.
fn configure(folder: &Path, sources: &[Source]) -> Outcome {
    let lines = sources
        .iter()
        .map(|source| format!("deb {} {} {}\n", source.address, source.release, source.component));
    write(&folder.join("etc/apt/sources.list"), &lines.collect::<String>())?;
    // The system is thrown away afterwards, so dpkg need not write each file to the disk before it
    // goes on.
    write(&folder.join("etc/dpkg/dpkg.cfg.d/99fast"), "force-unsafe-io\n")?;
    write(&folder.join(SETTINGS), &settings()?)
}

/// Returns the sources of the release, of its updates and of its security fixes.
fn sources(listed: &str) -> Vec<Source> {
    let mut found = Vec::new();
    for line in listed.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [address, release, component] = words[..] else { continue };
        let own = release.split('-').next() == Some(RELEASE);
        let source = Source {
            address: address.into(),
            release: release.into(),
            component: component.into(),
        };
        if own && !found.contains(&source) {
            found.push(source);
        }
    }
    found
}

/// Returns this machine's settings of how packages are fetched.
fn settings() -> Outcome<String> {
    let all = tools::output(Command::new("apt-config").arg("dump"))?;
    let kept = all.lines().filter(|line| FETCHING.iter().any(|prefix| line.starts_with(prefix)));
    Ok(kept.map(|line| format!("{line}\n")).collect())
}

/// Returns the proxies that this process's environment names, or that apt knows.
pub fn proxies() -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = std::env::vars()
        .filter(|(name, _)| name.to_ascii_lowercase().ends_with("_proxy"))
        .collect();
    for (name, setting) in
        [("http_proxy", "Acquire::http::Proxy"), ("https_proxy", "Acquire::https::Proxy")]
    {
        let mut config = Command::new("apt-config");
        config.args(["dump", "--format", "%v", setting]);
        let told = tools::output(&mut config).unwrap_or_default();
        let known = found.iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
        if !known && told.contains("://") {
            found.push((name.into(), told.trim().into()));
        }
    }
    found
}

fn write(path: &Path, text: &str) -> Outcome {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_of_the_release_alone() {
        let listed = "http://m/debian/ bookworm main\nhttp://m/debian/ bookworm main\n\
                      http://m/security/ bookworm-security main\nhttp://other/ nodistro main\n";
        let found = sources(listed);
        let names: Vec<_> = found.iter().map(|source| source.release.as_str()).collect();
        assert_eq!(names, ["bookworm", "bookworm-security"]);
    }
}
