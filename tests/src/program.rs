//! A test program: a source file whose opening comment says how to run it.
//!
//! Lines of the comment that start with one of these words are directives; the rest is for people:
//! - `@env: NAME=VALUE …`: variables that its environment gets too;
//! - `@threads: 2 4`: its team sizes (`OMP_NUM_THREADS`), default 1 2 4 16;
//! - `@compilers: gcc — why`: only these compilers can build it (`clang` means all its versions,
//!   `clang-22` that one);
//! - `@distrust: clang — why`: this compiler's own runtime is known to fail here, so the program
//!   does not run on it;
//! - `@flags: -latomic — why`: more flags.
//!
//! The program must exit with 0 and write the text of `NAME.out` beside it or, where there is no
//! such file, a last line `ok`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::compiler::Compiler;

/// One source file and its directives.
#[derive(Clone, Debug)]
pub struct Program {
    /// The source file.
    pub source: PathBuf,
    /// The file's name without its ending.
    pub name: String,
    /// Variables of its environment.
    pub env: Vec<(String, String)>,
    /// The team sizes, one run each.
    pub threads: Vec<u32>,
    /// The compilers that can build it.
    pub compilers: Vec<Compiler>,
    /// Those of them on whose own runtime the program does not run.
    pub distrusted: Vec<Compiler>,
    /// More flags for each compiler.
    pub flags: Vec<String>,
    /// The whole output that it must write; `None`: a last line `ok`.
    pub expected: Option<String>,
}

impl Program {
    /// Reads a source file's directives; an unknown one is an error of the test.
    pub fn read(source: &Path) -> Result<Program, String> {
        let at = |what: String| format!("{}: {what}", source.display());
        let text = fs::read_to_string(source).map_err(|e| at(e.to_string()))?;
        let mut program = Program {
            source: source.into(),
            name: source.file_stem().map(|s| s.to_string_lossy().into()).unwrap_or_default(),
            env: Vec::new(),
            threads: vec![1, 2, 4, 16],
            compilers: Compiler::matrix(source),
            distrusted: Vec::new(),
            flags: Vec::new(),
            expected: fs::read_to_string(source.with_extension("out")).ok(),
        };
        for line in text.lines().take(30) {
            let line = line.trim_start_matches(['/', '*', '!', ' ']).trim_end_matches("*/");
            let Some((word, value)) = line.strip_prefix('@').and_then(|l| l.split_once(':')) else {
                continue;
            };
            let words = value.split_whitespace();
            match word {
                "env" => {
                    for pair in words {
                        let (name, value) =
                            pair.split_once('=').ok_or_else(|| at(format!("@env: {pair}")))?;
                        program.env.push((name.into(), value.into()));
                    }
                }
                "threads" => {
                    program.threads = words
                        .map(|w| w.parse().map_err(|_| at(format!("@threads: {w}"))))
                        .collect::<Result<_, _>>()?;
                }
                "compilers" => {
                    let named: Vec<&str> = words.take_while(|w| *w != "—").collect();
                    program.compilers.retain(|c| meant(&named, *c));
                    if !Compiler::in_all_versions(source).iter().any(|c| meant(&named, *c)) {
                        return Err(at(format!("@compilers:{value}: names none of this language")));
                    }
                }
                "distrust" => {
                    let named: Vec<&str> = words.take_while(|w| *w != "—").collect();
                    let all = program.compilers.iter().copied();
                    program.distrusted.extend(all.filter(|c| meant(&named, *c)));
                }
                "flags" => {
                    program.flags.extend(words.take_while(|w| *w != "—").map(String::from));
                }
                _ => return Err(at(format!("@{word}: unknown directive"))),
            }
        }
        Ok(program)
    }

    /// Reads the programs of a folder whose names are wanted, by name.
    pub fn read_folder(
        folder: &Path,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<Program>, String> {
        let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut sources: Vec<PathBuf> = entries
            .filter_map(|e| e.ok().map(|e| e.path()))
            .filter(|p| !Compiler::of_source(p).is_empty())
            .filter(|p| p.file_stem().is_some_and(|stem| wanted(&stem.to_string_lossy())))
            .collect();
        sources.sort();
        sources.iter().map(|s| Program::read(s)).collect()
    }

    /// Compiles the program, or takes it from the cache.
    pub fn compile(&self, compiler: Compiler) -> Result<PathBuf, String> {
        let folder = self.source.parent().unwrap_or(Path::new("."));
        let include = format!("-I{}", folder.parent().unwrap_or(folder).display());
        let more = std::env::var("OMPHALOS_TEST_FLAGS").unwrap_or_default();
        let mut flags: Vec<&str> = self.flags.iter().map(String::as_str).collect();
        flags.push(&include);
        flags.extend(more.split_whitespace());
        compiler.compile(&self.source, &flags)
    }
}

/// Whether a directive's words include this compiler, by its family or by this version.
fn meant(named: &[&str], compiler: Compiler) -> bool {
    named.contains(&compiler.name()) || named.contains(&compiler.family())
}
