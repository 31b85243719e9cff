//! Sections of several dimensions with gaps (`target update`), as LLVM's compilers describe them.

/// One dimension: `count` steps of `stride` bytes, the first `offset` steps from the beginning.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Dimension {
    pub offset: u64,
    pub count: u64,
    pub stride: u64,
}

/// Returns the pieces that such a section consists of: address and bytes of each.
///
/// # Safety
/// At `description` there are as many dimensions as said.
pub unsafe fn pieces(base: usize, description: usize, dimensions: usize) -> Vec<(usize, usize)> {
    if dimensions == 0 || description == 0 {
        return Vec::new();
    }
    // SAFETY: the caller's promise.
    let all = unsafe { core::slice::from_raw_parts(description as *const Dimension, dimensions) };
    of(base, all)
}

/// Returns the pieces. The last dimension's steps stand side by side: they are one piece.
fn of(base: usize, all: &[Dimension]) -> Vec<(usize, usize)> {
    let Some((last, outer)) = all.split_last() else { return Vec::new() };
    let bytes = (last.count * last.stride) as usize;
    let mut starts = vec![base];
    for dimension in outer {
        let steps = |start: &usize| {
            let start = *start;
            let step = move |at| start + ((dimension.offset + at) * dimension.stride) as usize;
            (0..dimension.count).map(step)
        };
        starts = starts.iter().flat_map(steps).collect();
    }
    let first = (last.offset * last.stride) as usize;
    let mut pieces: Vec<(usize, usize)> = Vec::new();
    for start in starts.into_iter().map(|start| start + first) {
        match pieces.last_mut() {
            // Rows that follow each other are one.
            Some((before, length)) if *before + *length == start => *length += bytes,
            _ => pieces.push((start, bytes)),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_matrix_is_a_piece_a_row() {
        let dimension = |offset, count, stride| Dimension { offset, count, stride };
        let part = [dimension(1, 2, 40), dimension(3, 2, 4)];
        assert_eq!(of(1000, &part), [(1052, 8), (1092, 8)]);
        let rows = [dimension(1, 2, 40), dimension(0, 10, 4)];
        assert_eq!(of(1000, &rows), [(1040, 80)]);
        let every_second = [dimension(0, 3, 8), dimension(0, 1, 4)];
        assert_eq!(of(0, &every_second), [(0, 4), (8, 4), (16, 4)]);
    }
}
