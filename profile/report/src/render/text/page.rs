//! Lines of a report: headings, wrapped text, columns, within a width.

use std::ops::Range;

use super::TextOptions;
use crate::render::short::{cut, fitted};

/// A page under construction.
pub struct Page {
    pub(super) width: usize,
    color: bool,
    whole_names: bool,
    out: String,
}

const BOLD: &str = "\x1b[1m";
const RED: &str = "\x1b[1;31m";
const GREEN: &str = "\x1b[1;32m";
const DIM: &str = "\x1b[2m";
const PLAIN: &str = "\x1b[0m";

impl Page {
    /// A page without a line.
    pub fn new(options: &TextOptions) -> Page {
        let TextOptions { width, color, whole_names, .. } = *options;
        Page { width: width.max(60), color, whole_names, out: String::new() }
    }

    /// Returns a line that fits, unless names stay whole.
    pub(super) fn fit(&self, text: &str) -> String {
        if self.whole_names { text.to_owned() } else { fitted(text, self.width) }
    }

    /// Returns a name inside a text, in at most one line.
    pub(super) fn fit_name(&self, name: &str) -> String {
        if self.whole_names { name.to_owned() } else { fitted(name, self.width - 10) }
    }

    /// Returns how far to indent names so that half of the page is left for them.
    pub(super) fn deepest_indent(&self, most: usize) -> usize {
        if self.whole_names { most } else { most.min(self.width / 2 - 10) }
    }

    /// All lines.
    pub fn finish(self) -> String {
        self.out
    }

    fn styled(&mut self, style: &str, line: &str) {
        if self.color {
            self.out.push_str(style);
        }
        self.out.push_str(line);
        if self.color {
            self.out.push_str(PLAIN);
        }
        self.out.push('\n');
    }

    /// Adds a heading; the first one is that of the page.
    pub fn heading(&mut self, text: &str) {
        if self.out.is_empty() {
            // The page's heading has the command, which may be of any length.
            let line = self.fit(text);
            return self.styled(BOLD, &line);
        }
        self.out.push('\n');
        for line in wrap(text, self.width) {
            self.styled(BOLD, &line);
        }
    }

    /// Adds text that stands out, wrapped. `indent`: of the lines after the first.
    pub fn alarm(&mut self, indent: usize, text: &str) {
        let width = if self.whole_names { usize::MAX } else { self.width };
        for (number, line) in wrap(text, width.saturating_sub(indent)).iter().enumerate() {
            let indent = if number == 0 { 2 } else { indent };
            self.styled(RED, &format!("{:indent$}{line}", ""));
        }
    }

    pub(super) fn good(&mut self, line: &str) {
        self.styled(GREEN, line);
    }

    pub(super) fn dim(&mut self, line: &str) {
        self.styled(DIM, line);
    }

    /// Adds dim text wrapped at the page's width.
    pub(super) fn dim_text(&mut self, indent: usize, text: &str) {
        for line in wrap(text, self.width.saturating_sub(indent)) {
            self.dim(&format!("{:indent$}{line}", ""));
        }
    }

    /// Adds a line as it is.
    pub fn line(&mut self, line: &str) {
        self.out.push_str(line.trim_end());
        self.out.push('\n');
    }

    /// Adds `  name       value`, the value wrapped.
    pub(super) fn pair(&mut self, name: &str, value: &str) {
        let mut first = true;
        for line in wrap(value, self.width.saturating_sub(13)) {
            let name = if std::mem::take(&mut first) { name } else { "" };
            self.line(&format!("  {name:<11}{line}"));
        }
    }

    /// Adds a line of a listing, unchanged except that it is cut at the width.
    pub(in crate::render) fn plain(&mut self, line: &str, is_dim: bool) {
        let line = if self.whole_names { line.to_owned() } else { cut(line, self.width) };
        match is_dim {
            true => self.dim(line.trim_end()),
            false => self.line(&line),
        }
    }

    /// Adds text wrapped at the page's width.
    pub fn text(&mut self, indent: usize, text: &str) {
        for line in wrap(text, self.width.saturating_sub(indent)) {
            self.line(&format!("{:indent$}{line}", ""));
        }
    }
}

fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut room = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        match lines.last_mut() {
            Some(line) if length < room => {
                line.push(' ');
                line.push_str(word);
                room -= length + 1;
            }
            _ => {
                lines.push(word.to_owned());
                room = width.saturating_sub(length);
            }
        }
    }
    lines
}

/// A table: one wide column of names, then columns of numbers.
pub struct Table {
    name: &'static str,
    columns: Vec<(String, usize)>,
    rows: Vec<(String, Vec<String>)>,
}

impl Table {
    /// `columns` are headings; each gets the width of its widest cell.
    pub fn new<S: AsRef<str>>(name: &'static str, columns: &[S]) -> Table {
        let headings = columns.iter().map(AsRef::as_ref);
        let columns = headings.map(|heading: &str| (heading.to_owned(), heading.len())).collect();
        Table { name, columns, rows: Vec::new() }
    }

    /// Adds a row; `cells` belong to the columns in order.
    pub fn row(&mut self, name: String, cells: Vec<String>) {
        for ((_, width), cell) in self.columns.iter_mut().zip(&cells) {
            *width = (*width).max(cell.chars().count());
        }
        self.rows.push((name, cells));
    }

    /// Removes columns whose cells are all empty.
    pub(crate) fn without_empty_columns(mut self) -> Table {
        for i in (0..self.columns.len()).rev() {
            let heading = self.columns[i].0.as_str();
            let stays = ["%", "Work", "Wait", "alive", "work", "elapsed"].contains(&heading);
            if !stays
                && self.rows.iter().all(|(_, cells)| {
                    cells.get(i).is_none_or(|cell| cell.is_empty() || cell == "0.0")
                })
            {
                self.columns.remove(i);
                for (_, cells) in &mut self.rows {
                    cells.remove(i);
                }
            }
        }
        self
    }

    /// Whether there is a column with this heading.
    pub(super) fn has(&self, heading: &str) -> bool {
        self.columns.iter().any(|(known, _)| known == heading)
    }

    /// Prints the table. A name too long for its column stands on a line of its own. Columns
    /// without room on the page follow below, beside the names again.
    pub fn print(&self, page: &mut Page) {
        let widest = self.rows.iter().map(|(name, _)| name.chars().count());
        let widest = widest.chain([self.name.len()]).max().unwrap_or(0);
        let mut room = page.width.saturating_sub(2 + widest.clamp(LEAST_NAME, 2 * LEAST_NAME));
        // Names that are too long stand on lines of their own in any case.
        let all: usize = self.columns.iter().map(|(_, width)| width + 2).sum();
        if all <= page.width.saturating_sub(2 + LEAST_NAME) {
            room = room.max(all);
        }
        let mut from = 0;
        while from < self.columns.len() {
            let mut numbers = 0;
            let fit = self.columns[from..].iter().take_while(|(_, width)| {
                numbers += width + 2;
                numbers <= room
            });
            let to = from + fit.count().max(1);
            self.print_columns(page, from..to, widest);
            from = to;
        }
    }

    fn print_columns(&self, page: &mut Page, range: Range<usize>, widest: usize) {
        let columns = &self.columns[range.clone()];
        let numbers: usize = columns.iter().map(|(_, width)| width + 2).sum();
        let room = page.width.saturating_sub(numbers + 2);
        let name_width = widest.min(room).max(LEAST_NAME);
        let headings = columns.iter().map(|(heading, width)| format!("  {heading:>width$}"));
        page.dim(&format!("  {:<name_width$}{}", self.name, headings.collect::<String>()));
        for (name, cells) in &self.rows {
            let cells = columns.iter().zip(cells.get(range.clone()).unwrap_or_default());
            let cells: String =
                cells.map(|((_, width), cell)| format!("  {cell:>width$}")).collect();
            let is_long = name.chars().count() > name_width;
            if is_long || cells.trim().is_empty() {
                page.line(&page.fit(&format!("  {name}")));
            }
            match is_long {
                _ if cells.trim().is_empty() => {}
                true => page.line(&format!("  {:<name_width$}{cells}", "")),
                false => page.line(&format!("  {name:<name_width$}{cells}")),
            }
        }
    }
}

/// The least width of the column of names.
const LEAST_NAME: usize = 8;
