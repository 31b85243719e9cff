//! The C headers and the Rust types say the same: a C program made from the Rust constants compares
//! every number, size and offset, under each C compiler that is installed; and the published
//! header that a compiler brings is held against the same program.

use omphalos_abi::ompt::*;
use std::fmt::Write as _;
use std::mem::{offset_of, size_of};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Size of a structure and offsets of its fields, under their C names.
struct Shape {
    name: &'static str,
    size: usize,
    fields: Vec<(&'static str, usize)>,
}

macro_rules! shapes {
    ($($ty:ident { $($field:ident),* $(,)? })*) => {
        vec![$(Shape {
            name: stringify!($ty),
            size: size_of::<$ty>(),
            fields: vec![$((stringify!($field).trim_start_matches("r#"), offset_of!($ty,
                $field))),*],
        }),*]
    };
}

/// The structures that every header since 5.1 has.
fn common_shapes() -> Vec<Shape> {
    shapes! {
        ompt_data_t { value, ptr }
        ompt_frame_t { exit_frame, enter_frame, exit_frame_flags, enter_frame_flags }
        ompt_dependence_t { variable, dependence_type }
        ompt_start_tool_result_t { initialize, finalize, tool_data }
        ompt_record_abstract_t { rclass, r#type, start_time, end_time, hwid }
        ompt_record_parallel_begin_t { encountering_task_id, parallel_id, requested_parallelism,
            flags, codeptr_ra }
        ompt_record_work_t { endpoint, parallel_id, task_id, count, codeptr_ra }
        ompt_record_task_create_t { encountering_task_id, new_task_id, flags, has_dependences,
            codeptr_ra }
        ompt_record_implicit_task_t { endpoint, parallel_id, task_id, actual_parallelism, index,
            flags }
        ompt_record_mutex_acquire_t { kind, hint, r#impl, wait_id, codeptr_ra }
        ompt_record_cancel_t { task_id, flags, codeptr_ra }
        ompt_record_ompt_t { r#type, time, thread_id, target_id, record }
    }
}

/// The structures that 5.2 and 6.0 added.
fn newer_shapes() -> Vec<Shape> {
    shapes! {
        ompt_dispatch_chunk_t { start, iterations }
        ompt_subvolume_t { base, size, num_dims, volume, offsets, dimensions }
        ompt_record_target_data_op_emi_t { host_op_id, optype, src_addr, src_device_num,
            dest_addr, dest_device_num, bytes, end_time, codeptr_ra }
        ompt_record_target_map_emi_t { target_id, nitems, host_addr, device_addr, bytes,
            mapping_flags, codeptr_ra }
        ompt_record_target_submit_emi_t { host_op_id, requested_num_teams, granted_num_teams,
            end_time }
        ompt_record_error_t { severity, message, length, codeptr_ra }
        ompt_any_record_ompt_t { thread_begin, error }
    }
}

fn checks(enumerators: &[Enumerator], shapes: &[Shape]) -> String {
    let mut c = String::from("#include \"omp-tools.h\"\n");
    for (ty, name, value) in enumerators {
        writeln!(c, "_Static_assert((int)({ty}){name} == {value}, \"{name}\");").unwrap();
    }
    for shape in shapes {
        let name = shape.name;
        writeln!(c, "_Static_assert(sizeof({name}) == {}, \"{name}\");", shape.size).unwrap();
        for (field, offset) in &shape.fields {
            writeln!(
                c,
                "_Static_assert(offsetof({name}, {field}) == {offset}, \"{name}.{field}\");"
            )
            .unwrap();
        }
    }
    c
}

fn installed(compiler: &str) -> bool {
    Command::new(compiler).arg("--version").output().is_ok_and(|o| o.status.success())
}

fn compile(compiler: &str, include: &Path, name: &str, text: &str) {
    let source = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.c"));
    std::fs::write(&source, text).unwrap();
    let output = Command::new(compiler)
        .args(["-std=gnu11", "-Wall", "-Werror", "-fsyntax-only", "-include", "stddef.h", "-I"])
        .args([include, &source])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{compiler} with {}: {}",
        include.display(),
        String::from_utf8_lossy(&output.stderr)
    );
}

fn our_headers() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("include")
}

#[test]
fn our_header_agrees_with_the_rust_types() {
    let all: Vec<Enumerator> = ENUMERATORS.iter().chain(CALLBACKS).copied().collect();
    let shapes: Vec<Shape> = common_shapes().into_iter().chain(newer_shapes()).collect();
    let text = checks(&all, &shapes);
    assert!(installed("gcc"), "the tests need gcc: apt-get install gcc");
    compile("gcc", &our_headers(), "ours-gcc", &text);
    if installed("clang-19") {
        compile("clang-19", &our_headers(), "ours-clang", &text);
    }
}

/// The lists have every callback with its number and a type, every entry point and every state,
/// once.
#[test]
fn the_lists_of_our_header_are_complete() {
    let mut text = String::from(
        "#include \"omp-tools.h\"\n\
         #define NUMBER(name, type, number) _Static_assert(name == number, #name); type v_##name;\n\
         #define STATE(name, number) _Static_assert(name == number, #name);\n\
         #define ENTRY(name) name##_t v_##name;\n\
         #define ONE(...) +1\n\
         struct all { FOREACH_OMPT_EVENT(NUMBER) FOREACH_OMPT_INQUIRY_FN(ENTRY) };\n\
         FOREACH_OMPT_STATE(STATE)\n",
    );
    for (list, count) in [
        ("EVENT", CALLBACKS.len()),
        ("51_EVENT", CALLBACKS.len() - 4),
        ("50_TARGET_EVENT", 8),
        ("INQUIRY_FN", HOST_ENTRY_POINTS.len()),
        ("STATE", ENUMERATORS.iter().filter(|(ty, ..)| *ty == "ompt_state_t").count()),
    ] {
        writeln!(text, "_Static_assert(FOREACH_OMPT_{list}(ONE) == {count}, \"{list}\");").unwrap();
    }
    compile("gcc", &our_headers(), "lists", &text);
}

/// The members of a record have the names of 5.0 to 5.2 beside those of 6.0, at the same place; the
/// published header knows the former.
#[test]
fn records_have_the_earlier_names_too() {
    let of_5 = "#include \"omp-tools.h\"\n\
        int kind(ompt_record_ompt_t *r) { return r->record.target.kind; }\n\
        int optype(ompt_record_ompt_t *r) { return r->record.target_data_op.optype; }\n\
        unsigned nitems(ompt_record_ompt_t *r) { return r->record.target_map.nitems; }\n\
        unsigned teams(ompt_record_ompt_t *r) \
        { return r->record.target_kernel.requested_num_teams; }\n";
    let mut text = String::from(of_5);
    for (earlier, now) in [
        ("target.codeptr_ra", "target_emi.codeptr_ra"),
        ("target_data_op.codeptr_ra", "target_data_op_emi.codeptr_ra"),
        ("target_map.codeptr_ra", "target_map_emi.codeptr_ra"),
        ("target_kernel.end_time", "target_submit_emi.end_time"),
    ] {
        writeln!(
            text,
            "_Static_assert(offsetof(ompt_record_ompt_t, record.{earlier}) == \
             offsetof(ompt_record_ompt_t, record.{now}), \"{earlier}\");"
        )
        .unwrap();
    }
    compile("gcc", &our_headers(), "records", &text);
    let published = Path::new("/usr/lib/llvm-19/lib/clang/19/include");
    if published.join("omp-tools.h").exists() {
        compile("clang-19", published, "published-records", of_5);
    }
}

/// Every name and signature is usable from C++ too, and through both header names.
#[test]
fn our_header_is_good_c_and_cxx() {
    let mut text = String::from("#include \"ompt.h\"\n#include \"omp-tools.h\"\n");
    for (i, name) in HOST_ENTRY_POINTS.iter().enumerate() {
        writeln!(text, "{name}_t entry{i};").unwrap();
    }
    for language in ["c", "c++"] {
        let source = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("names.c");
        std::fs::write(&source, &text).unwrap();
        let output = Command::new("gcc")
            .args(["-x", language, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I"])
            .args([our_headers(), source])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// A published header is the judge of our numbers, as far as its version knows them. Clang brings
/// one; if Clang is not installed, the constants above still pin the published numbers.
#[test]
fn a_published_header_agrees() {
    let include = Path::new("/usr/lib/llvm-19/lib/clang/19/include");
    let Ok(published) = std::fs::read_to_string(include.join("omp-tools.h")) else { return };
    let known: Vec<Enumerator> = ENUMERATORS
        .iter()
        .chain(CALLBACKS)
        .filter(|(ty, name, _)| has_word(&published, name) && has_word(&published, ty))
        .copied()
        .collect();
    assert!(known.len() > 150, "only {} names found in the published header", known.len());
    compile("clang-19", include, "published", &checks(&known, &common_shapes()));
}

fn has_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part))
}

#[test]
fn the_header_of_2007_agrees() {
    let mut text = String::from("#include \"omp_collector_api.h\"\n");
    for (name, value) in omphalos_abi::collector::NUMBERS {
        writeln!(text, "_Static_assert({name} == {value}, \"{name}\");").unwrap();
    }
    compile("gcc", &our_headers(), "collector", &text);
}

/// The headers of OMPT before 5.0: C, C++, and the numbers.
#[test]
fn the_headers_of_earlier_generations_agree() {
    use omphalos_abi::earlier::{ompt2013, ompt2014, ompt2016};
    for (year, numbers) in
        [("2013", ompt2013::NUMBERS), ("2014", ompt2014::NUMBERS), ("2016", ompt2016::NUMBERS)]
    {
        let mut text = format!("#include \"ompt-{year}.h\"\n");
        for (name, value) in numbers {
            writeln!(text, "_Static_assert({name} == {value}, \"{name}\");").unwrap();
        }
        compile("gcc", &our_headers(), year, &text);
    }
}

fn ompd_shapes() -> Vec<Shape> {
    use omphalos_abi::ompd::*;
    shapes! {
        ompd_address_t { segment, address }
        ompd_frame_info_t { frame_address, frame_flag }
        ompd_device_type_sizes_t { sizeof_char, sizeof_short, sizeof_int, sizeof_long,
            sizeof_long_long, sizeof_pointer }
        ompd_callbacks_t { alloc_memory, free_memory, print_string, sizeof_type,
            symbol_addr_lookup, read_memory,
            write_memory, read_string, device_to_host, host_to_device,
                get_thread_context_for_thread_id }
    }
}

fn ompd_2016_shapes() -> Vec<Shape> {
    use omphalos_abi::earlier::ompd2016::*;
    shapes! {
        ompd_address_t { segment, address }
        ompd_target_type_sizes_t { sizeof_char, sizeof_pointer }
        ompd_callbacks_t { d_alloc_memory, d_free_memory, print_string, t_sizeof_prim_type,
            t_symbol_addr_lookup,
            t_read_memory, t_write_memory, target_to_host, host_to_target,
                get_thread_context_for_osthread,
            get_address_space_context_for_thread }
    }
}

fn ompd_2013_shapes() -> Vec<Shape> {
    use omphalos_abi::earlier::ompd2013::*;
    shapes! {
        ompd_osthread_t { kind, data }
        ompd_breakpoints_t { parallel_pre_execute, parallel_post_execute, task_pre_execute,
            task_post_execute }
        ompd_target_type_sizes_t { sizeof_char, sizeof_pointer }
        ompd_callbacks_t { d_alloc_memory, d_free_memory, get_error_string, print_string,
            t_sizeof_prim_type,
            t_symbol_addr_lookup, t_type_lookup, t_type_sizeof, t_type_field_offset,
                t_read_memory, t_write_memory,
            target_to_host }
    }
}

/// The headers for debuggers, each generation by itself, and the published one as far as it goes.
#[test]
fn the_headers_of_ompd_agree() {
    use omphalos_abi::earlier::{ompd2013, ompd2016};
    use omphalos_abi::ompd;
    let mut text = String::new();
    for (file, numbers, shapes) in [
        ("omp-tools.h", ompd::NUMBERS, ompd_shapes()),
        ("ompd-2016.h", ompd2016::NUMBERS, ompd_2016_shapes()),
        ("ompd-2013.h", ompd2013::NUMBERS, ompd_2013_shapes()),
    ] {
        text = format!("#include \"{file}\"\n{}", checks(&[], &shapes).split_once('\n').unwrap().1);
        for (name, value) in numbers {
            writeln!(text, "_Static_assert({name} == {value}, \"{name}\");").unwrap();
        }
        compile("gcc", &our_headers(), &file.replace(".h", "-ompd"), &text);
    }
    let include = Path::new("/usr/lib/llvm-19/lib/clang/19/include");
    let Ok(published) = std::fs::read_to_string(include.join("omp-tools.h")) else { return };
    text.clear();
    text.push_str(&checks(&[], &ompd_shapes()));
    for (name, value) in ompd::NUMBERS.iter().filter(|(name, _)| has_word(&published, name)) {
        writeln!(text, "_Static_assert({name} == {value}, \"{name}\");").unwrap();
    }
    compile("clang-19", include, "published-ompd", &text);
}
