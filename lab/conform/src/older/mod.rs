//! Checks the interfaces before OpenMP 5.0 on any runtime: `omphalos conform --generation`.
//!
//! | module | what |
//! |---|---|
//! | `rows` | the promises, by document |
//! | `sources` | the rows' programs |
//! | `run` | compiling, running, judging |
//!
//! A row's program contains a tool of its generation, written from the document alone, and prints
//! itself which statements do not hold.

mod rows;
mod run;
mod sources;

pub use rows::{Row, rows};
pub use run::{Held, Setup, hold};

/// An interface that tools had before OpenMP 5.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generation {
    /// OMPT of April 2013.
    Ompt2013,
    /// OMPT of 2016, as in the technical report: objects have words.
    Ompt2016Data,
    /// OMPT of 2016, as in the chapter of the specification: objects have identifiers.
    Ompt2016Ids,
    /// The Collector API of 2007.
    Collector,
}

impl Generation {
    /// Returns its name.
    fn title(self) -> &'static str {
        match self {
            Generation::Ompt2013 => "OMPT of 2013",
            Generation::Ompt2016Data | Generation::Ompt2016Ids => "OMPT of 2016",
            Generation::Collector => "the Collector API of 2007",
        }
    }

    /// Returns the compiler flags of all its programs.
    fn flags(self) -> &'static [&'static str] {
        match self {
            Generation::Ompt2016Ids => &["-DOMPT_2016_IDS"],
            _ => &[],
        }
    }

    /// Returns a program that prints `here` when tool and runtime find each other.
    fn meeting(self) -> String {
        let tool = match self {
            Generation::Ompt2013 => {
                "#include <ompt-2013.h>\nint ompt_initialize(void) { puts(\"here\"); return 0; }"
            }
            Generation::Ompt2016Data | Generation::Ompt2016Ids => {
                "#include <ompt-2016.h>
ompt_initialize_fn_t *ompt_tool(void) { puts(\"here\"); return 0; }"
            }
            Generation::Collector => {
                "#include <dlfcn.h>\n__attribute__((constructor)) static void meet(void) {
 if (dlsym(RTLD_DEFAULT, \"__omp_collector_api\")) puts(\"here\"); }"
            }
        };
        format!(
            "#define _GNU_SOURCE\n#include <stdio.h>\n{tool}\nstatic volatile int sink;
int main(void) {{\n#pragma omp parallel\n sink = 1;\n return 0; }}"
        )
    }

    /// Returns the text about a runtime that does not meet its tool.
    fn apart(self) -> &'static str {
        match self {
            Generation::Ompt2013 => "it never called the tool's ompt_initialize",
            Generation::Ompt2016Data | Generation::Ompt2016Ids => {
                "it never called the tool's ompt_tool"
            }
            Generation::Collector => "it has no __omp_collector_api",
        }
    }
}
