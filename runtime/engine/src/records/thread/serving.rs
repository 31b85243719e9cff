//! Notes whose regions a thread executes: the host's, or those of a device that the host plays.
//!
//! A device has threads of its own: the workers of all teams in its regions. From its beginning to
//! its end, a worker serves either the host or one device. The thread that meets a `target`
//! construct serves the device while it executes the region. It keeps its teams, and with them
//! their workers, for the host and for each device apart.

use crate::records::{Owner, Team, Thread};

impl Owner<'static, Thread> {
    /// Makes the thread serve a device, where it will be primary of its next team. Returns false if
    /// it serves a device already; then nothing changes.
    pub(crate) fn serve(self, device: i32) -> bool {
        if self.serves.get() != 0 {
            return false;
        }
        self.serves.set(self, device as u8 + 1);
        self.change_teams();
        // The list's index is the depth.
        while self.kept_teams().len() <= self.depth.get() {
            Team::keep_one_more(self.record());
        }
        true
    }

    /// Makes the thread serve the host again.
    pub(crate) fn serve_host(self) {
        self.change_teams();
        self.serves.set(self, 0);
    }

    /// Swaps the kept teams of the host and those of the device that the thread serves.
    fn change_teams(self) {
        let at = usize::from(self.serves.get());
        // SAFETY: only the owner touches its lists, and no code holds a reference to them here.
        let (teams, others) = unsafe { (&mut *self.hot_teams.get(), &mut *self.other_teams.get()) };
        if others.len() <= at {
            others.resize_with(at + 1, Vec::new);
        }
        core::mem::swap(teams, &mut others[at]);
        self.teams.set((teams.as_ptr(), teams.len()));
    }
}
