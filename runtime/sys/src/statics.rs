//! Words of statics at constant places, in plain Rust: for a processor without a port.

/// As [`load_static!`], where nothing is known of the processor.
#[doc(hidden)]
#[macro_export]
macro_rules! load_static_slowly {
    ($static:path, $offset:expr, $type:ty) => {{
        let word = (&raw const $static).byte_add($offset);
        let word = word.cast::<::core::sync::atomic::AtomicPtr<()>>();
        let word = (*word).load(::core::sync::atomic::Ordering::Acquire);
        ::core::mem::transmute::<*mut (), $type>(word)
    }};
}
