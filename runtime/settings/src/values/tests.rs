use super::*;
use proptest::prelude::*;

#[test]
fn threads_are_reserved_by_number_or_by_use() {
    let reserve = |structured, free_agents| Ok(Reserve { structured, free_agents });
    assert_eq!(threads_reserve("4"), reserve(4, 0));
    assert_eq!(threads_reserve(" structured(2) , Free_Agent ( 3 ) "), reserve(2, 3));
    assert_eq!(threads_reserve("free_agent"), reserve(1, 1));
    for wrong in ["", "free_agent(", "free_agent(x)", "agents(2)", "structured(1) 2"] {
        assert!(threads_reserve(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn schedules() {
    assert_eq!(schedule("static"), Ok((1, 0)));
    assert_eq!(schedule(" Dynamic , 4 "), Ok((2, 4)));
    assert_eq!(schedule("monotonic:guided,7"), Ok((3 | OMP_SCHED_MONOTONIC, 7)));
    assert_eq!(schedule("nonmonotonic : auto"), Ok((4, 1)));
    assert_eq!(schedule("trapezoidal,13"), Ok((RunSched::Trapezoidal as u32, 13)));
    assert_eq!(schedule("static_steal"), Ok((2, 0)));
    for bad in ["", "dynamic,", "dynamic,0", "dynamic,-1", "fast:static", "static,1,2"] {
        assert!(schedule(bad).is_err(), "{bad}");
    }
}

#[test]
fn sizes() {
    assert_eq!(size("16M", 1024), Ok(16 << 20));
    assert_eq!(size(" 512 k ", 1024), Ok(512 << 10));
    assert_eq!(size("2000", 1024), Ok(2000 << 10));
    assert_eq!(size("4096B", 1024), Ok(4096));
    assert_eq!(size("0", 1024), Ok(0));
    for bad in ["", "M", "1x", "-1", "99999999999999999999", "18446744073709551615G"] {
        assert!(size(bad, 1024).is_err(), "{bad}");
    }
}

#[test]
fn lists() {
    assert_eq!(positive_list("4, 2 ,1"), Ok(vec![4, 2, 1]));
    assert!(positive_list("4,,1").is_err());
    assert!(positive_list("0").is_err());
    assert!(positive_list("2147483648").is_err());
    assert_eq!(proc_bind("spread, CLOSE"), Ok(vec![4, 3]));
    assert_eq!(proc_bind("TRUE"), Ok(vec![1]));
    assert!(proc_bind("true,close").is_err());
}

#[test]
fn words() {
    assert_eq!(boolean(" TRUE "), Ok(true));
    assert!(boolean("maybe").is_err());
    assert_eq!(display("verbose"), Ok(Some(true)));
    assert_eq!((debug("Enabled"), debug("on"), debug("disabled")), (Ok(true), Ok(true), Ok(false)));
    assert!(debug("1").is_err());
    assert_eq!(meeting("Tree"), Ok(Shape::Tree));
    assert!(meeting("ring").is_err());
    assert_eq!(blocktime("infinite"), Ok((u32::MAX, u64::MAX)));
    assert_eq!(blocktime("1500us"), Ok((1500, 1500)));
    assert_eq!(blocktime("2s"), Ok((2000, 2_000_000)));
    assert_eq!(target_offload("Disabled"), Ok(TargetOffload::Disabled));
}

proptest! {
    #[test]
    fn no_parser_panics(text in "\\PC{0,40}") {
        let _ = (boolean(&text), positive_list(&text), schedule(&text), size(&text, 1024));
        let _ = (proc_bind(&text), display(&text), blocktime(&text));
    }

    #[test]
    fn nearly_right_never_panics(text in "[a-z0-9:,!{}() .-]{0,30}") {
        let _ = (schedule(&text), size(&text, 1), blocktime(&text), positive_list(&text));
    }
}
