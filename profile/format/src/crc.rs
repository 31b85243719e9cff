//! CRC-32 (IEEE 802.3, reflected), eight bytes a step from constant tables.
//!
//! Async-signal-safe: no state, no allocation, no bounds check that can fail.

const TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0u32; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut slice = 1;
    while slice < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[slice - 1][byte];
            tables[slice][byte] = (before >> 8) ^ tables[0][(before & 0xff) as usize];
            byte += 1;
        }
        slice += 1;
    }
    tables
}

fn look(slice: usize, crc: u32) -> u32 {
    TABLES[slice & 7][(crc & 0xff) as usize]
}

/// Returns the CRC-32 of `bytes`, equal to zlib's `crc32`. Async-signal-safe.
pub fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    let (eights, rest) = bytes.as_chunks::<8>();
    for eight in eights {
        let [a, b, c, d, e, f, g, h] = *eight;
        let low = crc ^ u32::from_le_bytes([a, b, c, d]);
        let high = u32::from_le_bytes([e, f, g, h]);
        crc = look(7, low)
            ^ look(6, low >> 8)
            ^ look(5, low >> 16)
            ^ look(4, low >> 24)
            ^ look(3, high)
            ^ look(2, high >> 8)
            ^ look(1, high >> 16)
            ^ look(0, high >> 24);
    }
    for byte in rest {
        crc = (crc >> 8) ^ look(0, crc ^ u32::from(*byte));
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::crc32;

    #[test]
    fn agrees_with_the_published_check_value() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b""), 0);
    }

    #[test]
    fn every_length_agrees_with_the_bitwise_definition() {
        let bytes: Vec<u8> = (0..100u32).map(|i| (i * 37 + 11) as u8).collect();
        for length in 0..bytes.len() {
            let mut crc = u32::MAX;
            for byte in &bytes[..length] {
                crc ^= u32::from(*byte);
                for _ in 0..8 {
                    crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
                }
            }
            assert_eq!(crc32(&bytes[..length]), !crc, "length {length}");
        }
    }
}
