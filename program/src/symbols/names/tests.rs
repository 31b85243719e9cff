use super::*;

#[test]
fn compiler_made_names_are_taken_apart() {
    for (name, role, base) in [
        ("main", Role::User, "main"),
        ("main._omp_fn.0", Role::Outlined, "main"),
        ("main._loopfn.1", Role::Outlined, "main"),
        ("main._omp_fn.12.constprop.0", Role::Outlined, "main"),
        ("f._omp_cpyfn.1", Role::Helper, "f"),
        ("work.part.0.cold", Role::User, "work"),
        ("_ZN2ns1VIdE3sumEv.omp_outlined", Role::Region, "_ZN2ns1VIdE3sumEv"),
        ("main.omp_outlined_debug__", Role::Body, "main"),
        ("main.omp_outlined_debug__.1", Role::Body, "main"),
        ("inl.omp_outlined_debug__.omp_outlined", Role::Region, "inl"),
        ("main.omp_outlined.1", Role::Region, "main"),
        (".omp_outlined.", Role::Body, ""),
        (".omp_task_entry.", Role::Task, ""),
        (".omp_task_entry..5", Role::Task, ""),
        ("solve.omp_outlined_debug__.omp.reduction.reduction_func", Role::Helper, ""),
        ("_QQmain..omp_par.1", Role::Outlined, "_QQmain"),
        ("f.DIR.OMP.PARALLEL.LOOP.2.split", Role::Region, "f"),
        ("f.DIR.OMP.TASK.12.split", Role::Task, "f"),
        ("__omp_offloading_fd00_1a2b_main_l23", Role::Target, "main"),
        ("__omp_offloading_10_2_go_left_l7_1", Role::Target, "go_left"),
        ("__omp_offloading_10_2_main_l7_debug__", Role::Body, "main"),
        ("__omp_offloading_10_2_main_l7.omp_outlined", Role::Region, "main"),
        (".cold", Role::User, ".cold"),
    ] {
        assert_eq!(classify(name), (role, base), "{name}");
    }
}

#[test]
fn names_are_shown_as_written() {
    for (name, shown) in [
        ("main", "main"),
        ("_ZN2ns1VIdE3sumEv", "ns::V<double>::sum"),
        ("_ZZ4mainENKUlvE_clEv", "main::{lambda#1}::operator()"),
        ("_ZZ4mainENK3$_0clEv", "main::{lambda#1}::operator()"),
        ("_Z12parallel_forIZN6Solver3runEiEUllE_EvlT_", "parallel_for<Solver::run::{lambda#1}>"),
        ("_ZN12_GLOBAL__N_13runEv", "(anonymous namespace)::run"),
        ("__m_MOD_solve", "m::solve"),
        ("_QMmPsolve", "m::solve"),
        ("_QFPheavy", "heavy"),
        ("_QPsolve", "solve"),
        ("MAIN__", "main program"),
        ("_QQmain", "main program"),
        ("__GI_sched_yield", "sched_yield"),
        ("_RNvC6_123foo3bar", "123foo::bar"),
        ("_ZThn16_N1A3runEv", "A::run"),
        ("_ZTv0_n176_N9PhyloTree3runEd", "PhyloTree::run"),
        ("_ZTch0_h16_N1B5cloneEv", "B::clone"),
        ("f", "f"),
        ("i", "i"),
        ("v", "v"),
        ("Pc", "Pc"),
        ("St", "St"),
        ("Rf", "Rf"),
        ("_R", "_R"),
        ("_Z", "_Z"),
    ] {
        assert_eq!(display(name, None), shown, "{name}");
    }
    assert_eq!(display("solve_", Some(DW_LANG_Fortran95)), "solve");
    for name in ["_Z3foov", "_ZN3foo3barEv", "__m_MOD_solve", "_RNvC3foo3bar", "MAIN__x"] {
        assert_eq!(display(name, Some(DW_LANG_C11)), name);
    }
}

#[test]
fn what_cannot_be_read_whole_keeps_its_beginning() {
    let fill = "_ZSt9__fill_a1IPddEN9__gnu_cxx11__enable_ifIXsrSt11__is_scalarIT0_E7__valueE\
                vE6__typeET_S8_RKS4_";
    assert_eq!(display(fill, None), "std::__fill_a1<...>");
    let relocate = "_ZSt14__relocate_a_1IddENSt9enable_ifIXsrSt24__is_bitwise_relocatableIT_v\
                    E5valueEPS2_E4typeES4_S4_S4_RSaIT0_E";
    assert_eq!(display(relocate, None), "std::__relocate_a_1<...>");
    for odd in ["_Z", "_Z9short", "_Z0", "_Z99999999999999999999x", "_ZXsr", "_ZSt"] {
        assert_eq!(display(odd, None), odd);
    }
}

#[test]
fn interpreters_are_known_by_their_files() {
    let python = ["python3.11", "libpython3.11.so.1.0", "python", "python3.13t"];
    assert!(python.iter().all(|file| interpreter(file) == Some("<Python interpreter>")));
    assert_eq!(interpreter("libR.so"), Some("<R interpreter>"));
    assert_eq!(interpreter("libruby-3.1.so.3.1"), Some("<Ruby interpreter>"));
    assert_eq!(interpreter("liblua5.4.so.0"), Some("<Lua interpreter>"));
    assert_eq!(interpreter("libperl.so.5.36"), Some("<Perl interpreter>"));
    let others = ["libRblas.so", "pythonize", "libr.so", "_multiarray_umath.so", "luastat"];
    assert!(others.iter().all(|file| interpreter(file).is_none()));
}
