//! Pages: trees of tables, filled from the left, and overflow pages of long rows.

use super::record::varint;

const PAGE: usize = 4096;
/// The size of the file's header, at the begin of the first page.
const FILE_HEADER: usize = 100;
/// The most children of an inner page: that number of cells fits, whatever row numbers they hold.
const MOST_CHILDREN: usize = 250;
const LEAF: u8 = 0x0d;
const INNER: u8 = 0x05;

/// A page of a tree, and the last row's number below it.
type Child = (u32, u64);

/// All pages; the first is that of the schema.
pub(super) struct Pages {
    pages: Vec<Vec<u8>>,
}

impl Pages {
    pub(super) fn new() -> Pages {
        Pages { pages: vec![Vec::new()] }
    }

    /// Writes the rows of a table, and returns its root.
    pub(super) fn table(&mut self, rows: &[Vec<u8>]) -> u32 {
        let mut children = self.leaves(rows, PAGE);
        while children.len() > 1 {
            children = self.inner(&children);
        }
        children[0].0
    }

    /// Writes the schema, and returns the file.
    pub(super) fn finish(mut self, schema: &[Vec<u8>]) -> Vec<u8> {
        // The first page is an inner one, which has at least two children: leaves of half a page
        // see to that.
        let children = self.leaves(schema, PAGE / 2);
        let mut first = inner_page(&children, FILE_HEADER);
        first[..FILE_HEADER].copy_from_slice(&file_header(self.pages.len() as u32));
        self.pages[0] = first;
        self.pages.concat()
    }

    fn add(&mut self, page: Vec<u8>) -> u32 {
        self.pages.push(page);
        self.pages.len() as u32
    }

    /// Returns pages of rows, at least one, with up to `room` bytes in each unless one row has
    /// more.
    fn leaves(&mut self, rows: &[Vec<u8>], room: usize) -> Vec<Child> {
        let mut children = Vec::new();
        let (mut cells, mut taken) = (Vec::new(), 8);
        for (number, row) in (1u64..).zip(rows) {
            let cell = self.cell(number, row);
            if taken + cell.len() + 2 > room && !cells.is_empty() {
                let page = page(LEAF, 0, &[], &std::mem::take(&mut cells));
                children.push((self.add(page), number - 1));
                taken = 8;
            }
            taken += cell.len() + 2;
            cells.push(cell);
        }
        let page = page(LEAF, 0, &[], &cells);
        children.push((self.add(page), rows.len() as u64));
        children
    }

    /// Returns a row's cell; the part of a long row that does not belong into the tree goes into
    /// pages of its own.
    fn cell(&mut self, number: u64, row: &[u8]) -> Vec<u8> {
        // The format's own formulas.
        const MOST: usize = PAGE - 35;
        const LEAST: usize = (PAGE - 12) * 32 / 255 - 23;
        const OVERFLOW: usize = PAGE - 4;
        let mut cell = varint(row.len() as u64);
        cell.extend(varint(number));
        if row.len() <= MOST {
            cell.extend_from_slice(row);
            return cell;
        }
        let here = LEAST + (row.len() - LEAST) % OVERFLOW;
        let here = if here <= MOST { here } else { LEAST };
        let (here, rest) = row.split_at(here);
        let mut next = 0u32;
        for part in rest.chunks(OVERFLOW).rev() {
            let mut page = next.to_be_bytes().to_vec();
            page.extend_from_slice(part);
            page.resize(PAGE, 0);
            next = self.add(page);
        }
        cell.extend_from_slice(here);
        cell.extend(next.to_be_bytes());
        cell
    }

    /// Returns the level above; no page has only one child.
    fn inner(&mut self, children: &[Child]) -> Vec<Child> {
        let groups = children.len().div_ceil(MOST_CHILDREN);
        let each = children.len().div_ceil(groups);
        let above = children.chunks(each).map(|group| {
            let page = inner_page(group, 0);
            (self.add(page), group[group.len() - 1].1)
        });
        above.collect()
    }
}

/// A page whose last child has no cell, but a place in the header.
fn inner_page(children: &[Child], before: usize) -> Vec<u8> {
    let Some((last, others)) = children.split_last() else { return vec![0; PAGE] };
    let cell = |(page, number): &Child| [&page.to_be_bytes()[..], &varint(*number)].concat();
    let cells: Vec<Vec<u8>> = others.iter().map(cell).collect();
    page(INNER, before, &last.0.to_be_bytes(), &cells)
}

/// A page: header, where the cells are, and the cells at its end, the last one first.
fn page(kind: u8, before: usize, last_child: &[u8], cells: &[Vec<u8>]) -> Vec<u8> {
    let mut page = vec![0; PAGE];
    let mut at = PAGE;
    let mut pointers = before + 8 + last_child.len();
    page[before + 8..pointers].copy_from_slice(last_child);
    for cell in cells {
        at -= cell.len();
        page[at..at + cell.len()].copy_from_slice(cell);
        page[pointers..pointers + 2].copy_from_slice(&(at as u16).to_be_bytes());
        pointers += 2;
    }
    page[before] = kind;
    page[before + 3..before + 5].copy_from_slice(&(cells.len() as u16).to_be_bytes());
    page[before + 5..before + 7].copy_from_slice(&(at as u16).to_be_bytes());
    page
}

fn file_header(pages: u32) -> [u8; FILE_HEADER] {
    /// The version that is said to have written the file: the first that knows all of this.
    const VERSION: u32 = 3_008_000;
    let mut header = [0; FILE_HEADER];
    header[..16].copy_from_slice(super::BEGIN);
    header[16..18].copy_from_slice(&(PAGE as u16).to_be_bytes());
    // Read and written as ever, no bytes kept free, and the fractions that must stand here.
    header[18..24].copy_from_slice(&[1, 1, 0, 64, 32, 32]);
    let mut word = |at: usize, value: u32| {
        header[at..at + 4].copy_from_slice(&value.to_be_bytes());
    };
    // The file's first state, its size, the schema's first state and format, UTF-8.
    for (at, value) in [(24, 1), (28, pages), (40, 1), (44, 4), (56, 1), (92, 1), (96, VERSION)] {
        word(at, value);
    }
    header
}
