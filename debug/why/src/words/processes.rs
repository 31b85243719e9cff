//! Names other processes that a wait leads to.

/// "Process 7 ('sort') and this process", if the wait in a system call is part of a circle of
/// processes. `what`: the object of the call.
pub fn circle_of_processes(what: &str) -> Option<String> {
    what.contains(": a circle").then_some(())?;
    let mut names: Vec<String> = Vec::new();
    for rest in what.split("process ").skip(1) {
        let end = rest.find("')").map_or(rest.len(), |at| at + 2);
        let name = rest.get(..end).filter(|name| name.starts_with(|c: char| c.is_ascii_digit()));
        let name = name.map(|name| format!("process {name}"));
        names.extend(name.filter(|name| !names.contains(name)));
    }
    let all = names.join(", ");
    let first = all.strip_prefix('p')?;
    Some(format!("P{first} and this process"))
}
