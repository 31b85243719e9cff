//! The places of the process and the binding of threads to them, by the environment: the standard's
//! variables and those of GCC's, LLVM's and Intel's runtimes.
//!
//! What must hold: a program finds the order of precedence of its own compiler's runtime. libgomp
//! reads `GOMP_CPU_AFFINITY` as a list of places if there is no `OMP_PLACES`, and has no
//! `KMP_AFFINITY`. LLVM's runtime prefers `KMP_AFFINITY` to `GOMP_CPU_AFFINITY`, and both to the
//! standard's variables.

use super::places::{self, Places, Wish};
use super::settings::Settings;
use super::take::{take, take_with};
use super::values;
use super::variables::Variables;
use omphalos_sys::{cpus, needed, warning};

/// Variables whose meaning depends on the machine.
pub(super) const MACHINE: [&str; 6] = [
    "OMP_PLACES", "OMP_PROC_BIND", "GOMP_CPU_AFFINITY", "KMP_AFFINITY", "KMP_HW_SUBSET",
    "KMP_HIDDEN_HELPER_AFFINITY",
];

/// Sets places and binding. No thread is bound unless one of these variables asks for it.
pub(super) fn binding(settings: &mut Settings, from: &Variables, subset: Option<Vec<usize>>) {
    let teams = take(from, "KMP_TEAMS_PROC_BIND", values::proc_bind, "using the default");
    if MACHINE[..4].iter().all(|name| from.get(name).is_none()) && subset.is_none() {
        return;
    }
    settings.mask = cpus::affinity();
    let own = subset.as_ref().unwrap_or(&settings.mask);
    let asked = match vendors(from, own) {
        Some(wish) => Asked { wish, ..Asked::default() },
        None => standard(from, own),
    };
    let fewer = subset.as_ref().filter(|subset| subset.len() < settings.mask.len());
    let confined = fewer.map(|subset| Wish { places: vec![subset.clone()], policy: 1 });
    let is_some = |wish: &Wish| !wish.places.is_empty();
    let Some(wish) = asked.wish.filter(is_some).or(confined.filter(is_some)) else { return };
    settings.initial.bind = asked.bind.first().copied().unwrap_or(wish.policy);
    if asked.bind.len() > 1 {
        settings.deeper_bind = asked.bind;
    }
    settings.places = Some(Places::new(wish.places, asked.nearest));
    settings.affinity_reset = from.get("KMP_AFFINITY").is_some_and(places::kmp_resets);
    // The teams of a league run at once, so they are spread, as in LLVM's runtime.
    settings.teams_bind = teams.and_then(|list| list.first().copied()).unwrap_or(places::SPREAD);
}

/// The requests of the variables about binding, taken together.
#[derive(Default)]
struct Asked {
    wish: Option<Wish>,
    /// `OMP_PROC_BIND`, if it has an effect.
    bind: Vec<u32>,
    /// The abstract name that stands in for a wrong one.
    nearest: Option<&'static str>,
}

const UNBOUND: &str = "threads stay unbound";
const OTHERS: &str = "the others count";

/// In programs of LLVM's and Intel's compilers `KMP_AFFINITY` with a type comes before everything
/// else, and `GOMP_CPU_AFFINITY` before the standard's variables, as in their runtime. `None`:
/// neither is set. `Some(None)`: no thread is to be bound.
fn vendors(from: &Variables, own: &[usize]) -> Option<Option<Wish>> {
    if ["KMP_AFFINITY", "GOMP_CPU_AFFINITY"].iter().all(|name| from.get(name).is_none())
        || !needed::llvm()
    {
        return None;
    }
    let (name, wish) = match kmp(from, own, OTHERS) {
        Some(wish) => ("KMP_AFFINITY", wish),
        None => ("GOMP_CPU_AFFINITY", Some(gomp(from, own, OTHERS)?)),
    };
    if name == "KMP_AFFINITY" {
        gomp(from, own, "KMP_AFFINITY counts");
    }
    for other in ["OMP_PLACES", "OMP_PROC_BIND"] {
        if from.get(other).is_some() && from.fault() {
            warning!("{other} is ignored, {name} counts; set one of them only");
        }
    }
    Some(wish)
}

/// `OMP_PLACES`, or `GOMP_CPU_AFFINITY` in its place, and `OMP_PROC_BIND`. `KMP_AFFINITY` if
/// nothing else is set.
fn standard(from: &Variables, own: &[usize]) -> Asked {
    let bind = from.get("OMP_PROC_BIND").and_then(|text| values::proc_bind(text).ok());
    let unbound = bind.as_deref() == Some(&[0]);
    let nearest = from.get("OMP_PLACES").and_then(places::nearest_name);
    let instead = match nearest {
        _ if unbound => UNBOUND.to_owned(),
        Some(name) => format!("using {name}"),
        None if bind.is_some() => "using cores".to_owned(),
        None => UNBOUND.to_owned(),
    };
    let places = take_with(from, "OMP_PLACES", |text| places::places(text, own), &instead)
        .or_else(|| places::places(nearest?, own).ok())
        .map(|places| Wish { places, policy: 1 });
    // All of them are read, so that the user is told the faults of each, whichever counts. In
    // programs of LLVM's and Intel's compilers some have been read already.
    let rest = |there: bool| if there && !unbound { OTHERS } else { UNBOUND };
    let there = places.is_some() || bind.is_some();
    let vendors = !needed::llvm();
    let gomp = if vendors { gomp(from, own, rest(there)) } else { None };
    let there = there || gomp.is_some();
    let kmp = if vendors { kmp(from, own, rest(there)).flatten() } else { None };
    if unbound {
        return Asked::default();
    }
    let cores = || bind.as_ref().map(|_| Wish { places: places::cores(own), policy: 1 });
    let wish = places.or(gomp).or_else(cores).or(kmp);
    Asked { wish, bind: bind.unwrap_or_default(), nearest }
}

fn gomp(from: &Variables, own: &[usize], instead: &str) -> Option<Wish> {
    take_with(from, "GOMP_CPU_AFFINITY", |text| places::cpu_list(text, own), instead)
        .map(|places| Wish { places, policy: 1 })
}

/// Returns the value of `KMP_AFFINITY`, if it names a type.
fn kmp(from: &Variables, own: &[usize], instead: &str) -> Option<Option<Wish>> {
    let said = take_with(from, "KMP_AFFINITY", |text| places::kmp(text, own), instead).flatten()?;
    for word in said.ignored {
        if from.fault() {
            warning!("KMP_AFFINITY: {word}; the rest counts");
        }
    }
    Some(said.wish)
}
