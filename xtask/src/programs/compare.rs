//! Decides whether two results of a program are the same.

/// The rule by which a program's results are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Comparison {
    /// Byte by byte.
    Exact,
    /// Word by word. Two numbers are the same if their difference is at most this part of the
    /// larger one: the order of a sum's terms differs from run to run.
    Near(f64),
}

impl Comparison {
    /// Reads a comparison in the table's form: `exact`, or a number.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "exact" => Some(Self::Exact),
            _ => word.parse().ok().map(Self::Near),
        }
    }

    /// Whether both are the same result.
    pub fn is_same(self, one: &str, other: &str) -> bool {
        let Self::Near(part) = self else { return one == other };
        let (mut ours, mut theirs) = (words(one), words(other));
        loop {
            match (ours.next(), theirs.next()) {
                (None, None) => return true,
                (Some(a), Some(b)) if a == b || is_near(a, b, part) => {}
                _ => return false,
            }
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || "(),;:=[]".contains(c)).filter(|w| !w.is_empty())
}

/// Whether the difference is at most `part` of the larger number, or at most `part` itself if both
/// are below 1: a sum whose terms cancel out leaves such a small rest.
fn is_near(a: &str, b: &str, part: f64) -> bool {
    let (Ok(a), Ok(b)) = (a.parse::<f64>(), b.parse::<f64>()) else { return false };
    (a - b).abs() <= part * a.abs().max(b.abs()).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::Comparison::{Exact, Near};

    #[test]
    fn numbers_may_differ_in_their_last_digits() {
        assert!(Near(1e-6).is_same("sum=1.0000001 x", "sum = 1.0000002 x"));
        assert!(!Near(1e-6).is_same("sum 1.0001", "sum 1.0002"));
        assert!(!Near(1e-6).is_same("1 2", "1 2 3"));
        assert!(!Exact.is_same("1.0", "1.00"));
    }
}
