//! profile-format
