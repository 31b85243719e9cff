use super::*;

#[test]
fn two_blocks_do_while_all_go_in_step() {
    let chain = Chain::new();
    let mut here = chain.first(|| 0);
    let mut made = 1;
    for window in 0..10 {
        here = chain.go_on(
            here,
            window,
            |past| past < window,
            || {
                made += 1;
                0
            },
        );
    }
    assert_eq!(made, 2);
    assert_eq!(chain.blocks().count(), 2);
}

#[test]
fn it_is_as_long_as_the_lead_and_stays_so() {
    let chain = Chain::new();
    for region in 0..3 {
        let mut here = chain.first(|| ());
        for window in region * 100..region * 100 + 7 {
            here = chain.go_on(here, window, |_| false, || ());
        }
        assert_eq!(chain.blocks().count(), 8);
        let last = chain.blocks().last().map(core::ptr::from_ref);
        assert_eq!(last, Some(core::ptr::from_ref(here)));
    }
}
