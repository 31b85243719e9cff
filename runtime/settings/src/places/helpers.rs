//! The places of hidden helper threads: `KMP_HIDDEN_HELPER_AFFINITY`, in the words of
//! `KMP_AFFINITY`.
//!
//! Helpers do not use the places of the program's teams. Without the variable they may run wherever
//! the process may.

use super::kmp::{self, Ignored};
use super::topology::{self, Level};
use super::{SPREAD, Wish};

/// See the module.
#[derive(Debug, PartialEq, Eq)]
pub struct HelperPlaces {
    /// The binding; `None` if the variable asks for none.
    pub wish: Option<Wish>,
    /// Whether each helper prints where it is bound.
    pub verbose: bool,
    /// How many levels of the machine a thread's place spans besides the hardware thread.
    pub levels: u32,
}

/// Reads the variable. Also returns the words in it that have no effect.
pub fn helper_places(
    text: &str,
    own: &[usize],
) -> Result<(HelperPlaces, Vec<Ignored>), &'static str> {
    let mut said = kmp::kmp(text, own)?.unwrap_or(kmp::Kmp { wish: None, ignored: Vec::new() });
    if let Some(wish) = said.wish.as_mut().filter(|wish| wish.policy == SPREAD) {
        scatter(&mut wish.places, &topology::group(Level::Sockets, own));
    }
    let words = || text.split(',').map(|word| word.trim().to_ascii_lowercase());
    let verbose = words().any(|word| word == "verbose");
    let levels = match &said.wish {
        None => 0,
        Some(_) => kmp::spanned(text),
    };
    Ok((HelperPlaces { wish: said.wish, verbose, levels }, said.ignored))
}

/// Orders places so that neighbours in the list are on different `sockets`, as far as that goes.
fn scatter(places: &mut [Vec<usize>], sockets: &[Vec<usize>]) {
    let socket_of = |place: &[usize]| {
        let on = |socket: &Vec<usize>| place.first().is_some_and(|cpu| socket.contains(cpu));
        sockets.iter().position(on).unwrap_or(0)
    };
    let mut on_socket = vec![Vec::new(); sockets.len().max(1)];
    for place in places.iter_mut() {
        on_socket[socket_of(place)].push(core::mem::take(place));
    }
    // Each round takes one place of each socket that has one left.
    let mut left: Vec<_> = on_socket.into_iter().map(Vec::into_iter).collect();
    let mut to = places.iter_mut();
    while to.len() != 0 {
        let round = left.iter_mut().filter_map(Iterator::next);
        round.zip(to.by_ref()).for_each(|(place, to)| *to = place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scattered_places_take_the_sockets_in_turn() {
        let mut places: Vec<Vec<usize>> = (0..5).map(|cpu| vec![cpu]).collect();
        scatter(&mut places, &[vec![0, 1, 2], vec![3, 4]]);
        assert_eq!(places.concat(), [0, 3, 1, 4, 2]);
        scatter(&mut places, &[]);
        assert_eq!(places.concat(), [0, 3, 1, 4, 2]);
    }

    #[test]
    fn words() {
        let of = |text| helper_places(text, &[0, 1]).unwrap().0;
        let said = of("verbose,granularity=fine,explicit,proclist=[1,0]");
        assert_eq!((said.verbose, said.levels), (true, 0));
        assert_eq!(said.wish.unwrap().places, [vec![1], vec![0]]);
        assert_eq!(of("granularity=core,compact").levels, 1);
        assert_eq!(of("granularity=socket,scatter").levels, 2);
        assert_eq!(of("verbose"), HelperPlaces { wish: None, verbose: true, levels: 0 });
        assert_eq!(of("none"), HelperPlaces { wish: None, verbose: false, levels: 0 });
        assert!(helper_places("tight", &[0]).is_err());
    }
}
