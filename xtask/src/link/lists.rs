//! Reads the lists of names in `runtime/library/symbols`: which names the owners of the interfaces
//! export, and at which version nodes.

use std::collections::BTreeSet;

use crate::Outcome;
use crate::tools::{read, root};

/// A version node.
#[derive(Debug, PartialEq, Eq)]
pub struct Node {
    /// The version.
    pub name: String,
    /// The node it follows.
    pub parent: Option<String>,
    /// The names at this version.
    pub names: BTreeSet<String>,
    /// The thing that these names belong to, if a call of them ends the program with a message.
    pub refused: Option<String>,
}

/// The files, in the order in which their nodes claim a name's default version.
const FILES: &[&str] = &["gomp.txt", "llvm.txt", "tools.txt", "omptarget.txt"];

/// Returns all nodes of all lists.
pub fn all() -> Outcome<Vec<Node>> {
    let mut nodes = Vec::new();
    for file in FILES {
        let path = root().join("runtime/library/symbols").join(file);
        let text = read(&path)?;
        nodes.extend(parse(&text).map_err(|error| format!("{}: {error}", path.display()))?);
    }
    Ok(nodes)
}

/// Reads one list: `[NODE]` or `[NODE : PARENT]`, perhaps followed by `refused: WHAT`, then names,
/// one a line; `#` begins a comment.
fn parse(text: &str) -> Result<Vec<Node>, String> {
    let mut nodes: Vec<Node> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        if let Some((head, behind)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            let refused = match (behind.trim(), behind.trim().strip_prefix("refused:")) {
                ("", _) => None,
                (_, Some(what)) => Some(what.trim().to_owned()),
                (other, None) => return Err(format!("line {}: unknown `{other}`", number + 1)),
            };
            let (name, parent) = match head.split_once(':') {
                Some((name, parent)) => (name.trim(), Some(parent.trim().to_owned())),
                None => (head.trim(), None),
            };
            let (name, names) = (name.to_owned(), BTreeSet::new());
            nodes.push(Node { name, parent, names, refused });
        } else {
            let node = nodes.last_mut().ok_or_else(|| {
                format!("line {}: `{line}` stands before the first [NODE]", number + 1)
            })?;
            node.names.insert(line.to_owned());
        }
    }
    Ok(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_names_and_comments() {
        let nodes = parse("# what\n[A_1.0]\none\n\n[A_2.0 : A_1.0]\ntwo # why\none\n").unwrap();
        assert_eq!(nodes.len(), 2);
        assert_eq!(nodes[1].name, "A_2.0");
        assert_eq!(nodes[1].parent.as_deref(), Some("A_1.0"));
        assert!(nodes[1].names.contains("one") && nodes[1].names.contains("two"));
    }

    #[test]
    fn refused_nodes() {
        let nodes = parse("[A] refused: OpenACC\none\n[B : A]\n").unwrap();
        assert_eq!(nodes[0].refused.as_deref(), Some("OpenACC"));
        assert_eq!(nodes[1].refused, None);
        assert!(parse("[A] refsed\n").unwrap_err().contains("line 1"));
    }

    #[test]
    fn a_name_without_a_node_is_an_error() {
        assert!(parse("one\n").unwrap_err().contains("line 1"));
    }

    #[test]
    fn the_lists_themselves() {
        let nodes = all().unwrap();
        let has =
            |node: &str, name: &str| nodes.iter().any(|n| n.name == node && n.names.contains(name));
        assert!(has("GOMP_4.0", "GOMP_parallel"));
        assert!(has("OMP_1.0", "omp_set_lock") && has("OMP_3.0", "omp_set_lock"));
        assert!(has("VERSION", "__kmpc_fork_call") && has("VERSION", "omp_get_thread_num"));
        assert!(nodes.iter().any(|n| n.names.is_empty()), "a node for `local: *`");
        for node in &nodes {
            let known = |parent: &String| nodes.iter().any(|n| &n.name == parent);
            assert!(node.parent.as_ref().is_none_or(known), "the parent of {}", node.name);
        }
    }
}
