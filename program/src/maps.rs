//! Maps for what is looked up for each sample of a profile: as the library's, with a hash that
//! takes a fraction of the time. Its seed differs from process to process, so that no profile can
//! be made to have keys that collide.

use foldhash::fast::RandomState;

/// A map; see the module.
pub type HashMap<K, V> = std::collections::HashMap<K, V, RandomState>;

/// A set; see the module.
pub type HashSet<K> = std::collections::HashSet<K, RandomState>;
