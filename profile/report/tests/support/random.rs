/// Numbers that look random, and are the same for the same seed.
pub struct Random(u64);

impl Random {
    pub fn of(seed: u64) -> Random {
        Random(0x9e37_79b9_7f4a_7c15 ^ seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}
