//! A row's values as one record.

use serde_json::Value;

/// Returns the record: the type of each value, then the values.
pub(super) fn of(values: &[Value]) -> Vec<u8> {
    let (mut types, mut body) = (Vec::new(), Vec::new());
    for value in values {
        write(value, &mut types, &mut body);
    }
    // The header's length counts itself: one byte more where it is long.
    let length = match types.len() {
        short @ 0..127 => short + 1,
        long => long + 2,
    };
    let mut record = varint(length as u64);
    record.append(&mut types);
    record.append(&mut body);
    record
}

fn write(value: &Value, types: &mut Vec<u8>, body: &mut Vec<u8>) {
    let mut text = |text: &str| {
        types.extend(varint(13 + 2 * text.len() as u64));
        body.extend_from_slice(text.as_bytes());
    };
    match value {
        Value::Null => types.push(0),
        Value::Bool(is) => types.push(8 + u8::from(*is)),
        Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(integer), ..) => integer_of(integer, types, body),
            // SQLite's integers end where they would become negative.
            (_, Some(large), _) => text(&large.to_string()),
            (.., real) => {
                types.push(7);
                body.extend_from_slice(&real.unwrap_or(0.0).to_be_bytes());
            }
        },
        Value::String(string) => text(string),
        other => text(&other.to_string()),
    }
}

fn integer_of(integer: i64, types: &mut Vec<u8>, body: &mut Vec<u8>) {
    let (kind, bytes) = match integer {
        0 | 1 => (8 + integer as u8, 0),
        -0x80..=0x7f => (1, 1),
        -0x8000..=0x7fff => (2, 2),
        -0x8000_0000..=0x7fff_ffff => (4, 4),
        _ => (6, 8),
    };
    types.push(kind);
    body.extend_from_slice(&integer.to_be_bytes()[8 - bytes..]);
}

/// Returns a number in seven bits a byte, the highest first; all bytes except the last have the
/// highest bit. No number here is so long that it takes the ninth byte, which has eight bits.
pub(super) fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = vec![(number & 0x7f) as u8];
    number >>= 7;
    while number > 0 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.reverse();
    bytes
}

#[cfg(test)]
mod tests {
    use super::{of, varint};
    use serde_json::{Value, json};

    #[test]
    fn numbers_are_written_as_the_format_has_them() {
        assert_eq!(varint(0x7f), [0x7f]);
        assert_eq!(varint(0x80), [0x81, 0]);
        assert_eq!(varint(240_004), [0x8e, 0xd3, 0x04]);
        let values = [Value::Null, json!(1), json!(-2), json!(300), json!("ab")];
        assert_eq!(of(&values), [6, 0, 9, 1, 2, 17, 0xfe, 1, 0x2c, b'a', b'b']);
        assert_eq!(of(&[json!(u64::MAX)])[1], 13 + 2 * 20);
    }
}
