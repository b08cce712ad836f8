//! Typed features of spaces, borders and links: which there are, and their values.

use crate::FeatureId;
use crate::provenance::Provenance;
use std::fmt;

/// What a type of feature lies on.
///
/// ```
/// use adjutant_kernel::board::{BoardBuilder, FeatureOn, FeatureSpec, Provenance};
/// let mut builder = BoardBuilder::new("island", Provenance::printed("map"));
/// builder.feature("port", FeatureOn::Space, Provenance::printed("map"));
/// let board = builder.space("Malta").features(FeatureSpec::new("port", ["Malta"]).value(4)).build().unwrap();
/// let (malta, port) = (board.space_named("Malta").unwrap(), board.feature_named("port").unwrap());
/// assert_eq!(board.feature_on(port), FeatureOn::Space);
/// assert_eq!(board.feature_value_space(malta, port), Some(4));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FeatureOn {
    /// Spaces: terrain, towns, ports.
    Space,
    /// Borders: rivers, slopes, walls.
    Border,
    /// Links: roads, railroads, bridges.
    Link,
}

impl fmt::Display for FeatureOn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Space => "spaces",
            Self::Border => "borders",
            Self::Link => "links",
        })
    }
}

/// A declared type of feature.
#[derive(Clone, Debug)]
pub(super) struct FeatureType {
    pub(super) on: FeatureOn,
    pub(super) source: Provenance,
}

/// The features on all holders of one kind (the spaces, the borders or the links): a row of bits a holder.
#[derive(Clone, Debug, Default)]
pub(super) struct FeatureBits {
    words: usize,
    bits: Vec<u64>,
    /// Sorted by holder, then feature.
    values: Vec<(u16, FeatureId, i32)>,
}

impl FeatureBits {
    pub(super) fn new(holders: usize, features: usize) -> Self {
        let words = features.div_ceil(64);
        Self { words, bits: vec![0; holders * words], values: Vec::new() }
    }

    /// Puts a feature on a holder; false if it was there before.
    pub(super) fn put(&mut self, holder: usize, feature: FeatureId, value: Option<i32>) -> bool {
        if self.has(holder, feature) {
            return false;
        }
        self.bits[holder * self.words + feature.index() / 64] |= 1 << (feature.0 % 64);
        if let Some(value) = value {
            let key = (holder as u16, feature);
            let at = self.values.partition_point(|(h, f, _)| (*h, *f) < key);
            self.values.insert(at, (key.0, key.1, value));
        }
        true
    }

    #[inline]
    pub(super) fn has(&self, holder: usize, feature: FeatureId) -> bool {
        let word = feature.index() / 64;
        word < self.words && self.bits[holder * self.words + word] >> (feature.0 % 64) & 1 == 1
    }

    pub(super) fn value(&self, holder: usize, feature: FeatureId) -> Option<i32> {
        let key = (holder as u16, feature);
        let at = self.values.binary_search_by_key(&key, |(h, f, _)| (*h, *f)).ok()?;
        Some(self.values[at].2)
    }

    pub(super) fn of(&self, holder: usize) -> impl Iterator<Item = FeatureId> {
        (0..self.words * 64).map(|f| FeatureId(f as u16)).filter(move |f| self.has(holder, *f))
    }
}
