//! `KMP_AFFINITY`, as far as places and policies can express it.

use super::list;
use super::topology::{self, Level};
use super::words::{normal, words};
use super::{SPREAD, Wish};
use core::fmt::{self, Display};

/// The value of `KMP_AFFINITY`, if it names a type.
#[derive(Debug, PartialEq, Eq)]
pub struct Kmp {
    /// The binding; none where it asks for none.
    pub wish: Option<Wish>,
    /// Words that change nothing.
    pub ignored: Vec<Ignored>,
}

/// A word of `KMP_AFFINITY` without an effect, and why.
#[derive(Debug, PartialEq, Eq)]
pub struct Ignored {
    word: String,
    why: &'static str,
}

impl Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is ignored, {}", self.word, self.why)
    }
}

const WANTED: &str = "none, disabled, compact, scatter, balanced or explicit, with granularity= \
                      and proclist=[..] if wanted; OMP_PLACES and OMP_PROC_BIND say more";

/// `[modifier,...]type[,permute][,offset]`. `None` without a type: then the other variables count.
/// If a word contradicts an earlier one, the earlier one counts, as in LLVM's runtime.
pub fn kmp(text: &str, own: &[usize]) -> Result<Option<Kmp>, &'static str> {
    let text = normal(text);
    let all = words(&text);
    let mut level = None;
    let (mut named, mut list) = (None, None);
    let mut numbers: Vec<(&str, usize)> = Vec::new();
    let mut ignored = Vec::new();
    let mut ignore = |word: &str, why| ignored.push(Ignored { word: word.to_owned(), why });
    for &word in &all {
        if let Some(cpus) = word.strip_prefix("proclist=") {
            let cpus = cpus.strip_prefix('[').and_then(|cpus| cpus.strip_suffix(']'));
            match list {
                None => list = Some((word, cpus.ok_or(WANTED)?)),
                Some(_) => ignore(word, "another list is there already"),
            }
        } else if let Some(unit) = word.strip_prefix("granularity=") {
            match (granularity(unit), level) {
                (Some(found), None) => level = Some(found),
                (Some(_), Some(_)) => ignore(word, "another granularity is there already"),
                (None, _) => ignore(word, "it means nothing"),
            }
        } else if let Some(found) = kind(word) {
            match named {
                None => named = Some(found),
                Some(_) => ignore(word, "a type is there already"),
            }
        } else if let Ok(number) = word.parse() {
            numbers.push((word, number));
        } else if !MODIFIERS.contains(&word) {
            ignore(word, "it means nothing");
        }
    }
    // A list without a type counts as the type for lists.
    let named = named.or(list.map(|_| Kind::Explicit));
    let most = named.map_or(0, Kind::numbers);
    for (word, _) in numbers.iter().skip(most) {
        ignore(word, "the type takes no such number");
    }
    if let (Some((word, _)), false) = (list, matches!(named, Some(Kind::Explicit))) {
        ignore(word, "a list counts with the type explicit only");
    }
    let places = match (named, list) {
        (None, _) if ignored.is_empty() && !all.is_empty() => return Ok(None),
        (None, _) => return Err(WANTED),
        (Some(Kind::Unbound), _) => return Ok(Some(Kmp { wish: None, ignored })),
        (Some(Kind::Explicit), None) => return Err("explicit,proclist=[..]"),
        (Some(Kind::Explicit), Some((_, cpus))) => list::proc_list(words(cpus), own)?,
        (Some(_), _) => topology::group(level.unwrap_or(Level::Cores), own),
    };
    let (policy, offset) = match named {
        Some(Kind::Spread { offset }) => (SPREAD, numbers.get(offset)),
        Some(Kind::InTurn { offset }) => (IN_TURN, numbers.get(offset)),
        _ => (IN_TURN, None),
    };
    let places = behind(places, offset.map_or(0, |(_, offset)| *offset));
    Ok(Some(Kmp { wish: Some(Wish { places, policy }), ignored }))
}

/// Words without an effect here that mean something to LLVM's or Intel's runtime. `reset` is
/// searched for elsewhere.
const MODIFIERS: [&str; 12] = [
    "verbose", "noverbose", "warnings", "nowarnings", "respect", "norespect", "reset", "noreset",
    "duplicates", "noduplicates", "dups", "nodups",
];

/// `omp_proc_bind_true`.
const IN_TURN: u32 = 1;

#[derive(Clone, Copy)]
enum Kind {
    /// Threads are not bound.
    Unbound,
    /// Places in turn. One of the numbers that follow chooses the first place (`permute` has no
    /// effect on the policies here).
    InTurn { offset: usize },
    /// As far apart as they can be.
    Spread { offset: usize },
    /// As listed.
    Explicit,
}

impl Kind {
    /// Returns how many numbers may follow.
    fn numbers(self) -> usize {
        match self {
            Kind::Unbound | Kind::Explicit => 0,
            Kind::InTurn { offset } | Kind::Spread { offset } => offset.saturating_add(1),
        }
    }
}

fn kind(word: &str) -> Option<Kind> {
    Some(match word {
        "none" | "disabled" => Kind::Unbound,
        "compact" => Kind::InTurn { offset: 1 },
        "logical" => Kind::InTurn { offset: 0 },
        "scatter" => Kind::Spread { offset: 1 },
        "physical" => Kind::Spread { offset: 0 },
        "balanced" => Kind::Spread { offset: usize::MAX },
        "explicit" => Kind::Explicit,
        _ => return None,
    })
}

/// If the system does not describe a level of the machine, cores stand for it, as in LLVM's
/// runtime. A number counts levels of the machine above the hardware thread.
fn granularity(unit: &str) -> Option<Level> {
    if let Ok(levels) = unit.parse::<u32>() {
        return Some([Level::Threads, Level::Cores, Level::Sockets][levels.min(2) as usize]);
    }
    Some(match unit {
        "fine" | "thread" => Level::Threads,
        "core" | "tile" | "module" | "die" | "core_type" | "core_eff" => Level::Cores,
        "l1_cache" | "l2_cache" => Level::Cores,
        "ll_cache" | "l3_cache" | "l4_cache" => Level::LlCaches,
        "socket" | "package" => Level::Sockets,
        "node" | "numa" | "numa_domain" => Level::NumaDomains,
        _ => return None,
    })
}

/// Returns how many of the machine's innermost levels one place has, by the granularity in `text`.
pub(super) fn spanned(text: &str) -> u32 {
    let text = normal(text);
    let units = words(&text).into_iter().filter_map(|word| word.strip_prefix("granularity="));
    match units.filter_map(granularity).next() {
        Some(Level::Threads) => 0,
        Some(Level::Cores) | None => 1,
        Some(_) => 2,
    }
}

/// Returns the list, rotated so that place `offset` comes first.
fn behind(mut places: Vec<Vec<usize>>, offset: usize) -> Vec<Vec<usize>> {
    if !places.is_empty() {
        let offset = offset % places.len();
        places.rotate_left(offset);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(text: &str) -> Wish {
        let own: Vec<usize> = (0..4).collect();
        kmp(text, &own).unwrap().unwrap().wish.unwrap()
    }

    #[test]
    fn types_and_lists() {
        let own: Vec<usize> = (0..4).collect();
        let unbound = Kmp { wish: None, ignored: Vec::new() };
        assert_eq!(kmp("none", &own), Ok(Some(unbound)));
        assert_eq!(kmp("verbose,granularity=fine", &own), Ok(None));
        let found = wish("granularity=fine,compact,1,0");
        assert_eq!((found.places.len(), found.policy), (4, 1));
        assert_eq!(wish("granularity=fine,proclist=[3,1],explicit").places, [vec![3], vec![1]]);
        assert_eq!(wish("scatter").policy, 4);
        assert!(kmp("tight", &own).is_err());
        assert!(kmp("explicit", &own).is_err());
        assert!(kmp("explicit,proclist=[1", &own).is_err());
        assert!(kmp("explicit,proclist=1]", &own).is_err());
    }

    #[test]
    fn words_that_mean_nothing_leave_the_rest() {
        let found = kmp("nodup,granularity=fine,compact", &[0, 1]).unwrap().unwrap();
        assert_eq!(ignored("nodup,granularity=fine,compact"), ["nodup"]);
        assert_eq!(found.wish.unwrap().places, [vec![0], vec![1]]);
        for (text, word) in [
            ("compact,scatter", "scatter"),
            ("compact,1,2,3", "3"),
            ("logical,1,2", "2"),
            ("none,1", "1"),
            ("proclist=[0,1],compact", "proclist=[0,1]"),
            ("explicit,proclist=[0],proclist=[1,2]", "proclist=[1,2]"),
            ("granularity=few,scatter", "granularity=few"),
            ("granularity=fine,granularity=core,compact", "granularity=core"),
            ("compact,-1", "-1"),
        ] {
            assert_eq!(ignored(text), [word], "{text}");
        }
        for text in ["", ",", "1", "verbose,foo", "granularity=few", "scatter 1", "compact;1"] {
            assert!(kmp(text, &[0, 1]).is_err(), "{text}");
        }
    }

    /// The values of LLVM's and Intel's documentation, as their runtimes take them.
    #[test]
    fn nothing_is_ignored_of_good_values() {
        for text in [
            "granularity=fine,compact,1,0",
            "verbose,warnings,respect,granularity=core,scatter,0,1",
            "nowarnings,noverbose,norespect,noreset,nodups,balanced",
            "duplicates,reset,compact,",
            "granularity=thread,proclist=[0-1:1,{0,1}],explicit",
            " GRANULARITY = FINE , Explicit , ProcList = [ 0 , 1 ] ",
            "granularity=1,balanced,0",
            "granularity=numa_domain,logical,2",
            "disabled",
            "1,compact",
            "verbose,none",
        ] {
            assert_eq!(ignored(text), [""; 0], "{text}");
        }
    }

    fn ignored(text: &str) -> Vec<String> {
        let found = kmp(text, &[0, 1, 2, 3]).unwrap().unwrap();
        found.ignored.into_iter().map(|ignored| ignored.word).collect()
    }

    #[test]
    fn a_list_is_a_type_and_the_first_type_counts() {
        assert_eq!(wish("granularity=fine,proclist=[2]").places, [vec![2]]);
        assert_eq!(wish("scatter,compact").policy, 4);
        let mixed = wish("explicit,proclist=[3-1:-2,{0,2},0-1]");
        assert_eq!(mixed.places, [vec![3], vec![1], vec![0, 2], vec![0], vec![1]]);
        for text in ["explicit,proclist=[]", "explicit,proclist=[1-0]", "explicit,proclist=[{0-1}]"]
        {
            assert!(kmp(text, &[0, 1]).is_err(), "{text}");
        }
    }

    #[test]
    fn the_offset_says_which_place_is_first() {
        assert_eq!(wish("granularity=fine,compact,0,3").places[0], [3]);
        assert_eq!(wish("granularity=fine,compact,3").places[0], [0]);
        assert_eq!(wish("granularity=fine,physical,5").places[0], [1]);
        assert_eq!(
            wish("granularity=fine,scatter,0,1").places,
            [vec![1], vec![2], vec![3], vec![0]]
        );
    }
}
