//! No file is lost, no full disk makes omphalos panic, and no foreign text steers the terminal.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use omphalos_profile_format::{
    ByteStrings, ChunkWriter, PROCESS_CHUNK, Process, Record, RegionSiteTotal, ThreadBegin,
    ThreadTotal, file_header,
};

use crate::common::{bare, compile, finish, folder, installed_tree, of_tree, stderr, stdout};

/// A small profile of a program whose name, arguments and host hold escape sequences.
fn profile(path: &Path) {
    let mut bytes = file_header().to_vec();
    let mut memory = vec![0; 65536];
    let mut push = |record: Record<'_>| {
        let mut writer = ChunkWriter::new(&mut memory);
        writer.push(record).unwrap();
        bytes.extend_from_slice(writer.seal(PROCESS_CHUNK));
    };
    let argv: &[&[u8]] = &[b"./app\x1b[31m", b"\xc2\x9b2J\x07"];
    push(Record::Process(Process {
        pid: 42,
        start_time: 1_000,
        wall_clock: 0,
        period: 1_000_000,
        cpus: 2,
        executable: b"/nowhere/app\x1b[31m",
        argv: ByteStrings::Slices(argv),
        cwd: b"/",
        runtime_version: b"a runtime\x1b]0;title\x07",
        omp_version: 202111,
        host: b"host",
        environment: ByteStrings::default(),
    }));
    push(Record::ThreadBegin(ThreadBegin { thread: 0, os_tid: 42, thread_kind: 1, time: 1_000 }));
    push(Record::RegionSiteTotal(RegionSiteTotal {
        codeptr_ra: 0x1000,
        level: 1,
        instances: 1,
        elapsed: 1_000_000,
        team_size_sum: 2,
        work: 2_000_000,
        ..RegionSiteTotal::default()
    }));
    push(Record::ThreadTotal(ThreadTotal {
        time: 1_001_000,
        alive: 1_000_000,
        work: 1_000_000,
        samples: 1,
        ..ThreadTotal::default()
    }));
    fs::write(path, bytes).unwrap();
}

#[test]
fn an_export_never_takes_the_place_of_another_kind_of_file() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    profile(&at("x.omph"));
    profile(&at("other.omph"));
    fs::write(at("app.c"), "int main(void) { return 0; }\n").unwrap();
    std::os::unix::fs::symlink(at("x.omph"), at("link")).unwrap();
    let before = |name: &str| fs::read(at(name)).unwrap();
    for option in ["--flamegraph=", "--json=", "--firefox=", "--folded="] {
        for victim in ["x.omph", "other.omph", "app.c", "link"] {
            let kept = before(victim);
            let argument = format!("{option}{}", at(victim).display());
            let output = finish(bare().arg("report").arg(at("x.omph")).arg(&argument));
            assert_eq!(output.status.code(), Some(125), "{argument}");
            assert!(stderr(&output).contains(victim), "{argument}: {}", stderr(&output));
            assert_eq!(before(victim), kept, "{argument}");
        }
    }
    // One export does not take the place of another either.
    let both = ["--json", "--firefox"].map(|option| format!("{option}={}", at("one").display()));
    let output = finish(bare().arg("report").arg(at("x.omph")).args(both));
    assert_eq!(output.status.code(), Some(125));
    assert!(!at("one").exists());
}

#[test]
fn an_earlier_export_is_replaced_and_that_is_said() {
    let folder = folder();
    let (x, out) = (folder.path().join("x.omph"), folder.path().join("out"));
    profile(&x);
    for option in ["--flamegraph=", "--json=", "--firefox=", "--folded="] {
        let argument = format!("{option}{}", out.display());
        let write = || finish(bare().arg("report").arg(&x).arg(&argument));
        assert!(!stderr(&write()).contains("earlier"), "{argument}");
        let first = fs::read(&out).unwrap();
        let again = write();
        assert!(again.status.success(), "{argument}: {}", stderr(&again));
        // A report without samples has no folded stacks.
        let replaced = !first.is_empty();
        assert_eq!(stderr(&again).contains("in the place of an earlier one"), replaced);
        assert_eq!(fs::read(&out).unwrap(), first);
        fs::remove_file(&out).unwrap();
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "something was left behind");
}

#[test]
fn what_has_no_end_is_no_profile() {
    for device in ["/dev/zero", "/dev/urandom"] {
        let output = finish(bare().args(["report", device]));
        assert_eq!(output.status.code(), Some(125));
        assert!(stderr(&output).contains("is not a profile"), "{}", stderr(&output));
    }
}

#[test]
fn a_profile_comes_through_a_pipe() {
    let folder = folder();
    let path = folder.path().join("x.omph");
    profile(&path);
    let mut cat = Command::new("cat").arg(&path).stdout(Stdio::piped()).spawn().unwrap();
    let output = finish(bare().args(["report", "/dev/stdin"]).stdin(cat.stdout.take().unwrap()));
    assert!(output.status.success() && cat.wait().unwrap().success(), "{}", stderr(&output));
}

fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").unwrap()
}

#[test]
fn a_full_disk_is_an_error_and_no_panic() {
    let folder = folder();
    let path = folder.path().join("x.omph");
    profile(&path);
    let x = path.to_str().unwrap();
    for arguments in [
        &["report", x][..],
        &["report", "--json", x],
        &["--help"],
        &["--version"],
        &["conform", "--list"],
    ] {
        let output = finish(bare().args(arguments).stdout(full()));
        assert_eq!(output.status.code(), Some(125), "{arguments:?}");
        assert!(stderr(&output).contains("cannot write on standard output"), "{arguments:?}");
        let status = bare().args(arguments).stdout(full()).stderr(full()).status().unwrap();
        assert_eq!(status.code(), Some(125), "{arguments:?}");
    }
    // Nor does a closed one count as one that takes everything.
    let close = r#"exec "$@" >&-"#;
    let program = bare().get_program().to_owned();
    let closed =
        finish(Command::new("sh").args(["-c", close, "sh"]).arg(program).args(["report", x]));
    assert_eq!(closed.status.code(), Some(125));
    assert!(stderr(&closed).contains("standard output: it is closed"), "{}", stderr(&closed));
    for arguments in [&["report", "/no/such"][..], &["profile"], &["nonsense"], &["run", "nothing"]]
    {
        let status = bare().args(arguments).stderr(full()).status().unwrap();
        assert!(matches!(status.code(), Some(125 | 127)), "{arguments:?}: {status}");
    }
}

#[test]
fn escape_sequences_are_shown_and_not_sent() {
    let folder = folder();
    let path = folder.path().join("x\x1b[31m.omph");
    profile(&path);
    for form in [&[][..], &["--json"], &["--folded"], &["--firefox=-"], &["--flamegraph=-"]] {
        let output = finish(bare().arg("report").arg(&path).args(form));
        assert!(output.status.success(), "{form:?}: {}", stderr(&output));
        let shown = stdout(&output);
        let steers = |c: char| c.is_control() && c != '\n';
        assert!(!shown.contains(steers), "{form:?}: {shown:?}");
        if form.is_empty() {
            assert!(shown.contains("./app\\x1b[31m \\u{9b}2J\\x07"), "{shown}");
        }
    }
    fs::write(&path, "no profile").unwrap();
    let output = finish(bare().arg("report").arg(&path));
    assert!(stderr(&output).contains("x\\x1b[31m.omph"), "{:?}", stderr(&output));
}

fn program(folder: &Path, body: &str) -> PathBuf {
    let path = folder.join("app");
    let source = format!("int main(void) {{ {body} return 3; }}");
    compile("gcc", folder, &source, &["-fopenmp"], &path);
    path
}

const REGION: &str = "volatile int n = 0;\n#pragma omp parallel num_threads(2)\nn = 1;\n";

#[test]
fn an_earlier_profile_stays_where_the_program_makes_none() {
    let folder = folder();
    let tree = installed_tree();
    let app = program(folder.path(), "");
    let out = folder.path().join("x.omph");
    profile(&out);
    let kept = fs::read(&out).unwrap();
    let output = finish(of_tree(&tree).args(["profile", "--output"]).arg(&out).arg(&app));
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert_eq!(fs::read(&out).unwrap(), kept);
    // A program that does not exist does not cost it either.
    fs::write(folder.path().join("broken"), "#!/no/such/interpreter\n").unwrap();
    let output = finish(of_tree(&tree).args(["profile", "--output"]).arg(&out).arg("/no/such"));
    assert_eq!(output.status.code(), Some(127));
    assert_eq!(fs::read(&out).unwrap(), kept);
    let app = program(folder.path(), REGION);
    let output = finish(of_tree(&tree).args(["profile", "--output"]).arg(&out).arg(&app));
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("took the place of an earlier one"), "{}", stderr(&output));
    assert_ne!(fs::read(&out).unwrap(), kept);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().map(|e| e.path()).collect();
    assert!(left.iter().all(|path| !path.to_string_lossy().contains("earlier")), "{left:?}");
}

#[test]
fn the_programs_exit_status_stands_whatever_becomes_of_the_report() {
    let folder = folder();
    let tree = installed_tree();
    let app = program(folder.path(), REGION);
    let out = folder.path().join("x.omph");
    let profile = || {
        let mut command = of_tree(&tree);
        command.args(["profile", "--output"]).arg(&out).arg(&app);
        command
    };
    let status = profile().stderr(full()).status().unwrap();
    assert_eq!(status.code(), Some(3), "{status}");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = profile().stderr(writer).status().unwrap();
    assert_eq!(status.code(), Some(3), "{status}");
    // An export that would cost a file is refused before the program runs.
    fs::write(folder.path().join("notes"), "mine\n").unwrap();
    let victim = folder.path().join("notes");
    let output = finish(of_tree(&tree).args(["profile", "--flamegraph"]).arg(&victim).arg(&app));
    assert_eq!(output.status.code(), Some(125), "{}", stderr(&output));
}

#[test]
fn the_width_is_what_columns_says() {
    let folder = folder();
    let path = folder.path().join("x.omph");
    profile(&path);
    let lines = |columns: &str| {
        let output = finish(bare().arg("report").arg(&path).env("COLUMNS", columns));
        stdout(&output).lines().count()
    };
    assert!(lines("60") > lines("200"));
}
