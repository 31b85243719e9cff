//! What an instruction's access to a register or to memory may do there.

use iced_x86::OpAccess;

/// Whether it may read what is there.
pub(super) fn reads(access: OpAccess) -> bool {
    use OpAccess::{CondRead, Read, ReadCondWrite, ReadWrite};
    matches!(access, Read | CondRead | ReadWrite | ReadCondWrite)
}

/// Whether it may write there.
pub(super) fn writes(access: OpAccess) -> bool {
    use OpAccess::{CondWrite, ReadCondWrite, ReadWrite, Write};
    matches!(access, Write | CondWrite | ReadWrite | ReadCondWrite)
}
