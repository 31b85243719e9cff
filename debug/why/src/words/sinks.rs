//! Describes a wait for another iteration's source.

/// "waits for the depend(source) of iteration (8), counted from 0, which comes after its own".
pub fn waiting(iteration: &[i64], own: Option<u64>, never: Option<&str>) -> String {
    let numbers: Vec<String> = iteration.iter().map(i64::to_string).collect();
    if numbers.is_empty() {
        return "waits for the depend(source) of an iteration".to_owned();
    }
    let why = match (never, own) {
        (Some("later"), Some(own)) if numbers.len() == 1 => {
            format!(", which comes after its own, ({own}), in the loop's order")
        }
        (Some("later"), Some(own)) => {
            format!(", which comes after its own, {own} of the outermost loop, in the loops' order")
        }
        (Some("later"), None) => ", which comes after its own in the loop's order".to_owned(),
        (Some("own"), _) => ", which it executes itself".to_owned(),
        _ => String::new(),
    };
    format!(
        "waits for the depend(source) of iteration ({}), counted from 0{why}",
        numbers.join(", ")
    )
}
