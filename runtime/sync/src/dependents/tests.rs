use super::*;

#[test]
fn everybody_who_joined_is_called_once() {
    let (list, links) = (Dependents::new(), [Link::new(), Link::new(), Link::new()]);
    // SAFETY: the links live to the end.
    let join = |at: usize, word| unsafe { list.join(&links[at], word) };
    assert!(join(0, 10));
    assert!(join(1, 20));
    let mut seen = Vec::new();
    assert!(core::ptr::eq(list.newest(), &links[1]));
    list.close(|word| seen.push(word));
    assert_eq!(seen, [20, 10]);
    assert!(list.newest().is_null());
    assert!(list.is_closed());
    assert!(!join(2, 30));
}
