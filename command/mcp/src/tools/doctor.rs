//! The tool `doctor`: answers as `omphalos doctor`, with facts about the machine and a program.

use serde_json::{Value, json};

use super::Tool;
use crate::Host;
use crate::arguments::Arguments;

pub const TOOL: Tool = Tool {
    name: "doctor",
    description: "The installation, the machine (processors, limits) and, of a program, which \
        OpenMP runtime it uses and whether it can be profiled. The program is not run.",
    arguments: &[("program", "string", "A program, script or library to look into", false)],
    answer,
};

fn answer(host: &dyn Host, arguments: &Arguments<'_>) -> Result<Value, String> {
    let (lines, problems) = host.doctor(arguments.text("program")?)?;
    Ok(json!({ "problems": problems, "found": lines }))
}
