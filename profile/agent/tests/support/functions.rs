//! Names of a program's functions, from `nm`.

use super::Recorded;
use omphalos_profile_format::Sample;
use std::path::Path;
use std::process::Command;

/// Functions of a program, by name: address range relative to its base.
pub struct Functions(Vec<(u64, u64, String)>);

impl Functions {
    /// Reads the program's symbol table.
    pub fn of(program: &Path) -> Functions {
        let output =
            Command::new("nm").args(["-S", "--defined-only"]).arg(program).output().expect("nm");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let parse = |line: &str| {
            let mut words = line.split_whitespace();
            let from = u64::from_str_radix(words.next()?, 16).ok()?;
            let size = u64::from_str_radix(words.next()?, 16).ok()?;
            words.next()?;
            Some((from, from + size, words.next()?.to_owned()))
        };
        Functions(text.lines().filter_map(parse).collect())
    }

    /// Returns the function at an address relative to the program's base.
    pub fn at(&self, address: u64) -> Option<&str> {
        self.0
            .iter()
            .find(|(from, to, _)| (*from..*to).contains(&address))
            .map(|(_, _, name)| name.as_str())
    }

    /// Returns the names along a sample's stack, innermost first; a frame outside the program is
    /// left out.
    pub fn along(&self, recorded: &Recorded, base: u64, sample: &Sample) -> Vec<&str> {
        let frames = recorded.frames(sample).iter().enumerate();
        frames.filter_map(|(at, pc)| self.at((pc - u64::from(at > 0)).wrapping_sub(base))).collect()
    }
}
