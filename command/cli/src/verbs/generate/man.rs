//! Man pages: clap's description of the command line, with examples, files and other pages to read.

use std::fs;
use std::io;
use std::path::Path;

use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

/// The parts of a page beyond the command line's own description.
struct More {
    verb: &'static str,
    /// A command, and its effect.
    examples: &'static [(&'static str, &'static str)],
    files: &'static [(&'static str, &'static str)],
    /// Pages of other verbs and programs.
    see_also: &'static [&'static str],
}

const PROFILE: (&str, &str) = (
    "omphalos-PROGRAM-PID.omph",
    "The profile, in the current directory, unless --output names another.",
);
const LIBRARY: (&str, &str) =
    ("PREFIX/lib/libomphalos.so", "The runtime; PREFIX is where bin/omphalos lies below.");
const AGENT: (&str, &str) =
    ("PREFIX/lib/omphalos/libomphalos_agent.so", "The agent that profiles a program.");
const NAMES: (&str, &str) =
    ("/usr/local/lib/omphalos-ldconfig", "Links to the names that --as chose.");
const CONFIGURATION: (&str, &str) =
    ("/etc/ld.so.conf.d/00-omphalos.conf", "Tells ldconfig of them.");
const DOCS: (&str, &str) = ("PREFIX/share/doc/omphalos", "What the words and figures mean.");

const PAGES: [More; 16] = [
    More {
        verb: "omphalos",
        examples: &[
            ("omphalos run ./app", "Runs a program on the Omphalos runtime."),
            ("omphalos profile ./app", "Runs it and says where its time went."),
            ("omphalos why 1234", "Says why a process hangs."),
            ("omphalos doctor ./app", "Says what of OpenMP the program uses."),
        ],
        files: &[LIBRARY, AGENT, DOCS],
        see_also: &[
            "omphalos-run", "omphalos-profile", "omphalos-attach", "omphalos-report",
            "omphalos-diff", "omphalos-scale", "omphalos-mcp", "omphalos-doctor", "omphalos-why",
            "omphalos-inspect", "omphalos-top", "omphalos-check", "omphalos-conform",
            "omphalos-install",
        ],
    },
    More {
        verb: "run",
        examples: &[
            ("omphalos run ./app input.dat", "Runs a program on Omphalos."),
            ("OMP_NUM_THREADS=4 omphalos run ./app", "With four threads in a team."),
            ("omphalos run --hang 60 ./app", "Says why, where a minute passes without progress."),
        ],
        files: &[LIBRARY],
        see_also: &["omphalos-profile", "omphalos-why", "ld.so"],
    },
    More {
        verb: "check",
        examples: &[
            ("omphalos check --mapping ./app", "Says what its target constructs map wrongly."),
            (
                "OMPHALOS_DEVICES=host:2 omphalos check --mapping ./app",
                "The same with two devices.",
            ),
        ],
        files: &[LIBRARY, DOCS],
        see_also: &["omphalos-run", "omphalos-doctor"],
    },
    More {
        verb: "profile",
        examples: &[
            ("omphalos profile ./app", "Runs a program and prints a report on standard error."),
            ("omphalos profile -o app.omph --no-report ./app", "Only records."),
            ("omphalos profile --flamegraph app.svg ./app", "Draws a flame graph as well."),
            (
                "omphalos profile --hz 200 --top 20 ./app",
                "Takes fewer samples and shows more rows.",
            ),
            (
                "omphalos profile --repeat 5 -o before ./app",
                "Runs it five times: median and spread, and what omphalos diff compares.",
            ),
            ("mpirun -n 4 omphalos profile ./app", "Writes a profile of each rank."),
        ],
        files: &[PROFILE, AGENT, DOCS],
        see_also: &["omphalos-report", "omphalos-diff", "omphalos-run", "perf"],
    },
    More {
        verb: "attach",
        examples: &[
            ("omphalos attach 1234", "Profiles a process for ten seconds, and reports."),
            ("omphalos attach --for 1m -o slow.omph 1234", "For a minute, into that file."),
            ("omphalos attach --html slow.html 1234", "Writes the report as a page as well."),
            ("omphalos attach --outside 1234", "Puts nothing into the process."),
        ],
        files: &[PROFILE, DOCS],
        see_also: &["omphalos-report", "omphalos-top", "omphalos-inspect", "perf"],
    },
    More {
        verb: "report",
        examples: &[
            ("omphalos report app.omph", "Shows a profile."),
            ("omphalos report app.omph*", "Shows all processes of a command, the costliest first."),
            ("omphalos report app.omph --firefox app.json", "For <https://profiler.firefox.com>."),
            ("omphalos report app.omph --json | jq .diagnosis", "For other programs."),
            ("omphalos report app.omph --folded | flamegraph.pl", "For FlameGraph and its like."),
        ],
        files: &[PROFILE, DOCS],
        see_also: &["omphalos-profile", "omphalos-diff"],
    },
    More {
        verb: "diff",
        examples: &[
            ("omphalos diff before.omph after.omph", "Says what a change of the program brought."),
            ("omphalos diff before after", "The same of runs that --repeat 5 recorded."),
            ("omphalos diff --fail-above 5% before after", "Fails if it is slower by more."),
            ("omphalos diff --markdown=comment.md before after", "For a pull request."),
            (
                "omphalos diff --flamegraph diff.svg before after",
                "Draws a differential flame graph.",
            ),
        ],
        files: &[PROFILE, DOCS],
        see_also: &["omphalos-profile", "omphalos-report"],
    },
    More {
        verb: "scale",
        examples: &[
            ("omphalos scale ./app", "Says what limits a program with more threads."),
            ("omphalos scale -t 1,2,4 --repeat 3 ./app", "Three runs with each number of threads."),
        ],
        files: &[PROFILE, DOCS],
        see_also: &["omphalos-profile", "omphalos-diff"],
    },
    More {
        verb: "mcp",
        examples: &[("omphalos mcp", "Answers a coding agent over the Model Context Protocol.")],
        files: &[DOCS],
        see_also: &["omphalos-report", "omphalos-diff", "omphalos-inspect"],
    },
    More {
        verb: "doctor",
        examples: &[
            ("omphalos doctor", "Looks at the installation and the machine."),
            ("omphalos doctor ./app", "Looks into a program too; it is not run."),
            (
                "OMP_PLACES=cores omphalos doctor --placement ./app",
                "Says where its threads would run, and what is wrong with that.",
            ),
        ],
        files: &[LIBRARY, AGENT],
        see_also: &["omphalos-run", "ldd"],
    },
    More {
        verb: "why",
        examples: &[
            ("omphalos why 1234", "Says why a process makes no progress."),
            ("omphalos why --core core.1234 ./app", "The same of a core file."),
            ("omphalos why --all", "Of every process of yours; one verdict for a job of MPI."),
        ],
        files: &[DOCS],
        see_also: &["omphalos-inspect", "omphalos-run", "gdb", "core"],
    },
    More {
        verb: "inspect",
        examples: &[
            ("omphalos inspect 1234", "Says what each thread of a process does and waits for."),
            ("omphalos inspect --core core.1234", "The same of a core file."),
        ],
        files: &[DOCS],
        see_also: &["omphalos-why", "omphalos-top", "omphalos-run", "gdb", "core"],
    },
    More {
        verb: "top",
        examples: &[
            ("omphalos top 1234", "Watches the threads of a process."),
            ("omphalos top ./app", "Runs a program and watches it."),
            ("omphalos top --job", "Watches the ranks of the job of MPI that is here."),
        ],
        files: &[LIBRARY, DOCS],
        see_also: &["omphalos-inspect", "omphalos-profile", "top"],
    },
    More {
        verb: "conform",
        examples: &[
            ("omphalos conform", "Holds Omphalos against what OMPT promises."),
            (
                "omphalos conform --runtime /usr/lib/llvm-19/lib barrier",
                "Another runtime, some rows.",
            ),
            ("omphalos conform --list", "Lists the rows."),
            (
                "omphalos conform --generation 2013",
                "Holds it against OMPT as it was before OpenMP 5.0.",
            ),
        ],
        files: &[LIBRARY],
        see_also: &["omphalos-doctor"],
    },
    More {
        verb: "install",
        examples: &[
            ("omphalos install --for-user", "Your programs, by lines in your shell's file."),
            ("omphalos install --for-venv", "The Python of the active environment."),
            ("sudo omphalos install --as libgomp", "All programs of the machine built by GCC."),
        ],
        files: &[NAMES, CONFIGURATION],
        see_also: &["omphalos-uninstall", "omphalos-doctor", "ld.so"],
    },
    More {
        verb: "uninstall",
        examples: &[
            ("omphalos uninstall --for-user", "Takes the lines back."),
            ("sudo omphalos uninstall --as all", "Takes all that the machine has."),
        ],
        files: &[NAMES, CONFIGURATION],
        see_also: &["omphalos-install", "omphalos-doctor"],
    },
];

/// Writes a page for the program and one for each verb.
pub(super) fn write(command: clap::Command, folder: &Path) -> io::Result<()> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    for verb in command.get_subcommands() {
        page(verb, folder)?;
    }
    page(&command, folder)
}

fn page(command: &clap::Command, folder: &Path) -> io::Result<()> {
    let man = Man::new(command.clone());
    let mut text = Vec::new();
    man.render(&mut text)?;
    if let Some(more) = PAGES.iter().find(|more| more.verb == command.get_name()) {
        sections(more).to_writer(&mut text)?;
    }
    fs::write(folder.join(man.get_filename()), text)
}

fn sections(more: &More) -> Roff {
    let mut roff = Roff::new();
    let mut list = |name: &str, of: &[(&str, &str)]| {
        roff.control("SH", [name]);
        for (what, says) in of {
            roff.control("TP", []).text([bold(*what)]).text([roman(*says)]);
        }
    };
    list("EXAMPLES", more.examples);
    list("FILES", more.files);
    roff.control("SH", ["SEE ALSO"]);
    let pages = more.see_also.iter().map(|page| {
        let section = match *page {
            "ld.so" => 8,
            "core" => 5,
            _ => 1,
        };
        format!("{page}({section})")
    });
    roff.text([roman(pages.collect::<Vec<_>>().join(", "))]);
    roff
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_verb_has_examples_that_parse() {
        let command = crate::Arguments::command();
        for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
            let more = PAGES.iter().find(|more| more.verb == verb.get_name());
            let more = more.unwrap_or_else(|| panic!("{} has no page", verb.get_name()));
            for (example, _) in more.examples {
                let typed = example.split(" | ").next().unwrap_or(example);
                let words = typed.split(' ').skip_while(|word| *word != "omphalos");
                let parsed = crate::Arguments::command().try_get_matches_from(words);
                assert!(parsed.is_ok(), "{example}: {:?}", parsed.err());
            }
        }
    }
}
