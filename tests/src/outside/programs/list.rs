//! The programs that are timed: how each is built, and what it prints of its result.

use std::path::{Path, PathBuf};

use super::super::options::Options;
use crate::paths;

/// One row.
pub struct Program {
    pub name: String,
    /// Whether it is a program of tasks.
    pub tasks: bool,
    /// A script that leaves `program` in the folder where it runs.
    pub build: String,
    pub run: String,
    /// The text before the result in a line of the output.
    pub result: &'static str,
    /// The text before the seconds of its parallel part, in the line that each run prints. Without
    /// it the time from start to end counts.
    pub seconds: Option<&'static str>,
}

/// The programs of `omp-tasks`: the folder, whether with the manual cut-off, the arguments, and the
/// number of runs for a figure. The sizes make a figure last between 0.3 and 3 seconds on two
/// processors.
const BOTS: &[(&str, bool, &str, u32)] = &[
    ("fib", false, "-n 33", 1),
    ("fib", true, "-n 45 -x 16", 1),
    ("nqueens", false, "-n 12", 1),
    ("nqueens", true, "-n 12 -x 4", 2),
    ("health", false, "-f INPUTS/health/test.input", 40),
    ("health", true, "-f INPUTS/health/small.input -x 3", 2),
    ("knapsack", false, "-f INPUTS/knapsack/knapsack-040.input", 4),
    ("knapsack", true, "-f INPUTS/knapsack/knapsack-040.input -x 24", 4),
    ("uts", false, "-f INPUTS/uts/test.input", 1),
    ("floorplan", false, "-f INPUTS/floorplan/input.15", 1),
    ("floorplan", true, "-f INPUTS/floorplan/input.15 -x 5", 1),
    ("sort", false, "-n 8388608", 1),
    ("fft", false, "-n 8388608", 1),
    ("strassen", true, "-n 2048 -x 3", 1),
    ("sparselu/sparselu_single", false, "-n 60 -m 50", 1),
    ("sparselu/sparselu_for", false, "-n 60 -m 50", 1),
    ("alignment/alignment_single", false, "-f INPUTS/alignment/prot.20.aa", 2),
    ("alignment/alignment_for", false, "-f INPUTS/alignment/prot.20.aa", 2),
];

/// NAS programs: name, class, and the number of runs for a figure, since some end in a few
/// milliseconds.
const NAS: &[(&str, &str, u32)] = &[
    ("BT", "S", 10),
    ("BT", "W", 1),
    ("CG", "S", 20),
    ("CG", "W", 6),
    ("EP", "S", 2),
    ("EP", "W", 1),
    ("FT", "S", 8),
    ("FT", "W", 4),
    ("IS", "S", 40),
    ("IS", "W", 6),
    ("LU", "S", 20),
    ("LU", "W", 1),
    ("MG", "S", 40),
    ("MG", "W", 6),
    ("SP", "S", 20),
    ("SP", "W", 1),
];

/// Returns the programs whose sources are in `--from` or one of its folders, and our own.
pub fn programs(options: &Options) -> Result<Vec<Program>, String> {
    let mut all = Vec::new();
    if let Some(root) = find(&options.from, "omp-tasks/fib/fib.c")? {
        all.extend(BOTS.iter().map(|row| bots(&root, row, options)));
    }
    if let Some(root) = find(&options.from, "sys/setparams.c")? {
        all.extend(NAS.iter().map(|row| nas(&root, row, options)));
    }
    if let Some(root) = find(&options.from, "lulesh.cc")? {
        all.push(lulesh(&root, options));
    }
    all.push(cholesky(options));
    Ok(all)
}

/// Finds the folder that has `marker`: `from` or one in it.
fn find(from: &Path, marker: &str) -> Result<Option<PathBuf>, String> {
    let entries = std::fs::read_dir(from).map_err(|e| format!("{}: {e}", from.display()))?;
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.push(from.to_path_buf());
    folders.sort();
    Ok(folders.into_iter().find(|folder| folder.join(marker).exists()))
}

fn bots(
    root: &Path,
    (folder, cut, arguments, times): &(&str, bool, &str, u32),
    options: &Options,
) -> Program {
    let (root, c) = (root.display(), &options.tools.c);
    let short = folder.rsplit('/').next().unwrap_or(folder);
    // A check compares with a serial run: knapsack's searches practically without end, and fib's
    // takes far longer than the parallel one.
    let (check, result) = match *folder {
        "fib" => ("", "Fibonacci result for"),
        "knapsack" => ("", "Best value for parallel execution is"),
        _ => ("-c", "Verification        ="),
    };
    let define = if *cut { "-DMANUAL_CUTOFF" } else { "" };
    Program {
        name: format!("bots/{short}{}", if *cut { "-manual" } else { "" }),
        tasks: true,
        // Clang accepts no array of variable length in a task; the fixed one of floorplan has one
        // place more than its input has cells.
        build: format!(
            "mkdir source; cp {root}/omp-tasks/{folder}/*.c source
             sed -i 's/struct cell cells\\[N+1\\]/struct cell cells[33]/' source/*.c
             {c} -O2 -fopenmp -w -fcommon -std=gnu89 {define} {} -I{root}/common \
             -I{root}/omp-tasks/{folder} {root}/common/bots_main.c {root}/common/bots_common.c \
             source/*.c -lm -o program; rm -r source",
            options.flags
        ),
        run: format!(
            "for i in $(seq {times}); do ./program {} {check}; done",
            arguments.replace("INPUTS", &format!("{root}/inputs"))
        ),
        result,
        seconds: Some("Time Program        ="),
    }
}

fn nas(root: &Path, (name, class, times): &(&str, &str, u32), options: &Options) -> Program {
    let (lower, c) = (name.to_lowercase(), &options.tools.c);
    let flags = format!("-O2 -fopenmp -w -fcommon -mcmodel=medium -std=gnu89 {}", options.flags);
    let build = format!(
        "rm -rf source; cp -r {root} source; cd source; mkdir -p bin
         printf '%s\\n' 'CC = {c}' 'CLINK = {c}' 'C_LIB = -lm' 'C_INC = -I../common' \\
             'CFLAGS = {flags}' 'CLINKFLAGS = -fopenmp -mcmodel=medium' 'UCC = cc -O -w -fcommon' \\
             'BINDIR = ../bin' 'RAND = randdp' 'WTIME = wtime.c' > config/make.def
         make {name} CLASS={class}; mv bin/{lower}.{class} ../program; cd ..; rm -rf source",
        root = root.display()
    );
    Program {
        name: format!("nas/{lower}.{class}"),
        tasks: false,
        build,
        // Their `main` returns no defined status; a status from 128 up means that a signal ended
        // the program.
        run: format!("for i in $(seq {times}); do ./program || [ $? -lt 128 ]; done"),
        result: "Verification    =",
        seconds: None,
    }
}

fn lulesh(root: &Path, options: &Options) -> Program {
    Program {
        name: "lulesh".into(),
        tasks: false,
        build: format!(
            "{} -O3 -fopenmp -w -DUSE_MPI=0 {} {}/*.cc -o program",
            options.tools.cxx,
            options.flags,
            root.display()
        ),
        run: "./program -s 20 -i 200".into(),
        result: "Final Origin Energy =",
        seconds: None,
    }
}

fn cholesky(options: &Options) -> Program {
    Program {
        name: "cholesky".into(),
        tasks: true,
        build: format!(
            "{} -O3 -fopenmp {} {} -lm -o program",
            options.tools.c,
            options.flags,
            paths::repository().join("bench/cholesky.c").display()
        ),
        run: "./program 3072 32".into(),
        result: "last =",
        seconds: None,
    }
}
