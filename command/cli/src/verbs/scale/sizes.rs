//! The numbers of threads that a program is run with.

use std::ffi::OsString;
use std::str::FromStr;

/// The most runs for one question.
const MOST: usize = 64;

/// Numbers of threads, each once, the fewest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes(pub Vec<u32>);

impl FromStr for Sizes {
    type Err = String;

    /// Reads `1,2,4,8`.
    fn from_str(text: &str) -> Result<Sizes, String> {
        let number = |text: &str| text.trim().parse().ok().filter(|number| *number > 0u32);
        let all: Option<Vec<u32>> = text.split(',').map(number).collect();
        let mut all = all.ok_or("say numbers of threads, as 1,2,4,8")?;
        all.sort_unstable();
        all.dedup();
        if all.len() > MOST { Err(format!("say at most {MOST} sizes")) } else { Ok(Sizes(all)) }
    }
}

impl Sizes {
    /// Returns 1, 2, 4 and so on, and the number of processors.
    pub fn up_to(processors: u32) -> Sizes {
        let powers = (0..31).map(|power| 1 << power).take_while(|size| *size < processors);
        Sizes(powers.chain([processors]).collect())
    }

    /// Takes `-t 1,2,4,8` off the end of a command: a list of several numbers is not the program's.
    ///
    /// # Errors
    /// If words follow the list, which may be meant for either.
    pub fn taken_off(command: &mut Vec<OsString>) -> Result<Option<Sizes>, String> {
        let list = |word: &OsString| {
            word.to_str().filter(|list| list.contains(','))?.parse::<Sizes>().ok()
        };
        let is_option = |word: &OsString| word == "-t" || word == "--threads";
        let pairs = command.windows(2).enumerate().skip(1);
        let mut found = pairs.filter_map(|(at, pair)| {
            let sizes = list(&pair[1]).filter(|_| is_option(&pair[0]))?;
            Some((at, sizes))
        });
        let Some((at, sizes)) = found.next() else { return Ok(None) };
        drop(found);
        if at + 2 < command.len() {
            return Err("say -t LIST, and other options for omphalos, before the program".into());
        }
        command.truncate(at);
        Ok(Some(sizes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() {
        assert_eq!("4,1, 2,4".parse(), Ok(Sizes(vec![1, 2, 4])));
        for bad in ["", "0", "1,,2", "two", "-1", "1,2;3"] {
            assert!(bad.parse::<Sizes>().is_err(), "{bad}");
        }
        assert_eq!(Sizes::up_to(6).0, [1, 2, 4, 6]);
        assert_eq!(Sizes::up_to(8).0, [1, 2, 4, 8]);
        assert_eq!(Sizes::up_to(1).0, [1]);
    }

    #[test]
    fn a_list_behind_the_program_is_for_us() {
        let of = |words: &str| {
            let mut command: Vec<OsString> = words.split(' ').map(OsString::from).collect();
            let sizes = Sizes::taken_off(&mut command)?.map(|sizes| sizes.0);
            Ok::<_, String>((sizes, command.len()))
        };
        assert_eq!(of("./app -t 1,2"), Ok((Some(vec![1, 2]), 1)));
        assert_eq!(of("./app x --threads 1,2"), Ok((Some(vec![1, 2]), 2)));
        assert_eq!(of("./app -t 4"), Ok((None, 3)));
        assert_eq!(of("./app"), Ok((None, 1)));
        assert!(of("./app -t 1,2 --repeat 5").is_err());
    }
}
