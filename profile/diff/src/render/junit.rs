//! JUnit's XML for CI systems: one case for the elapsed time.

use omphalos_report::escape;

use crate::Comparison;
use crate::comparison::Verdict;

/// Returns the comparison as a test that fails where the elapsed time grew by more than
/// `slower_by`, and that is skipped where there is no verdict.
pub fn render(comparison: &Comparison, slower_by: f64) -> String {
    let sentence = escape(&comparison.sentence);
    let fails = comparison.is_slower_by(slower_by);
    let is_skipped = comparison.verdict == Verdict::Inconclusive;
    let result = match (is_skipped, fails) {
        (true, _) => format!("\n      <skipped message=\"{sentence}\"/>"),
        (_, true) => format!("\n      <failure message=\"{sentence}\" type=\"slower\"/>"),
        _ => String::new(),
    };
    let name = escape(&comparison.after.first().program.command.join(" "));
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites>\n  \
         <testsuite name=\"omphalos diff\" tests=\"1\" failures=\"{}\" errors=\"0\" \
         skipped=\"{}\">\n    \
         <testcase classname=\"elapsed\" name=\"{name}\" time=\"{:.6}\">{result}\n      \
         <system-out>{sentence}</system-out>\n    \
         </testcase>\n  </testsuite>\n</testsuites>\n",
        u32::from(fails),
        u32::from(is_skipped),
        comparison.elapsed.after() / 1e9,
    )
}
