//! A request that cannot work gets a helpful hint, before anything is run.

use std::fs;
use std::path::Path;

use omphalos_profile_format::{
    ByteStrings, ChunkWriter, PROCESS_CHUNK, Process, Record, RegionSiteTotal, ThreadBegin,
    ThreadTotal, file_header,
};

use crate::common::{bare, compile, finish, folder, hollow_tree, of_tree, stderr, stdout};

/// A small profile with this name for its agent.
fn profile(path: &Path, told: &str) {
    let mut bytes = file_header().to_vec();
    let mut memory = vec![0; 65536];
    let mut push = |record: Record<'_>| {
        let mut writer = ChunkWriter::new(&mut memory);
        writer.push(record).unwrap();
        bytes.extend_from_slice(writer.seal(PROCESS_CHUNK));
    };
    let variable = format!("OMPHALOS_PROFILE_OUT={told}");
    push(Record::Process(Process {
        pid: 42,
        start_time: 1_000,
        wall_clock: 0,
        period: 1_000_000,
        cpus: 2,
        executable: b"/nowhere/app",
        argv: ByteStrings::Slices(&[b"./app"]),
        cwd: b"/",
        runtime_version: b"a runtime",
        omp_version: 202111,
        host: b"host",
        environment: ByteStrings::Slices(&[variable.as_bytes()]),
    }));
    push(Record::ThreadBegin(ThreadBegin { thread: 0, os_tid: 42, thread_kind: 1, time: 1_000 }));
    let total = RegionSiteTotal { codeptr_ra: 0x1000, level: 1, ..RegionSiteTotal::default() };
    let total = RegionSiteTotal { instances: 1, elapsed: 1_000_000, ..total };
    push(Record::RegionSiteTotal(RegionSiteTotal { team_size_sum: 2, work: 2_000_000, ..total }));
    let (time, alive, work) = (1_001_000, 1_000_000, 1_000_000);
    push(Record::ThreadTotal(ThreadTotal { time, alive, work, ..ThreadTotal::default() }));
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_misspelled_option_is_no_program() {
    for (verb, word, says) in [
        ("profile", "--flamegrap", "did you mean --flamegraph?"),
        ("profile", "--repeats=3", "did you mean --repeat?"),
        ("run", "--hangs", "did you mean --hang?"),
        ("top", "--evry", "did you mean --every?"),
        ("profile", "-t", "`omphalos profile --help` lists them"),
    ] {
        let output = finish(bare().args([verb, word, "x", "./app"]));
        assert_eq!(output.status.code(), Some(125), "{verb} {word}");
        let name = word.split('=').next().unwrap();
        let said = format!("omphalos: {name} is no option of `omphalos {verb}`: {says}\n");
        assert_eq!(stderr(&output), said);
    }
    let output = finish(bare().args(["check", "--mapping", "--jsn", "x", "./app"]));
    assert!(stderr(&output).contains("did you mean --json?"), "{}", stderr(&output));
}

#[test]
fn a_file_behind_json_is_no_program() {
    let folder = folder();
    for option in ["--json", "--folded", "--digest"] {
        let output = finish(bare().args(["profile", option, "x.json", "./app"]));
        assert_eq!(output.status.code(), Some(127));
        let hint = format!("if {option} is to write that file, say {option}=x.json");
        assert!(stderr(&output).contains(&hint), "{}", stderr(&output));
        // Nor is it a profile, whether or not it was there before.
        let x = folder.path().join("x.omph");
        profile(&x, "x.omph");
        for out in ["absent.json", "there.json"] {
            let out = folder.path().join(out);
            if out.ends_with("there.json") {
                fs::write(&out, "{}").unwrap();
            }
            let output = finish(bare().args(["report", option]).arg(&out).arg(&x));
            assert_eq!((output.status.code(), &*stdout(&output)), (Some(125), ""));
            let hint = format!("say {option}={}", out.display());
            assert!(stderr(&output).contains(&hint), "{}", stderr(&output));
        }
    }
}

/// Tests that bad outputs of each kind are refused before the program runs.
#[test]
fn an_output_that_cannot_be_written_is_refused_before_the_program_runs() {
    let folder = folder();
    let tree = hollow_tree(folder.path());
    let app = folder.path().join("app");
    let body = "#include <stdio.h>\nint main(void) { puts(\"ran\"); return 0; }\n";
    compile("gcc", folder.path(), body, &[], &app);
    fs::write(folder.path().join("file"), "text").unwrap();
    for place in ["none/x", "file/x"] {
        let out = folder.path().join(place);
        for option in ["flamegraph", "firefox", "folded", "json", "digest", "output"] {
            let option = format!("--{option}={}", out.display());
            let output = finish(of_tree(&tree).args(["profile", &option]).arg(&app));
            assert_eq!(output.status.code(), Some(125), "{option}: {}", stderr(&output));
            assert_eq!(stdout(&output), "", "{option}");
            assert!(stderr(&output).contains("cannot write"), "{option}: {}", stderr(&output));
        }
        let output =
            finish(of_tree(&tree).args(["check", "--mapping", "--json"]).arg(&out).arg(&app));
        assert_eq!((output.status.code(), &*stdout(&output)), (Some(125), ""));
    }
}

#[test]
fn profiles_of_several_commands_are_not_added_up_silently() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let said = |files: [&str; 2]| {
        let output = finish(bare().arg("report").args(files.map(at)));
        assert!(output.status.success(), "{}", stderr(&output));
        stderr(&output).contains("not of one command")
    };
    profile(&at("a.omph"), "/work/a.omph");
    profile(&at("a.omph.77"), "/work/a.omph");
    profile(&at("b.omph"), "/work/b.omph");
    assert!(!said(["a.omph", "a.omph.77"]));
    assert!(said(["a.omph", "b.omph"]));
}
