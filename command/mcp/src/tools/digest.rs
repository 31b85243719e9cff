//! Answers the first question: the findings of a run, their places, and the advice.

use omphalos_report::digest;
use serde_json::Value;

use super::{PROFILE, Tool, analysis};
use crate::Host;
use crate::arguments::Arguments;

pub const TOOL: Tool = Tool {
    name: "digest",
    description: "Why an OpenMP program is slow, from its profile: findings with source line, what \
        to do and what that saves at most; regions, hot lines, locks, tasks; what was ruled out. \
        Ask this first.",
    arguments: &[PROFILE],
    answer,
};

fn answer(host: &dyn Host, arguments: &Arguments<'_>) -> Result<Value, String> {
    let analysis = analysis(host, arguments)?;
    Ok(digest::to_value(&[&analysis]))
}
