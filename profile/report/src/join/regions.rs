//! The regions of a sample: those on its thread's own stack, and the prefix outside the outermost
//! of these.

use super::steps::Step;
use super::walk::Context;
use super::{Joiner, LabelKind, NodeId, PlacesId};
use crate::ompt::is_league_part;
use crate::recording::StackIndex;
use crate::symbols::ConstructKind;
use omphalos_profile_format::Fork;

/// Regions nested deeper than this are cut off: a damaged file may hold a cycle.
const DEEPEST: usize = 64;

impl Joiner<'_> {
    /// Returns the regions on the thread's own stack, and the prefix outside them; also the
    /// outermost region, if its fork has a record.
    pub(super) fn context(
        &mut self,
        thread: u32,
        region: u64,
        codeptr: u64,
        thread_num: Option<u32>,
        task: Option<u64>,
        depth: usize,
    ) -> (Context, Option<u64>) {
        let mut own = Vec::new();
        let mut prefix = None;
        let mut outermost = None;
        let mut at = region;
        let mut site = codeptr;
        let mut parts = 0;
        while at != 0 && own.len() < DEEPEST && parts < DEEPEST {
            let Some(&(fork, stack)) = self.recording.forks.get(&at) else {
                // This fork has no record: the one of the same construct before it stands in.
                own.push(site);
                outermost = None;
                if at == region && thread_num.is_some_and(|number| number != 0) {
                    prefix = Some(self.prefix_of_site(site, at, depth));
                    break;
                }
                let like = self.captured_like(site, at);
                let like = like.and_then(|like| self.recording.forks.get(&like));
                let Some(&(like, stack)) = like else { break };
                at = like.parent;
                site = self.parent_site(&like, stack);
                continue;
            };
            match is_league_part(fork.flags) {
                true => parts += 1,
                false => own.push(fork.codeptr_ra),
            }
            outermost = Some(at);
            if fork.thread != thread {
                prefix = Some(self.prefix_of(at, depth));
                break;
            }
            at = fork.parent;
            site = self.parent_site(&fork, stack);
        }
        own.reverse();
        (Context { prefix, regions: own, task, is_torn: false }, outermost)
    }

    /// Returns the `codeptr_ra` of the construct whose region contained `fork`: from that region's
    /// own fork, or, without a record of it, from the region's body on the fork's `stack`. 0 if
    /// neither is known.
    fn parent_site(&mut self, fork: &Fork, stack: StackIndex) -> u64 {
        if let Some((parent, _)) = self.recording.forks.get(&fork.parent) {
            return parent.codeptr_ra;
        }
        let steps = self.steps_of(stack);
        let mut bodies = steps.iter().rev().filter_map(|step| match step {
            Step::Frame(frame) => self.bodies.get(&frame.start?),
            Step::Runtime => None,
        });
        let region = bodies.find(|(kind, _)| *kind == ConstructKind::Region);
        region.filter(|_| fork.parent != 0).map_or(0, |(_, site)| *site)
    }

    /// Returns the user-model stack of the thread that encountered `region`, at that time.
    pub(super) fn prefix_of(&mut self, region: u64, depth: usize) -> (NodeId, PlacesId) {
        const NOWHERE: (NodeId, PlacesId) = (NodeId::ROOT, PlacesId::NONE);
        if let Some(prefix) = self.prefixes.get(&region) {
            return *prefix;
        }
        let Some(&(fork, stack)) = self.recording.forks.get(&region) else {
            return NOWHERE;
        };
        let prefix = if depth >= DEEPEST {
            NOWHERE
        } else if stack.0 == 0 {
            self.prefix_of_site(fork.codeptr_ra, region, depth + 1)
        } else {
            let parent_site = self.parent_site(&fork, stack);
            let (mut context, _) =
                self.context(fork.thread, fork.parent, parent_site, None, None, depth + 1);
            if context.prefix.is_none()
                && self.outline_of(stack).is_cut
                && let Some(&site) = context.regions.first()
            {
                context.prefix = Some(self.prefix_of_site(site, fork.parent, depth + 1));
            }
            let steps = self.steps_of(stack);
            let (node, places, _) = self.walk(context, &steps);
            (node, places)
        };
        self.prefixes.insert(region, prefix);
        prefix
    }

    /// Returns the region of a construct whose fork was the last captured before `region`'s, or
    /// else the first: an agent may leave out forks whose stacks equal the one before.
    pub(super) fn captured_like(&self, site: u64, region: u64) -> Option<u64> {
        let captured = self.captured.get(&site)?;
        let behind = captured.partition_point(|known| *known <= region);
        captured.get(behind.saturating_sub(1)).copied()
    }

    /// Returns the stack at the fork of `region`: that of a captured fork of its construct, or else
    /// the construct's function alone.
    pub(super) fn prefix_of_site(
        &mut self,
        site: u64,
        region: u64,
        depth: usize,
    ) -> (NodeId, PlacesId) {
        match self.captured_like(site, region) {
            Some(region) if depth < DEEPEST => self.prefix_of(region, depth + 1),
            _ => {
                let Joiner { tree, symbols, .. } = self;
                let node = *self.functions.entry(site).or_insert_with(|| {
                    let construct = symbols.construct(site, ConstructKind::Region);
                    let label = tree.label(LabelKind::Function, &construct.function);
                    tree.child(NodeId::ROOT, label)
                });
                (node, PlacesId::NONE)
            }
        }
    }
}
