//! Makes the wheel: the tree as a Python package, with a command and `python -m omphalos`.
//!
//! A wheel has no links, so the runtime's other names are small libraries in `lib/ldconfig`. With
//! `omphalos run` the loader searches that folder first.

use std::process::Command;

use super::{Release, VERSION, floor};
use crate::Outcome;
use crate::tools::{root, run, step};

/// The greatest size that a wheel may have, in bytes.
const MOST_BYTES: u64 = 15_000_000;

/// Packs the wheel.
pub fn make(release: &Release) -> Outcome {
    step("the wheel");
    let (major, minor, _) = floor::GLIBC;
    let tag = format!("py3-none-manylinux_{major}_{minor}_x86_64");
    let file = release.out.join(format!("omphalos-{VERSION}-{tag}.whl"));
    let mut python = Command::new("python3");
    python.arg(root().join("packaging/wheel/pack.py"));
    python.arg(&release.tree).arg(&file).arg(VERSION).arg(&tag);
    run(python.env("SOURCE_DATE_EPOCH", release.epoch.to_string()))?;
    let bytes = std::fs::metadata(&file).map_or(0, |file| file.len());
    match bytes > MOST_BYTES {
        false => Ok(()),
        true => Err(format!("{} has {bytes} bytes, more than {MOST_BYTES}", file.display())),
    }
}
