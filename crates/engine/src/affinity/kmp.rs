//! `KMP_AFFINITY`, as far as it has a meaning in terms of places and policies.

use super::assign::SPREAD;
use super::list;
use super::places::Wish;
use super::topology::{self, Level};

/// What `KMP_AFFINITY` says, once it names a type.
#[derive(Debug, PartialEq, Eq)]
pub struct Kmp {
    /// The binding; none where it asks for none.
    pub wish: Option<Wish>,
    /// Words that mean nothing here.
    pub ignored: Vec<String>,
}

/// `[modifier,...]type[,permute][,offset]`; `None` without a type: then the other variables count.
pub fn kmp(text: &str, own: &[usize]) -> Result<Option<Kmp>, &'static str> {
    const WANTED: &str = "none, disabled, compact, scatter, balanced or explicit, with granularity= \
                          and proclist=[..] if wanted; OMP_PLACES and OMP_PROC_BIND say more";
    const EXPLICIT: &str = "explicit,proclist=[..]";
    let mut text = text.trim().to_ascii_lowercase();
    let mut list = None;
    // The list has commas of its own, so it goes first.
    if let Some(at) = text.find("proclist=") {
        let tail = &text[at + "proclist=".len()..];
        let end = tail.find(']').ok_or(WANTED)?;
        let cpus = tail.get(..end).and_then(|t| t.strip_prefix('[')).ok_or(WANTED)?;
        list = Some(list::places(cpus, own).or_else(|_| list::cpu_list(cpus, own))?);
        text.replace_range(at..at + "proclist=".len() + end + 1, "");
    }
    let mut level = Level::Cores;
    let mut named = None;
    let mut numbers: Vec<usize> = Vec::new();
    let mut ignored = Vec::new();
    for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        match (word, word.strip_prefix("granularity=")) {
            ("verbose" | "noverbose" | "warnings" | "nowarnings" | "respect" | "norespect", _)
            | ("reset" | "noreset", _) => {}
            (_, Some(unit)) => match granularity(unit) {
                Some(found) => level = found,
                None => ignored.push(word.to_owned()),
            },
            _ => match (kind(word), word.parse()) {
                (Some(found), _) => named = Some(found),
                (None, Ok(number)) => numbers.push(number),
                (None, Err(_)) => ignored.push(word.to_owned()),
            },
        }
    }
    let places = match (named, list) {
        (None, _) if ignored.is_empty() => return Ok(None),
        (None, _) => return Err(WANTED),
        (Some(Kind::Unbound), _) => return Ok(Some(Kmp { wish: None, ignored })),
        (Some(Kind::Explicit), None) => return Err(EXPLICIT),
        (Some(Kind::Explicit), Some(list)) => list,
        (Some(_), _) => topology::group(level, own),
    };
    let (policy, offset) = match named {
        Some(Kind::Spread { offset }) => (SPREAD, numbers.get(offset)),
        Some(Kind::InTurn { offset }) => (IN_TURN, numbers.get(offset)),
        _ => (IN_TURN, None),
    };
    let places = behind(places, offset.copied().unwrap_or(0));
    Ok(Some(Kmp { wish: Some(Wish { places, policy }), ignored }))
}

/// `omp_proc_bind_true`.
const IN_TURN: u32 = 1;

#[derive(Clone, Copy)]
enum Kind {
    /// Nobody is bound.
    Unbound,
    /// Places in turn; which of the numbers that follow is the first place's (permute changes nothing
    /// that the policies here know of).
    InTurn { offset: usize },
    /// As far apart as they can be.
    Spread { offset: usize },
    /// As listed.
    Explicit,
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

/// Parts of a machine that the system does not tell are cores, as LLVM's runtime has it.
fn granularity(unit: &str) -> Option<Level> {
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

/// How many of the machine's innermost levels the granularity that `text` names puts into one place.
pub(super) fn spanned(text: &str) -> u32 {
    let text = text.to_ascii_lowercase();
    let units = text.split(',').filter_map(|word| word.trim().strip_prefix("granularity="));
    match units.filter_map(granularity).next_back() {
        Some(Level::Threads) => 0,
        Some(Level::Cores) | None => 1,
        Some(_) => 2,
    }
}

/// The list with place `offset` first.
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
        assert_eq!(found.ignored, ["nodup"]);
        assert_eq!(found.wish.unwrap().places, [vec![0], vec![1]]);
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
