//! Variants of the rulebook that tests load: overlays, positions, short handles, deliberate faults.

use adjutant_kernel::points::{Attachment, Contribute, Filter};
use adjutant_kernel::{PieceId, RulebookBuilder};

use super::Picket;
use super::board::{self, area};
use super::points::RIGHT;
use super::position::Position;

/// A change of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overlay {
    /// pl:7.g#2 is switched off: leaders do not help stragglers.
    NoLeaderHelp,
    /// Amber's marshal may not enter area 5; a filter only.
    MarshalNotInto5,
    /// Nobody leaves area 7.
    StayIn7,
    /// Three bodies of a side may stand in area 8.
    ThreeIn8,
    /// A rule is switched off by its id.
    Off(&'static str),
    /// Whoever attacks in area 4 shifts one to the right.
    RightIn4,
}

/// How a rulebook differs from the plain one.
#[derive(Clone, Default, Debug)]
pub struct Variant {
    /// Changes of the rules, in layer order.
    pub overlays: Vec<Overlay>,
    /// Letters of the first handles, 2 to 8; normally 4.
    pub handle_letters: Option<u8>,
    /// Begin with this position instead of the set-up.
    pub position: Option<Position>,
    /// Deliberate faults by name; without the feature `mutants` they do nothing.
    pub mutants: Vec<String>,
}

/// The deliberate faults that this module, the kernel and the facade can commit: number on the page, name of the
/// switch, and the twin pair, point of the trace, sampled worlds or refusal that catches it.
pub const MUTANTS: &[(&str, &str, &str)] = &[
    ("M1", "ask_by_truth", "T3"),
    ("M2", "skip_single", "T3"),
    ("M3", "no_sham", "T6"),
    ("M4", "leak_result", "T6"),
    ("M5", "mods_public", "T7"),
    ("M6", "mix_only_real", "T8"),
    ("M7", "mix_keeps_handles", "T9"),
    ("M8", "mix_keeps_candidates", "T9"),
    ("M9", "handles_by_identity", "T9"),
    ("M10", "view_live", "T9"),
    ("M11", "raise_event", "T9"),
    ("M12", "version_counts_all", "T9"),
    ("M13", "no_pool_mix", "T10"),
    ("M14", "undo_any", "T14"),
    ("M15", "fork_shows_commit", "T13"),
    ("M16", "no_mix_deploy", "T27"),
    ("M17", "undo_keeps_handles", "T28"),
    ("M18", "secret_on_public", "T15"),
    ("M19", "arrears_event", "T15"),
    ("M20", "leak_arrears", "T15"),
    ("M21", "order_by_truth", "T16"),
    ("M22", "retreat_no_tell", "T17"),
    ("M23", "rest_by_truth", "T19"),
    ("M24", "leak_weary", "T19"),
    ("M25", "list_by_identity", "T20"),
    ("M26", "stop_names", "T2"),
    ("M27", "offer_on_truth", "T1"),
    ("M28", "explain_on_truth", "T1"),
    ("M29", "skip_silent", "T4"),
    ("M30", "falter_by_order", "T24"),
    ("M31", "probe_all_horse", "T25"),
    ("M32", "fact_dropped", "a1"),
    ("M33", "conceal_forgets", "c2"),
    ("M34", "sample_ignores_told", "D1"),
    ("M35", "sample_keeps_key", "D3"),
    ("M35", "sample_keeps_decisions", "D3"),
    ("M35", "sample_keeps_values", "D4"),
    ("M36", "unseen_differs", "refusals"),
    ("M37", "draft_to_partner", "f1"),
    ("M38", "levy_at_setup", "D1"),
    ("M39", "handle_reuse", "random"),
    ("M40", "final_by_number", "T29"),
];

impl Variant {
    /// Whether a deliberate fault is wanted (and can be had).
    pub(super) fn mutant(&self, name: &str) -> bool {
        cfg!(feature = "mutants") && self.mutants.iter().any(|m| m == name)
    }

    /// What must be said before anything is declared.
    pub(super) fn prepare(&self, rb: &mut RulebookBuilder) {
        if let Some(letters) = self.handle_letters {
            rb.first_handle(letters);
        }
        #[cfg(feature = "mutants")]
        for name in &self.mutants {
            rb.mutant(name);
        }
    }

    /// Attaches the overlays, after what the game itself attaches.
    pub(super) fn attach(&self, rb: &mut RulebookBuilder, picket: &Picket) {
        for overlay in &self.overlays {
            let (points, contribute) = (&picket.points, Contribute::Constant(1));
            match overlay {
                Overlay::NoLeaderHelp => rb.switch_off(picket.rules.straggle_leader),
                Overlay::StayIn7 => {
                    let filter = Filter { spaces: Some(vec![area(7)]), ..Filter::default() };
                    let rule = rb.rule("overlay:stay");
                    rb.attach(points.may_leave, Attachment { rule, filter, stage: 0, contribute });
                }
                Overlay::ThreeIn8 => {
                    let filter = Filter { spaces: Some(vec![area(8)]), ..Filter::default() };
                    let (rule, contribute) = (rb.rule("overlay:three"), Contribute::Constant(3));
                    rb.attach(points.area_limit, Attachment { rule, filter, stage: 0, contribute });
                }
                Overlay::Off(id) => {
                    let rule = rb.rule(id);
                    rb.switch_off(rule);
                }
                Overlay::MarshalNotInto5 => {
                    let set = rb.piece_set("marshal", |piece: PieceId, def| piece.0 < 8 && def.name == "aL");
                    let filter =
                        Filter { pieces: Some(set), spaces: Some(vec![board::OPEN]), ..Filter::default() };
                    let rule = rb.rule("overlay:marshal");
                    rb.attach(points.may_enter, Attachment { rule, filter, stage: 0, contribute });
                }
                Overlay::RightIn4 => {
                    let filter = Filter { spaces: Some(vec![area(4)]), ..Filter::default() };
                    let rule = rb.rule("overlay:high_ground");
                    rb.attach(points.fight_shift, Attachment { rule, filter, stage: RIGHT, contribute });
                }
            }
        }
    }
}
