//! Fetches programs and schemas of others, to read the exports of `omphalos report`, that are no
//! Debian packages. If one of them cannot be fetched, the tests that need it are ignored.

use std::path::Path;
use std::process::Command;

use crate::Outcome;
use crate::tools::{self, have, make_dir, step, target_dir};

/// The reader of Perfetto's traces, and the program that checks a file against a schema.
const FROM_PYPI: [&str; 2] = ["perfetto==0.59.1", "jsonschema==4.25.1"];
/// The package that has speedscope's schema, and the schema's path in it.
const SPEEDSCOPE: (&str, &str) =
    ("speedscope@1.25.0", "package/dist/release/file-format-schema.json");

/// Fetches them into `target/readers`, unless that folder exists.
pub fn ensure() -> Outcome {
    let folder = target_dir().join("readers");
    if folder.is_dir() {
        return Ok(());
    }
    step("fetching readers of exported profiles");
    make_dir(&folder)?;
    for (what, fetched) in [("Perfetto", python(&folder)), ("speedscope", speedscope(&folder))] {
        if let Err(error) = fetched {
            step(&format!("left out: tests of exports to {what} ({error})"));
        }
    }
    Ok(())
}

fn python(folder: &Path) -> Outcome {
    let python = folder.join("python");
    tools::run(Command::new("python3").args(["-m", "venv"]).arg(&python))?;
    let mut pip = Command::new(python.join("bin/python"));
    let fetched = tools::run(pip.args(["-m", "pip", "install", "--quiet"]).args(FROM_PYPI));
    fetched.inspect_err(|_| drop(std::fs::remove_dir_all(&python)))
}

fn speedscope(folder: &Path) -> Outcome {
    if !have("npm") {
        return Err("there is no npm".into());
    }
    let mut pack = Command::new("npm");
    pack.args(["pack", "--silent", SPEEDSCOPE.0, "--pack-destination"]).arg(folder);
    let name = tools::output(&mut pack)?;
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(folder.join(name.trim())).arg("-C").arg(folder).arg(SPEEDSCOPE.1);
    tools::run(&mut tar)?;
    let schema = folder.join("speedscope.schema.json");
    std::fs::rename(folder.join(SPEEDSCOPE.1), schema).map_err(|error| error.to_string())
}
