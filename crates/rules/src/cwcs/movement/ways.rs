//! Ways from an area into the next (7.12, 7.2), and how far it is to the Home Areas of a side.

use adjutant_kernel::board::{SearchScratch, Ways};
use adjutant_kernel::knowledge::{Seen, Sight as _};
use adjutant_kernel::points::PointArg;
use adjutant_kernel::{BodyId, LinkId, Refusal, RuleId, SideId, SpaceId, Verdict, WordId};
use smallvec::SmallVec;

use super::super::Cwcs;
use super::super::map::Way;

/// The arguments of the points that are asked about a way.
pub(crate) type WayArgs = SmallVec<[PointArg; 12]>;

/// How far every area is from the nearest Home Area of a side, in areas, by ways that units may pass.
pub(crate) struct Distances(SearchScratch);

impl Distances {
    /// From one area; `None` if no way leads home.
    pub(crate) fn of(&self, area: SpaceId) -> Option<u32> {
        self.0.cost(area)
    }
}

impl Cwcs {
    /// Whether a link is a crossing point of a major river (7.2), on the map or by a rule of the title.
    pub(crate) fn is_crossing(&self, seen: &Seen<'_>, link: LinkId) -> bool {
        seen.rulebook().board().has_feature_link(link, self.map.crossing)
            || seen.total(self.points.crossing, &[PointArg::Link(link)]) != 0
    }

    /// Whether units may pass a link at all: an open way, a road or railroad, and over a major river a crossing point.
    pub(crate) fn leads(&self, seen: &Seen<'_>, link: LinkId) -> bool {
        let board = seen.rulebook().board();
        if self.map.is_over_river(board, link) {
            return self.is_crossing(seen, link);
        }
        board.has_feature_link(link, self.map.open)
            || self.map.is_road(board, link)
            || board.has_feature_link(link, self.map.crossing)
    }

    /// The links from an area to the next that units may pass, the best first.
    pub(crate) fn links_between(
        &self,
        seen: &Seen<'_>,
        from: SpaceId,
        to: SpaceId,
    ) -> impl Iterator<Item = LinkId> {
        let leads = |way: &Way| way.is_open || self.is_crossing(seen, way.link);
        self.map.ways(from, to).filter(leads).map(|way| way.link)
    }

    /// Why no way at all leads from an area to another.
    pub(crate) fn no_way(&self, seen: &Seen<'_>, from: SpaceId, to: SpaceId) -> RuleId {
        let board = seen.rulebook().board();
        let rules = &self.movement.rules;
        match board.border_between(from, to) {
            Some(border) if board.has_feature_border(border, self.map.major_river) => rules.river,
            Some(_) | None => rules.adjacent,
        }
    }

    /// What is asked about a link of those who would pass it.
    pub(crate) fn way_args(
        &self,
        side: SideId,
        (from, to): (SpaceId, SpaceId),
        link: LinkId,
        cause: WordId,
        units: &[BodyId],
    ) -> WayArgs {
        let mut args = WayArgs::new();
        args.extend([PointArg::Side(side), PointArg::Link(link)]);
        args.extend([PointArg::Space(from), PointArg::Space(to), PointArg::Word(cause)]);
        args.extend(units.iter().map(|&unit| PointArg::Body(unit)));
        args
    }

    /// Whether the title lets units pass a link for a cause.
    pub(crate) fn may_cross(
        &self,
        seen: &Seen<'_>,
        side: SideId,
        way: (SpaceId, SpaceId),
        link: LinkId,
        cause: WordId,
        units: &[BodyId],
    ) -> Verdict {
        if !seen.rulebook().has_attachments(self.points.may_cross) {
            return Ok(());
        }
        let args = self.way_args(side, way, link, cause, units);
        seen.forbidden(self.points.may_cross, &args).map_or(Ok(()), |rule| Err(Refusal { rule }))
    }

    /// The best link from an area to the next by which units may pass for a cause, or the rule that is against it.
    pub(crate) fn way(
        &self,
        seen: &Seen<'_>,
        side: SideId,
        (from, to): (SpaceId, SpaceId),
        cause: WordId,
        units: &[BodyId],
    ) -> Result<LinkId, RuleId> {
        let mut against = None;
        for link in self.links_between(seen, from, to) {
            match self.may_cross(seen, side, (from, to), link, cause, units) {
                Ok(()) => return Ok(link),
                Err(Refusal { rule }) => against = against.or(Some(rule)),
            }
        }
        Err(against.unwrap_or_else(|| self.no_way(seen, from, to)))
    }

    /// How far all areas are from the Home Areas of a side.
    pub(crate) fn distances(&self, seen: &Seen<'_>, side: SideId) -> Distances {
        let home = |area: &SpaceId| seen.flag(self.columns.home, (*area, side));
        let homes = self.map.areas.iter().copied().filter(home);
        let mut scratch = SearchScratch::default();
        let board = seen.rulebook().board();
        board.flood(&mut scratch, Ways::all(), homes, |_, edge| self.leads(seen, edge.link));
        Distances(scratch)
    }
}
