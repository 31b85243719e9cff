//! Maps for look-ups of each sample of a profile: like the standard library's, with a hash that
//! takes a fraction of the time. The seed differs from process to process, so nobody can make a
//! profile whose keys collide.

use foldhash::fast::RandomState;

/// A map; see the module.
pub type HashMap<K, V> = std::collections::HashMap<K, V, RandomState>;

/// A set; see the module.
pub type HashSet<K> = std::collections::HashSet<K, RandomState>;
