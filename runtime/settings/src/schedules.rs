//! The kinds of run-sched-var. Who calls: the parser and the display of `OMP_SCHEDULE`, the
//! routines that set and return the ICV, and `capi`, which makes a loop's schedule of it.
//!
//! What must hold: code that does something for each kind matches all of them, so that a new one
//! that is forgotten somewhere does not compile.

/// The bit of `omp_sched_t` for `monotonic`: ascending order, which every such loop has.
pub const OMP_SCHED_MONOTONIC: u32 = 0x8000_0000;

/// Defines [`RunSched`]: the kinds with their numbers and words.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $number:literal $word:literal;)+) => {
        /// A kind of run-sched-var, with its number in `omp_sched_t`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)]
        pub enum RunSched {
            $($(#[$doc])* $kind = $number,)+
        }

        impl RunSched {
            /// Returns the kind of an `omp_sched_t`, with or without the monotonic bit.
            pub const fn of(kind: u32) -> Option<RunSched> {
                match kind & !OMP_SCHED_MONOTONIC {
                    $($number => Some(RunSched::$kind),)+
                    _ => None,
                }
            }

            /// Returns the kind that `OMP_SCHEDULE` has this word for, in lower case.
            pub(crate) fn named(word: &str) -> Option<RunSched> {
                match word {
                    $($word => Some(RunSched::$kind),)+
                    // Every dynamic loop may steal; LLVM's runtime has a name of its own for that.
                    "static_steal" => Some(RunSched::Dynamic),
                    _ => None,
                }
            }

            /// Its word, in lower case.
            pub(crate) const fn word(self) -> &'static str {
                match self {
                    $(RunSched::$kind => $word,)+
                }
            }
        }
    };
}

kinds! {
    /// Shares, or chunks dealt round robin.
    Static = 1 "static";
    /// Chunks, first come first served.
    Dynamic = 2 "dynamic";
    /// Chunks that shrink.
    Guided = 3 "guided";
    /// As the runtime sees fit.
    Auto = 4 "auto";
    /// LLVM's `kmp_sched_trapezoidal`: chunks that become smaller, as guided.
    Trapezoidal = 101 "trapezoidal";
}

impl RunSched {
    /// Returns the chunk size that counts where a program asks for `chunk`; 0: the kind's default.
    pub fn chunk(self, chunk: i32) -> u32 {
        match self {
            RunSched::Static => chunk.max(0) as u32,
            RunSched::Auto => 0,
            RunSched::Dynamic | RunSched::Guided | RunSched::Trapezoidal => chunk.max(1) as u32,
        }
    }
}
