//! Draws the screen: its rows, and their fit to a narrow window.

use omphalos_inspect::top::{Columns, Region};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use super::asked::Question;
use super::{Middle, Screen};

impl Screen {
    pub(super) fn draw(&mut self, frame: &mut Frame<'_>) {
        // An answer takes the room of the regions too.
        let is_list = matches!(self.middle, Middle::Threads);
        let most = if is_list { usize::from(frame.area().height) / 3 } else { 0 };
        let regions: Vec<&Region> = self.picture.regions.iter().take(most).collect();
        let parts = [
            Constraint::Length(1),
            Constraint::Min(2),
            Constraint::Length(regions.len() as u16 + u16::from(!regions.is_empty())),
            Constraint::Length(1),
        ];
        let [head, middle, below, keys] = Layout::vertical(parts).areas(frame.area());
        frame.render_widget(Line::from(self.head(usize::from(head.width))), head);
        if !regions.is_empty() {
            let mut lines = vec![title(" WORK  WAIT  REGION")];
            let row =
                |region: &&Region| Line::from(format!("{} {}", region.columns(), region.name));
            lines.extend(regions.iter().map(row));
            frame.render_widget(Paragraph::new(lines), below);
        }
        self.rows = usize::from(middle.height.saturating_sub(1));
        let (what, text) = match &self.middle {
            Middle::Threads => (String::new(), String::new()),
            Middle::Help => {
                let quit = if self.child.is_some() { QUIT_CHILD } else { QUIT };
                let text = match (self.picture.is_job, self.is_rank) {
                    (true, _) => HELP_JOB.to_owned(),
                    (false, true) => format!("{BACK}{HELP}"),
                    (false, false) => HELP.to_owned(),
                };
                ("KEYS".to_owned(), format!("{quit}{text}"))
            }
            Middle::Answer(asked) => {
                let what = match asked.question {
                    Question::Stack => "STACK  Esc back  Enter again  w why",
                    Question::Why if self.picture.is_job => {
                        "WHY  Esc back  w again  Enter its threads"
                    }
                    Question::Why => "WHY  Esc back  w again  Enter stack",
                };
                (what.to_owned(), asked.text().to_owned())
            }
        };
        let lines = match is_list {
            true => self.rows_within(middle),
            false => self.text_within(middle, what, &text),
        };
        frame.render_widget(Paragraph::new(lines), middle);
        frame.render_widget(title(&self.foot()), keys);
    }

    /// Returns the picture's head. Cuts the command if the head is too wide.
    fn head(&self, width: usize) -> String {
        let (head, command) = (&self.picture.head, &self.picture.command);
        let (wide, words) = (head.chars().count(), command.chars().count());
        if wide <= width || words == 0 {
            return head.clone();
        }
        let left = words.saturating_sub(wide - width + 1).max(SHORTEST_COMMAND.min(words));
        let cut: String = command.chars().take(left).collect();
        head.replacen(command, &format!("{cut}…"), 1)
    }

    /// Returns the threads that have room, the chosen one among them.
    fn rows_within(&mut self, area: Rect) -> Vec<Line<'static>> {
        let columns = Columns::within(usize::from(area.width), self.picture.is_job);
        let rows = self.threads();
        let at = self.at(&rows);
        let room = self.rows.max(1);
        let skipped = self.skipped.min(at).max((at + 1).saturating_sub(room));
        let skipped = skipped.min(rows.len().saturating_sub(room));
        let shown = rows.iter().enumerate().skip(skipped).take(room);
        let mut lines = vec![title(&columns.title())];
        lines.extend(shown.clone().map(|(number, row)| {
            let text = columns.row(row);
            match number == at {
                true => Line::styled(text, Style::default().add_modifier(Modifier::REVERSED)),
                false => Line::from(text),
            }
        }));
        if rows.is_empty() && !self.filter.is_empty() {
            let what = if self.picture.is_job { "rank" } else { "thread" };
            lines.push(Line::from(format!("no {what} has '{}'", self.filter)));
        }
        let wanted = shown.map(|(_, row)| row.lwp).collect();
        self.skipped = skipped;
        if let Some(lines) = &self.lines {
            lines.want(wanted);
        }
        lines
    }

    /// Returns text that may be longer and wider than its room.
    fn text_within(&mut self, area: Rect, what: String, text: &str) -> Vec<Line<'static>> {
        let wide = text.lines().flat_map(|line| wrapped(line, usize::from(area.width)));
        let lines: Vec<String> = wide.collect();
        let last = lines.len().saturating_sub(self.rows.max(1));
        self.skipped_text = self.skipped_text.min(last);
        let more = if last > 0 { "  arrows more" } else { "" };
        let mut shown = vec![title(&(what + more))];
        shown.extend(lines.into_iter().skip(self.skipped_text).take(self.rows).map(Line::from));
        shown
    }

    fn foot(&self) -> String {
        if self.is_typing {
            let all = if self.picture.is_job { "ranks" } else { "threads" };
            return format!("/{}_  Enter keep  Esc all {all}", self.filter);
        }
        let paused = if self.is_paused { "PAUSED  " } else { "" };
        let only = match &*self.filter {
            "" => String::new(),
            filter => format!("only '{filter}' (Esc all)  "),
        };
        let order = self.order.word();
        let back = if self.is_rank { "Esc job  " } else { "" };
        let enter = if self.picture.is_job { "threads" } else { "stack" };
        format!(
            "{paused}{only}{back}h help  q quit  Enter {enter}  w why  / filter  s sort ({order})  \
             p pause"
        )
    }
}

/// The least columns of a command that is cut.
const SHORTEST_COMMAND: usize = 8;

/// Returns a line in parts that fit, broken at the ends of words.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut left: Vec<char> = line.chars().collect();
    let mut parts = Vec::new();
    while left.len() > width {
        // Blanks at the beginning are no place to break.
        let words = left.iter().take_while(|letter| **letter == ' ').count();
        let end = left[..=width].iter().rposition(|letter| *letter == ' ');
        let end = end.filter(|end| *end > words).unwrap_or(width);
        let rest = left.split_off(end);
        parts.push(left.into_iter().collect());
        left = rest.into_iter().skip_while(|letter| *letter == ' ').collect();
    }
    parts.push(left.into_iter().collect());
    parts
}

fn title(text: &str) -> Line<'static> {
    let style = Style::default().add_modifier(Modifier::REVERSED | Modifier::BOLD);
    Line::styled(text.to_owned(), style)
}

const QUIT: &str = "q, Ctrl-C        quit: the program goes on\n";
const QUIT_CHILD: &str = "\
q                quit: the program goes on, what it writes comes then
Ctrl-C           interrupt the program\n";
const HELP: &str = "\
Up, Down, k, j   choose a thread; Page Up, Page Down, Home, End too
Enter            the chosen thread's stack, down to main
w                why it waits, as omphalos why says it
/                only the threads whose row has the text
Esc              back to the threads; there: all of them again
s                sort the threads by number, CPU, work, wait
p, Space         pause: the picture stays, the program goes on
h, ?, F1         this, and back

CPU   processor time since the last picture, in percent of one processor
WORK  shares of the looks that saw the thread in your code or in the kernel,
WAIT  waiting for others,
IDLE  and without work. Nothing is stopped for these looks.
NOW   where the thread is, and what it does. For its line a thread that runs
      and is on the screen is stopped for a moment, at most once for each
      picture, unless --no-stop is given. Enter and w stop all for a moment.";
const BACK: &str = "Esc              from all threads back to the job\n";
const HELP_JOB: &str = "\
Up, Down, k, j   choose a rank; Page Up, Page Down, Home, End too
Enter            the chosen rank's threads; Esc there leads back
w                why it waits, as omphalos why says it
/                only the ranks whose row has the text
Esc              back to the ranks; there: all of them again
s                sort the ranks by number, CPU, work, wait
p, Space         pause: the picture stays, the job goes on
h, ?, F1         this, and back

CPU   processor time since the last picture, in percent of one processor
WORK  shares of the looks that saw the rank's threads in your code, in MPI or
      in the kernel,
WAIT  waiting for other threads of the rank,
IDLE  and without work.
MPI   of the last ten looks at the first thread's stack, those in a call of
      MPI, in percent. For that look the thread is stopped for a moment if it
      runs, unless --no-stop is given.
NOW   where the rank's first thread is, and what it does.";
