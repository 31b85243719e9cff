use super::*;

#[test]
fn the_last_of_any_size_in_any_order_is_the_only_one() {
    for size in 1..=70 {
        let tree = Tree::<4>::new(size);
        assert!(tree.capacity() >= size);
        for start in 0..size {
            let arrive = |i| tree.arrive(Meeting::Barrier, (start + i * 7) % size, size);
            if size % 7 == 0 {
                continue;
            }
            assert!((0..size - 1).all(|i| arrive(i) != Arrival::Complete), "{size}");
            assert_eq!(arrive(size - 1), Arrival::Complete, "{size}");
        }
    }
}

#[test]
fn a_smaller_team_uses_a_part_of_the_tree() {
    let tree = Tree::<4>::new(64);
    assert_eq!(tree.arrive(Meeting::Join, 0, 1), Arrival::Complete);
    for size in [2, 5, 17, 64, 3] {
        let arrive = |num| tree.arrive(Meeting::Join, num, size);
        assert!((1..size).all(|num| arrive(num) != Arrival::Complete), "{size}");
        assert_eq!(arrive(0), Arrival::Complete, "{size}");
    }
}

#[test]
fn a_release_reaches_every_node_below() {
    let tree = Tree::<2>::new(8);
    let mut woken = Vec::new();
    let stops: Vec<_> = (0..8).map(|num| tree.arrive(Meeting::Barrier, num, 8)).collect();
    assert_eq!(stops[7], Arrival::Complete);
    tree.release(None, 7, 5, |who| woken.push(who));
    assert_eq!(woken, [3, 5, 6]);
    for num in [3, 5] {
        let Arrival::StoppedAt(level) = stops[num as usize] else { panic!("{num}") };
        assert_eq!(tree.released(level, num), 5);
        tree.release(Some(level), num, 5, |who| woken.push(who));
    }
    assert_eq!(woken, [3, 5, 6, 1, 2, 4]);
}
