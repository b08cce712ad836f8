//! Maps as the kernel's board. All files of `boards/` make one.

use std::collections::HashMap;

use adjutant_kernel::SideId;
use adjutant_kernel::board::{
    Board as Compiled, BoardBuilder, BorderSpec, DigitOrder, FeatureOn, FeatureSpec, HexDigits, HexGridSpec,
    LinkSpec, Orientation as Lying, Problem, Shift,
};
use adjutant_kernel::provenance::Provenance;

use crate::diagnostic::Diagnostic;
use crate::model::{Board, Border, Grid, Link, Model, On, Order, Orientation, Shifted, Source};
use crate::read::Name;
use crate::source::Span;

/// Compiles all boards of a model into one.
///
/// # Errors
/// All that is wrong with them.
pub(crate) fn board(model: &Model, sides: &[&str]) -> Result<Compiled, Vec<Diagnostic>> {
    let Some((file, first)) = model.boards.iter().next() else { return Err(Vec::new()) };
    let mut problems = Vec::new();
    let mut builder = BoardBuilder::new(&first.title, provenance(first));
    for board in model.boards.values() {
        for network in &board.networks {
            builder.network(&network.value);
        }
        for (name, feature) in board.features.iter() {
            let on = match feature.on {
                On::Space => FeatureOn::Space,
                On::Border => FeatureOn::Border,
                On::Link => FeatureOn::Link,
            };
            let source = feature.source.as_ref().map_or_else(|| provenance(board), |s| s.provenance());
            builder.feature(&name.value, on, source);
        }
    }
    let main = model.boards.values().flat_map(|b| &b.networks).next().map(|n| n.value.as_str());
    let mut placing = Placing::new(model);
    for board in model.boards.values() {
        one(&mut builder, board, sides, main, &mut placing, &mut problems);
    }
    problems.extend(placing.left());
    let names = names(model);
    match builder.build() {
        Ok(board) if problems.is_empty() => Ok(board),
        Ok(_) => Err(problems),
        Err(found) => {
            let whole = model.boards.values().find_map(|b| b.source.as_ref()).map(|s| s.text().span);
            let whole = whole.unwrap_or(file.span);
            // Whether sources say something is checked elsewhere, once for each.
            let found = found.problems.iter().filter(|p| !matches!(p, Problem::EmptyProvenance { .. }));
            problems.extend(found.map(|p| told(p, &names, whole)));
            Err(problems)
        }
    }
}

fn provenance(board: &Board) -> Provenance {
    // Whether there is one is checked elsewhere.
    board.source.as_ref().map_or_else(|| Provenance::printed("?"), |s| s.provenance())
}

/// Where a part comes from: from where it says itself, or whence its board does.
fn source(own: Option<&Source>, board: &Board) -> Provenance {
    own.map_or_else(|| provenance(board), Source::provenance)
}

/// Puts features on their places, each with the source that its type gives for the place.
struct Placing<'a> {
    /// By feature and place: the source, where that is said, and whether the feature is there.
    sources: HashMap<&'a str, HashMap<&'a str, (Provenance, Span, bool)>>,
}

impl<'a> Placing<'a> {
    fn new(model: &'a Model) -> Self {
        let mut sources: HashMap<_, HashMap<_, _>> = HashMap::new();
        for (name, feature) in model.boards.values().flat_map(|board| board.features.iter()) {
            for (place, source) in feature.sources.iter() {
                let here = sources.entry(name.value.as_str()).or_default();
                here.insert(place.value.as_str(), (source.provenance(), place.span, false));
            }
        }
        Self { sources }
    }

    fn put(&mut self, builder: &mut BoardBuilder, feature: &str, place: &str, value: Option<i32>) {
        let mut spec = FeatureSpec::new(feature, [place]);
        if let Some(value) = value {
            spec = spec.value(value);
        }
        if let Some((source, _, there)) = self.sources.get_mut(feature).and_then(|s| s.get_mut(place)) {
            spec = spec.source(source.clone());
            *there = true;
        }
        builder.features(spec);
    }

    /// Sources of what is not there.
    fn left(&self) -> Vec<Diagnostic> {
        let mut left = Vec::new();
        for (feature, places) in &self.sources {
            for (place, (_, span, _)) in places.iter().filter(|(_, (_, _, there))| !there) {
                let message = format!("a source of the feature `{feature}` on `{place}`, where it is not");
                let help = "sources are for single places that have the feature";
                left.push((*span, Diagnostic::error("unknown-name", *span, message).help(help).at("boards")));
            }
        }
        left.sort_unstable_by_key(|(span, _)| (span.file, span.start));
        left.into_iter().map(|(_, problem)| problem).collect()
    }
}

fn one(
    builder: &mut BoardBuilder,
    board: &Board,
    sides: &[&str],
    main: Option<&str>,
    placing: &mut Placing<'_>,
    problems: &mut Vec<Diagnostic>,
) {
    let mut put = |builder: &mut BoardBuilder, features: &[Name], at: &str| {
        for feature in features {
            placing.put(builder, feature, at, None);
        }
    };
    for (name, space) in board.spaces.iter() {
        builder.space(&name.value);
        put(builder, &space.features, name);
        if space.apart {
            builder.apart(&name.value);
        }
    }
    if let Some(grid) = &board.grid {
        builder.hex_grid(hexes(grid), grid.networks.iter().map(|n| n.value.as_str()));
    }
    for name in &board.boxes {
        builder.holding_box(&name.value);
    }
    for (network, links) in board.links.iter() {
        for link in links {
            builder.link(spec(link, network, sides, problems).source(source(link.source.as_ref(), board)));
            if !link.features.is_empty() {
                put(builder, &link.features, &link_name(link, network, main));
            }
        }
    }
    for border in &board.borders {
        let source = source(border.source.as_ref(), board);
        let mut spec = BorderSpec::new(&border.a.value, &border.b.value).source(source);
        if let Some(name) = &border.name {
            spec = spec.named(name);
        }
        if border.holds_pieces {
            spec = spec.holding_pieces();
        }
        builder.border(spec);
        put(builder, &border.features, &border_name(border));
    }
    for (name, feature) in board.features.iter() {
        feature.places.iter().for_each(|place| placing.put(builder, name, place, None));
        feature.values.iter().for_each(|(place, value)| placing.put(builder, name, place, Some(*value)));
    }
    for (a, b) in &board.meet {
        builder.borders_meet(&a.value, &b.value);
    }
    for link in &board.holding.links {
        builder.holding_link(&link.value);
    }
    for border in &board.holding.borders {
        builder.holding_border(&border.value);
    }
    for feature in &board.holding.features {
        builder.holding_feature(&feature.value);
    }
}

fn spec(link: &Link, network: &Name, sides: &[&str], problems: &mut Vec<Diagnostic>) -> LinkSpec {
    let mut spec = LinkSpec::new(&link.from.value, &link.to.value, &network.value);
    if let Some(name) = &link.name {
        spec = spec.named(name);
    }
    if link.one_way {
        spec = spec.one_way();
    }
    if link.holds_pieces {
        spec = spec.holding_pieces();
    }
    for side in &link.closed_for {
        match sides.iter().position(|s| *s == side.value) {
            Some(n) => spec = spec.closed_for(SideId(n as u8)),
            // Sides that could not be read are not asked for.
            None if sides.is_empty() => {}
            None => {
                let message = format!("there is no side `{}`", side.value);
                let help = crate::suggest::help(side, "sides", sides.iter().copied());
                problems.push(Diagnostic::error("unknown-name", side.span, message).help(help).at("boards"));
            }
        }
    }
    spec
}

fn link_name(link: &Link, network: &Name, main: Option<&str>) -> String {
    match &link.name {
        Some(name) => name.clone(),
        None if main == Some(network.value.as_str()) => format!("{}-{}", link.from.value, link.to.value),
        None => format!("{}-{} ({})", link.from.value, link.to.value, network.value),
    }
}

fn border_name(border: &Border) -> String {
    border.name.clone().unwrap_or_else(|| format!("{}|{}", border.a.value, border.b.value))
}

fn hexes(grid: &Grid) -> HexGridSpec {
    let orientation = match grid.orientation {
        Orientation::FlatTop => Lying::FlatTop,
        Orientation::PointyTop => Lying::PointyTop,
    };
    let shift = match grid.shifted {
        Shifted::First => Shift::First,
        Shifted::Second => Shift::Second,
    };
    let mut spec = HexGridSpec::new(orientation, shift, grid.columns.value, grid.rows.value);
    let (numbering, usual) = (&grid.numbering, HexDigits::default());
    spec.digits = HexDigits {
        order: match numbering.order {
            Order::ColumnRow => DigitOrder::ColumnRow,
            Order::RowColumn => DigitOrder::RowColumn,
        },
        first_column: numbering.first_column.unwrap_or(usual.first_column),
        first_row: numbering.first_row.unwrap_or(usual.first_row),
        column_step: numbering.column_step.unwrap_or(usual.column_step),
        row_step: numbering.row_step.unwrap_or(usual.row_step),
        column_digits: numbering.column_digits.unwrap_or(usual.column_digits),
        row_digits: numbering.row_digits.unwrap_or(usual.row_digits),
        separator: numbering.separator.clone(),
    };
    spec.holes = grid.holes.iter().map(|h| h.value.clone()).collect();
    spec.line_lengths = grid.lengths.clone();
    if let Some(labels) = &grid.labels {
        spec = spec.labelled(|column, row| {
            let name = labels.get(usize::from(row))?.get(usize::from(column))?;
            (!name.value.is_empty()).then(|| name.value.clone())
        });
    }
    spec
}

/// Where each name is written, in order; of a thing that has one of its own, where that begins.
fn names(model: &Model) -> HashMap<String, Vec<Span>> {
    let mut names: HashMap<String, Vec<Span>> = HashMap::new();
    let mut add = |name: &str, span: Span| names.entry(name.to_owned()).or_default().push(span);
    let all = |list: &[Name], add: &mut dyn FnMut(&str, Span)| list.iter().for_each(|n| add(n, n.span));
    for board in model.boards.values() {
        all(&board.networks, &mut add);
        all(&board.boxes, &mut add);
        for (name, space) in board.spaces.iter() {
            add(name, name.span);
            all(&space.features, &mut add);
        }
        if let Some(grid) = &board.grid {
            all(&grid.holes, &mut add);
            all(&grid.labels.iter().flatten().flatten().cloned().collect::<Vec<_>>(), &mut add);
            all(&grid.networks, &mut add);
            add("the hex grid", grid.columns.span);
        }
        for (network, links) in board.links.iter() {
            add(network, network.span);
            for link in links {
                for end in [&link.from, &link.to] {
                    add(end, end.span);
                }
                all(&link.features, &mut add);
                let main = Some(network.value.as_str());
                add(&link_name(link, network, main), link.span);
                add(&link_name(link, network, None), link.span);
            }
        }
        for border in &board.borders {
            for end in [&border.a, &border.b] {
                add(end, end.span);
            }
            all(&border.features, &mut add);
            add(&border_name(border), border.span);
        }
        for (name, feature) in board.features.iter() {
            add(name, name.span);
            all(&feature.places, &mut add);
            feature.values.iter().for_each(|(place, _)| add(place, place.span));
        }
        for (a, b) in &board.meet {
            add(a, a.span);
            add(b, b.span);
        }
        let holding = &board.holding;
        for list in [&holding.links, &holding.borders, &holding.features] {
            all(list, &mut add);
        }
    }
    names
}

/// A problem of the kernel's, with its place.
fn told(problem: &Problem, names: &HashMap<String, Vec<Span>>, whole: Span) -> Diagnostic {
    let first = |name: &str| names.get(name).and_then(|s| s.first()).copied();
    let last = |name: &str| names.get(name).and_then(|s| s.last()).copied();
    // `link "a-b"` names what it speaks of in quotes.
    let quoted = |place: &str| {
        let inner = place.split_once('"').and_then(|(_, rest)| rest.rsplit_once('"')).map(|(inner, _)| inner);
        inner.and_then(last)
    };
    let mut other = None;
    let span = match problem {
        Problem::DuplicateName { name, .. } => {
            // Of links, the second line of one name; of the rest, the second time it is declared.
            let all = names.get(name).cloned().unwrap_or_default();
            other = all.first().copied();
            all.get(1).copied().or(other)
        }
        Problem::AmbiguousPlace { name, .. } => {
            other = names.get(name).and_then(|s| s.get(1)).copied();
            first(name)
        }
        Problem::Unknown { name, place, .. } => {
            let holder = quoted(place);
            let inside =
                |s: &&Span| holder.is_some_and(|h| h.file == s.file && h.start <= s.start && s.end <= h.end);
            let here = names.get(name).and_then(|all| all.iter().find(inside)).copied();
            here.or_else(|| last(name)).or(holder)
        }
        Problem::BadHexNumber { number, .. } => last(number),
        Problem::SameEnds { place, space } => quoted(place).or_else(|| last(space)),
        Problem::DuplicateBorder { place, first: old, .. } => {
            other = first(old);
            quoted(place)
        }
        Problem::MeetsItself { border } => last(border),
        Problem::WrongHolder { feature, .. } => last(feature),
        Problem::DuplicateFeature { feature, place } => {
            other = first(feature);
            last(place)
        }
        Problem::Unreachable { spaces, main } => {
            other = first(main);
            spaces.first().and_then(|s| first(s))
        }
        Problem::NotApart { space, main } => {
            other = first(main);
            first(space)
        }
        Problem::GridSize { .. }
        | Problem::LineLengths { .. }
        | Problem::LineTooLong { .. }
        | Problem::HexDigits { .. } => first("the hex grid"),
        _ => None,
    };
    let span = span.unwrap_or(whole);
    let code = match problem {
        Problem::Unknown { .. } | Problem::BadHexNumber { .. } => "unknown-name",
        Problem::DuplicateName { .. }
        | Problem::DuplicateBorder { .. }
        | Problem::DuplicateFeature { .. } => "duplicate",
        Problem::Unreachable { .. } | Problem::NoLinks { .. } => "unreachable",
        _ => "bad-board",
    };
    let diagnostic = Diagnostic::error(code, span, problem.to_string()).at("boards");
    match other.filter(|o| *o != span) {
        Some(other) => diagnostic.and(other, "the other"),
        None => diagnostic,
    }
}
