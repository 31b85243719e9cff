//! The report as tables of plain values.
//!
//! A table for each list of `omphalos report --json`, with the fields as columns:
//! `docs/report.schema.json` lists them, so that both have the same names and units. The call tree
//! has two tables of its own, for its stacks and their frames. Rows are numbered by `id` and name
//! the row that they belong to.

use omphalos_report::{Analysis, json};
use serde_json::Value;

use crate::stacks::{Stacks, time_kind};

const SCHEMA: &str = include_str!("../../../docs/report.schema.json");

/// The lists of a report: the path to the field, the table's name, the name of one row, and the
/// definition.
const LISTS: [(&str, &str, &str, &str); 12] = [
    ("/diagnosis", "findings", "finding", "finding"),
    ("/threads", "threads", "thread", "thread"),
    ("/regions", "regions", "region", "region"),
    ("/mpi_calls", "mpi_calls", "call", "own_mpi_call"),
    ("/tasks", "tasks", "task", "task"),
    ("/mutexes", "mutexes", "mutex", "mutex"),
    ("/targets", "targets", "target", "target"),
    ("/hot_lines", "hot_lines", "line", "hot_line"),
    ("/serial_lines", "serial_lines", "line", "hot_line"),
    ("/counters/rows", "counters", "counter", "counter_row"),
    ("/counters/functions", "function_counters", "counter", "function_counts"),
    ("/counters/energy", "energy", "package", "energy"),
];
/// A report's lists of sentences.
const SENTENCES: [&str; 3] = ["inconclusive", "warnings", "notes"];

/// A table; rows have a value for each column.
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<Value>>,
}

/// The shape of one kind of rows.
struct Shape {
    table: usize,
    /// Each column's way into the row's object.
    ways: Vec<Vec<String>>,
    /// The ways to lists inside of it, each with a table of its own.
    lists: Vec<(Vec<String>, Shape)>,
}

/// All tables, also those without a row.
pub(crate) fn of(processes: &[&Analysis]) -> Vec<Table> {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap_or_default();
    let mut tables = Tables { schema, all: Vec::new() };
    let of_process = |part: &str| tables.schema["$defs"][part].clone();
    let (program, summary) = (of_process("program"), of_process("summary"));
    let mut whole = tables.shape("processes", "process", &[], &program);
    let rest = tables.shape("summaries", "process", &[], &summary);
    tables.join(&mut whole, rest);
    let shapes = LISTS.map(|(_, table, row, definition)| {
        let definition = tables.schema["$defs"][definition].clone();
        tables.shape(table, row, &["process_id"], &definition)
    });
    let sentences =
        SENTENCES.map(|table| tables.table(table, &["process_id"], &["text".to_owned()]));
    for (number, analysis) in (1u64..).zip(processes) {
        let mut report = json::to_value(analysis);
        let mut process = report["program"].take();
        if let (Value::Object(all), Value::Object(more)) = (&mut process, report["summary"].take())
        {
            all.extend(more);
        }
        tables.fill(&whole, &process, &[]);
        for ((field, ..), shape) in LISTS.iter().zip(&shapes) {
            let rows = report.pointer(field).and_then(Value::as_array);
            for row in rows.into_iter().flatten() {
                tables.fill(shape, row, &[number]);
            }
        }
        for (field, table) in SENTENCES.iter().zip(sentences) {
            for sentence in report[field].as_array().into_iter().flatten() {
                tables.push(table, &[number], [sentence.clone()]);
            }
        }
    }
    tables.stacks(processes);
    tables.all
}

struct Tables {
    schema: Value,
    all: Vec<Table>,
}

impl Tables {
    fn table(&mut self, name: &str, links: &[&str], columns: &[String]) -> usize {
        let links = ["id"].iter().chain(links).map(|link| (*link).to_owned());
        let columns = links.chain(columns.iter().cloned()).collect();
        self.all.push(Table { name: name.to_owned(), columns, rows: Vec::new() });
        self.all.len() - 1
    }

    /// Appends a row and returns its number.
    fn push(
        &mut self,
        table: usize,
        links: &[u64],
        values: impl IntoIterator<Item = Value>,
    ) -> u64 {
        let rows = &mut self.all[table].rows;
        let id = rows.len() as u64 + 1;
        let numbers = std::iter::once(id).chain(links.iter().copied()).map(Value::from);
        rows.push(numbers.chain(values).collect());
        id
    }

    /// Returns the definition that a schema refers to.
    fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let named = schema["$ref"].as_str().or(schema["anyOf"][0]["$ref"].as_str());
        match named.and_then(|name| name.strip_prefix("#/$defs/")) {
            Some(name) => self.resolved(&self.schema["$defs"][name]),
            None => schema,
        }
    }

    /// Makes the tables for objects of a definition.
    fn shape(&mut self, table: &str, row: &str, links: &[&str], definition: &Value) -> Shape {
        let (mut ways, mut lists) = (Vec::new(), Vec::new());
        for field in fields(definition) {
            let property = self.resolved(&definition["properties"][&field]).clone();
            self.columns(vec![field], &property, &mut ways, &mut lists);
        }
        let columns: Vec<String> = ways.iter().map(|way| way.join("_")).collect();
        let number = self.table(table, links, &columns);
        let own = format!("{row}_id");
        let mut shapes = Vec::new();
        for (way, items) in lists {
            let field = way.join("_");
            let one = field.trim_end_matches('s');
            let (table, one) = (format!("{row}_{field}"), format!("{row}_{one}"));
            let shape = self.shape(&table, &one, &[&own], &items);
            shapes.push((way, shape));
        }
        Shape { table: number, ways, lists: shapes }
    }

    /// Adds the paths to the columns of a property, and to the lists inside it. An object has those
    /// of its fields.
    fn columns(
        &self,
        way: Vec<String>,
        property: &Value,
        ways: &mut Vec<Vec<String>>,
        lists: &mut Vec<(Vec<String>, Value)>,
    ) {
        for inner in fields(property) {
            let part = self.resolved(&property["properties"][&inner]);
            let way = way.iter().cloned().chain([inner]).collect();
            self.columns(way, part, ways, lists);
        }
        if !property["properties"].is_object() {
            let items = self.resolved(&property["items"]).clone();
            match items["properties"].is_object() {
                true => lists.push((way, items)),
                false => ways.push(way),
            }
        }
    }

    /// Moves the columns of `other`'s table to that of `shape`, and removes `other`'s table. Only
    /// the tables of `other`'s lists come after it.
    fn join(&mut self, shape: &mut Shape, other: Shape) {
        let columns = self.all[other.table].columns.split_off(1);
        self.all[shape.table].columns.extend(columns);
        self.all.remove(other.table);
        shape.ways.extend(other.ways);
        // Each table after it moves forward by one place.
        let moved = other.lists.into_iter().map(|(way, list)| {
            let table = list.table - 1;
            (way, Shape { table, ..list })
        });
        shape.lists.extend(moved);
    }

    fn fill(&mut self, shape: &Shape, object: &Value, links: &[u64]) {
        let at = |way: &Vec<String>| way.iter().fold(object, |at, field| &at[field]);
        let value = |way: &Vec<String>| match at(way) {
            Value::Array(texts) => {
                let texts: Vec<&str> = texts.iter().filter_map(Value::as_str).collect();
                texts.join("\n").into()
            }
            value => value.clone(),
        };
        let values: Vec<Value> = shape.ways.iter().map(value).collect();
        let id = self.push(shape.table, links, values);
        for (way, inner) in &shape.lists {
            for row in at(way).as_array().into_iter().flatten() {
                self.fill(inner, row, &[id]);
            }
        }
    }

    fn stacks(&mut self, processes: &[&Analysis]) {
        let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let columns: Vec<String> = named(&["kind", "time_ns", "stack"]);
        let of_stacks = self.table("stacks", &["process_id"], &columns);
        let columns: Vec<String> = named(&["depth", "name", "kind", "file", "line"]);
        let of_frames = self.table("frames", &["stack_id"], &columns);
        for (number, analysis) in (1u64..).zip(processes) {
            let Stacks { frames, rows } = Stacks::of(&[analysis]);
            for stack in rows {
                let path: Vec<&str> =
                    stack.frames.iter().map(|frame| &*frames[*frame].text).collect();
                let values = [time_kind(stack.kind).into(), stack.time.into()];
                let values = values.into_iter().chain([path.join(";").into()]);
                let id = self.push(of_stacks, &[number], values);
                for (depth, frame) in (1u64..).zip(&stack.frames) {
                    let frame = &frames[*frame];
                    let values = [
                        depth.into(),
                        (&*frame.text).into(),
                        frame.kind.word().into(),
                        frame.file.as_deref().into(),
                        (frame.line > 0).then_some(frame.line).into(),
                    ];
                    self.push(of_frames, &[id], values);
                }
            }
        }
    }
}

/// Returns the fields of a definition: first those that are always there, in its order, then the
/// others.
fn fields(definition: &Value) -> Vec<String> {
    let required = definition["required"].as_array().into_iter().flatten();
    let required = required.filter_map(Value::as_str);
    let others = definition["properties"].as_object().into_iter().flatten();
    let mut fields: Vec<String> = Vec::new();
    for field in required.chain(others.map(|(field, _)| field.as_str())) {
        if !fields.iter().any(|known| known == field) {
            fields.push(field.to_owned());
        }
    }
    fields
}
