//! Man pages and completions, as packages have them.

use std::fs;
use std::process::Command;

use crate::common::{bare, finish};

fn generated(what: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let output = finish(bare().args(["generate", what]).arg(folder.path()));
    assert!(output.status.success(), "{output:?}");
    folder
}

#[test]
fn each_page_has_examples_and_other_pages_to_read() {
    let folder = generated("man");
    let pages: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(pages.len(), 16);
    for page in pages {
        let path = page.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        for section in [".SH EXAMPLES", ".SH FILES", ".SH \"SEE ALSO\""] {
            assert!(text.contains(section), "{}: {section}", path.display());
        }
    }
    let profile = fs::read_to_string(folder.path().join("omphalos-profile.1")).unwrap();
    assert!(profile.contains("Possible values"));
}

/// Returns bash's offers for a command line whose last word is to be completed.
fn offered(script: &std::path::Path, words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let (word, before) = words.split_last().unwrap();
    let asked = format!(
        "source '{}'; COMP_WORDS=({}); COMP_CWORD={}; _omphalos omphalos '{word}' '{}'; \
         echo \"${{COMPREPLY[*]}}\"",
        script.display(),
        quoted.join(" "),
        before.len(),
        before.last().unwrap(),
    );
    let output = finish(Command::new("bash").args(["--norc", "-c", &asked]));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Where bash's function offers nothing, `-o default` makes it offer files.
#[test]
fn completions_offer_files_where_files_are_wanted() {
    let folder = generated("bash");
    let script = folder.path().join("omphalos");
    assert!(fs::read_to_string(&script).unwrap().contains("-o bashdefault -o default omphalos"));
    assert_eq!(offered(&script, &["omphalos", "rep"]), "report");
    for verb in ["report", "profile", "run", "doctor"] {
        assert_eq!(offered(&script, &["omphalos", verb, ""]), "", "{verb}");
        assert!(offered(&script, &["omphalos", verb, "--he"]).contains("--help"), "{verb}");
    }
    assert_eq!(offered(&script, &["omphalos", "profile", "--runtime", ""]), "omphalos system");
    let folder = generated("zsh");
    let zsh = fs::read_to_string(folder.path().join("_omphalos")).unwrap();
    assert!(zsh.contains(":FILE:_files") && zsh.contains(":_cmdambivalent"), "{zsh}");
    let folder = generated("fish");
    let fish = fs::read_to_string(folder.path().join("omphalos.fish")).unwrap();
    let output = fish.lines().find(|line| line.contains("subcommand profile\" -s o -l output"));
    assert!(output.is_some_and(|line| line.ends_with("-r -F")), "{fish}");
}

/// Verbs that the help hides are not meant to be typed.
#[test]
fn completions_offer_no_hidden_verb() {
    for shell in ["bash", "zsh", "fish"] {
        let folder = generated(shell);
        let script = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        let script = fs::read_to_string(script).unwrap();
        for verb in ["ask-ompd", "generate", "compare-ompd"] {
            assert!(!script.contains(verb), "{shell} offers {verb}: {script}");
        }
        let all = ["inspect", "version"].iter().all(|word| script.contains(word));
        assert!(all, "{shell}: {script}");
    }
}
