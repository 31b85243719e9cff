//! GCC's tests of libgomp (`libgomp/testsuite`): DejaGnu directives in comments say how to compile,
//! run and judge a file. OpenACC's folders are left out.

use std::path::{Path, PathBuf};

use super::case::{Case, Expect};
use super::llvm::{collect, name, text};
use super::options::Options;

/// A folder of the suite, the endings of its tests, and the compiler's language.
const FOLDERS: [(&str, &[&str], Language); 5] = [
    ("libgomp.c", &["c"], Language::C),
    ("libgomp.c-c++-common", &["c"], Language::C),
    ("libgomp.c++", &["C"], Language::Cxx),
    ("libgomp.c-c++-common", &["c"], Language::Cxx),
    ("libgomp.fortran", &["f", "f90", "f95", "f03", "f08", "F90"], Language::Fortran),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    C,
    Cxx,
    Fortran,
}

/// Reads the tests of the checkout.
pub fn cases(options: &Options) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for (folder, endings, language) in FOLDERS {
        let mut files = Vec::new();
        collect(&options.from.join(folder), endings, &mut files)?;
        for file in files {
            cases.push(case(&file, language, options)?);
        }
    }
    Ok(cases)
}

fn case(file: &Path, language: Language, options: &Options) -> Result<Case, String> {
    let text = text(file)?;
    let mut name = name(file, options);
    if language == Language::Cxx && name.ends_with(".c") {
        name.push_str(" as C++");
    }
    let mut case = Case::new(name, String::new(), "$LIMIT ./program".into());
    let mut plain = "-O2".to_string();
    let mut added = String::new();
    let mut sources = vec![file.to_path_buf()];
    for (word, arguments) in directives(&text) {
        let first = arguments.first().map(String::as_str).unwrap_or_default();
        match word.as_str() {
            "dg-do" if first != "run" => case.skip = Some(format!("dg-do {first}")),
            "dg-do" if device_wanted(&arguments) => {
                case.skip = Some(format!("dg-do run {{{}}}", arguments[1]));
            }
            "dg-options" if meant(&arguments, language) => plain = first.into(),
            "dg-additional-options" if meant(&arguments, language) => {
                added.push_str(&format!(" {first}"));
            }
            "dg-set-target-env-var" => {
                let value = arguments.get(1).cloned().unwrap_or_default();
                case.env.push((first.into(), value));
            }
            "dg-additional-sources" => {
                let folder = file.parent().unwrap_or(file);
                sources.extend(first.split_whitespace().map(|s| folder.join(s)));
            }
            "dg-shouldfail" => case.expect = Expect::Failure,
            "dg-output" => case.output.push(first.into()),
            "dg-require-effective-target" => {
                if let Some(why) = lacking(first) {
                    case.skip = Some(why);
                }
            }
            "dg-skip-if" if arguments.get(1).is_some_and(|s| s.trim() == "*-*-*") => {
                case.skip = Some("dg-skip-if *-*-*".into());
            }
            "dg-error" => case.skip = Some("a compiler's error is wanted".into()),
            _ => {}
        }
    }
    // A pattern may extend over several directives.
    if case.output.len() > 1 {
        case.output = vec![case.output.concat()];
    }
    if options.unsupported && case.skip.as_deref().is_some_and(|s| !s.starts_with("dg-do")) {
        case.skip = None;
    }
    case.build = build(&sources, language, &format!("{plain} {added}"), options);
    Ok(case)
}

fn build(sources: &[PathBuf], language: Language, flags: &str, options: &Options) -> String {
    let compiler = match language {
        Language::C => &options.tools.c,
        Language::Cxx => &options.tools.cxx,
        Language::Fortran => &options.tools.fortran,
    };
    let forced = if language == Language::Cxx { "-x c++" } else { "" };
    let sources: Vec<String> = sources.iter().map(|s| s.display().to_string()).collect();
    let above = options.from.parent().unwrap_or(&options.from).display();
    format!(
        "$BUILD_LIMIT {compiler} -fopenmp {flags} {} -I{above} -I{above}/../include $RUNTIME \
         {forced} {} -x none -o program -lm",
        options.flags,
        sources.join(" ")
    )
}

/// Whether a directive's selector (`{ target … }`) includes this machine or this language.
fn meant(arguments: &[String], language: Language) -> bool {
    let Some(selector) = arguments.get(1) else { return true };
    let Some(target) = selector.trim().strip_prefix("target") else { return true };
    let words: Vec<&str> = target.split_whitespace().collect();
    let here = ["c", "c++"].map(|l| (l == "c") == (language == Language::C));
    words.iter().any(|word| match *word {
        "c" => here[0],
        "c++" => here[1],
        // Regions run on the host, and so share the host's memory.
        "offload_device_shared_as" => true,
        "*-*-*" | "*-*-linux*" | "*-*-*gnu*" | "x86_64-*-*" | "tls_runtime" | "lp64" => true,
        word => word.contains("x86") || word.contains("linux"),
    })
}

/// Whether a directive is only for devices with code or memory of their own: here regions run on
/// the host.
fn device_wanted(arguments: &[String]) -> bool {
    let word =
        |word: &str| word.starts_with("offload_target_") || word == "offload_device_nonshared_as";
    arguments.get(1).is_some_and(|selector| selector.split_whitespace().any(word))
}

/// Returns the requirement that this machine does not meet, if there is one.
fn lacking(target: &str) -> Option<String> {
    let instructions = ["avx512", "avx2", "avx", "sse4", "sse2"];
    let lacks = if target.contains("offload") || target.contains("omp_usm") {
        true
    } else if let Some(set) = instructions.iter().find(|set| target.starts_with(*set)) {
        let have = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        !have.contains(set)
    } else {
        false
    };
    lacks.then(|| format!("needs {target}"))
}

/// Reads the directives of a file: the word, and its arguments without their quotes or braces.
fn directives(text: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for line in text.lines() {
        let Some((_, rest)) = line.split_once("{ dg-").or_else(|| line.split_once("{dg-")) else {
            continue;
        };
        let word: String = rest.chars().take_while(|c| !c.is_whitespace()).collect();
        let arguments = arguments(&rest[word.len()..]);
        found.push((format!("dg-{word}"), arguments));
    }
    found
}

/// Splits Tcl's words, up to the brace that closes the directive.
fn arguments(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '}' => break,
            '"' => {
                let mut word = String::new();
                while let Some(c) = chars.next() {
                    match c {
                        '"' => break,
                        '\\' => match chars.next() {
                            Some('n') => word.push('\n'),
                            Some('t') => word.push('\t'),
                            Some(other) => word.push(other),
                            None => break,
                        },
                        other => word.push(other),
                    }
                }
                words.push(word);
            }
            '{' => {
                let (mut word, mut depth) = (String::new(), 1);
                for c in chars.by_ref() {
                    match c {
                        '{' => depth += 1,
                        '}' => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        break;
                    }
                    word.push(c);
                }
                words.push(word.trim().to_string());
            }
            c if c.is_whitespace() => {}
            c => {
                let mut word = String::from(c);
                while chars.peek().is_some_and(|c| !c.is_whitespace() && *c != '}') {
                    word.extend(chars.next());
                }
                words.push(word);
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_read_as_tcl_does() {
        let text = "/* { dg-do run { target { *-*-* } } } */\n! { dg-output \"a\\\\.b\\n\" }\n\
                    { dg-set-target-env-var OMP_PLACES \"{0},{1}\" }";
        let read = directives(text);
        assert_eq!(read[0], ("dg-do".into(), vec!["run".into(), "target { *-*-* }".into()]));
        assert_eq!(read[1], ("dg-output".into(), vec!["a\\.b\n".into()]));
        assert_eq!(read[2].1, ["OMP_PLACES", "{0},{1}"]);
    }
}
