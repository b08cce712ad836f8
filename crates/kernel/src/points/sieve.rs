//! Filters made ready for use. They are asked far more often than anything else of an attachment, and most calls come
//! to most of them in vain: so for each link, space and side it is noted once which attachments it lets through, and a
//! call looks at its arguments once, not once an attachment.

use super::{Attachment, PointArg};
use crate::board::Board;
use crate::ids::*;
use crate::knowledge::Sight;
use crate::rulebook::PieceSetDef;

/// As many attachments as a [`Sieve`] has bits.
pub(super) const MOST: usize = u64::BITS as usize;

/// What is left of a point's attachments after the parts of their filters that hang on the arguments alone; a bit an
/// attachment.
#[derive(Debug, Default)]
pub(super) struct Sieve {
    sides: Demand,
    spaces: Demand,
    links: Demand,
    feature: Demand,
    crossing: Demand,
    pieces: Demand,
}

/// The attachments that one part of a filter lets through.
#[derive(Debug, Default)]
struct Demand {
    /// By the number of the argument.
    met: Vec<u64>,
    /// Those that make no such demand.
    without: u64,
}

impl Sieve {
    /// The sieve of at most [`MOST`] attachments; what the board does not have lets nothing through.
    pub(super) fn new(attachments: &[Attachment], board: &Board, sets: &[PieceSetDef]) -> Self {
        let mut sieve = Self::default();
        for (n, Attachment { filter, .. }) in attachments.iter().enumerate() {
            let bit = 1 << n;
            let with = |feature| {
                let all = (0..board.space_count() as u16).map(SpaceId);
                all.filter(move |&space| board.has_feature_space(space, feature)).map(SpaceId::index)
            };
            sieve.sides.note(bit, filter.sides.as_ref().map(|all| all.iter().map(|s| s.index())));
            sieve.spaces.note(bit, filter.spaces.as_ref().map(|all| all.iter().map(|s| s.index())));
            sieve.links.note(bit, filter.links.as_ref().map(|all| all.iter().map(|l| l.index())));
            sieve.feature.note(bit, filter.feature.map(with));
            let crossing = |feature| {
                let all = (0..board.link_count() as u16).map(LinkId);
                let border = move |link| board.border_of_link(link);
                all.filter(move |&link| {
                    board.has_feature_link(link, feature)
                        || border(link).is_some_and(|border| board.has_feature_border(border, feature))
                })
                .map(LinkId::index)
            };
            sieve.crossing.note(bit, filter.crossing.map(crossing));
            let members = |set: PieceSetId| sets.get(set.index()).into_iter().flat_map(PieceSetDef::members);
            sieve.pieces.note(bit, filter.pieces.map(|set| members(set).map(PieceId::index)));
        }
        sieve
    }

    /// The attachments that the arguments leave.
    #[inline]
    pub(super) fn sift(&self, args: &[PointArg]) -> u64 {
        let (mut sides, mut spaces) = (self.sides.without, self.spaces.without);
        let (mut links, mut feature) = (self.links.without, self.feature.without);
        let mut crossing = self.crossing.without;
        for arg in args {
            match arg {
                PointArg::Side(side) => sides |= self.sides.met_by(side.index()),
                PointArg::Space(space) => {
                    spaces |= self.spaces.met_by(space.index());
                    feature |= self.feature.met_by(space.index());
                }
                PointArg::Link(link) => {
                    links |= self.links.met_by(link.index());
                    crossing |= self.crossing.met_by(link.index());
                }
                PointArg::Body(_) | PointArg::Number(_) | PointArg::Word(_) => {}
            }
        }
        sides & spaces & links & feature & crossing
    }
}

impl Sieve {
    /// The attachments that bodies leave, and perhaps some that they do not: what is not known of a body lets all
    /// through, and [`admits`] has the last word.
    #[inline]
    pub(super) fn sift_pieces<S: Sight>(&self, sight: &S, bodies: impl Iterator<Item = BodyId>) -> u64 {
        if self.pieces.met.is_empty() {
            return self.pieces.without;
        }
        bodies.fold(self.pieces.without, |met, body| {
            met | sight.piece(body).map_or(!0, |piece| self.pieces.met_by(piece.index()))
        })
    }
}

impl Demand {
    fn note(&mut self, bit: u64, numbers: Option<impl Iterator<Item = usize>>) {
        let Some(numbers) = numbers else {
            self.without |= bit;
            return;
        };
        for number in numbers {
            if self.met.len() <= number {
                self.met.resize(number + 1, 0);
            }
            self.met[number] |= bit;
        }
    }

    #[inline]
    fn met_by(&self, number: usize) -> u64 {
        self.met.get(number).copied().unwrap_or(0)
    }
}

/// Whether an attachment applies at all, in the position that it is.
#[inline]
pub(super) fn applies<S: Sight>(attachment: &Attachment, sight: &S) -> bool {
    let filter = &attachment.filter;
    filter.option.is_none_or(|(option, on)| sight.option(option) == on)
        && filter.phases.as_ref().is_none_or(|all| sight.phase().is_some_and(|phase| all.contains(&phase)))
        && !sight.skips(attachment.rule)
}

/// Whether a filter lets bodies through. It does only when that is *known*.
#[inline]
pub(super) fn admits<S: Sight>(attachment: &Attachment, sight: &S, args: &[PointArg]) -> bool {
    let is = |body, set| sight.is(body, set).is_yes();
    attachment
        .filter
        .pieces
        .is_none_or(|set| args.iter().filter_map(PointArg::body).any(|body| is(body, set)))
}
