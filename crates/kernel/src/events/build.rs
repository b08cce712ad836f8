//! Building events and rendering them for each viewer.

use smallvec::SmallVec;

use super::{Arg, Emitted, Shown, ShownEvent, ShownRelease};
use crate::flow::Cx;
use crate::ids::*;
use crate::knowledge::Audience;
use crate::rulebook::Rulebook;
use crate::state::Read;
use crate::view::Names;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Plain,
    About,
    Answer,
}

/// Collects the arguments of an event.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
/// use adjutant_kernel::events::{Arg, Shown};
/// use adjutant_kernel::{Audience, Viewer};
/// let field = Field::where_first(|ids, cx| {
///     let blue = Audience::side(ids.blue);
///     cx.story(ids.orders, Some(ids.rule), |event| {
///         event.arg(ids.march, Arg::Number(3));
///         event.arg_for(ids.halt, blue, Arg::Flag(true)); // nobody else learns that there is such an argument
///     });
///     Ok(())
/// });
/// let event = field.events.last().unwrap();
/// let red = event.shown(&field.rulebook, Some(Viewer::Side(field.ids.red))).unwrap();
/// assert_eq!((red.arg("march"), red.arg("halt")), (Some(&Shown::Number(3)), None));
/// ```
pub struct EventBuilder<'a> {
    read: Read<'a>,
    args: SmallVec<[(WordId, Audience, Arg, Part); 8]>,
}

impl<'a> EventBuilder<'a> {
    /// The position at this moment.
    pub fn read(&self) -> Read<'a> {
        self.read
    }

    /// An argument for everybody who is shown the event.
    pub fn arg(&mut self, name: WordId, arg: Arg) {
        self.args.push((name, Audience::ALL, arg, Part::Plain));
    }

    /// An argument for some of those who are shown the event; for others it is absent, without a blank.
    pub fn arg_for(&mut self, name: WordId, audience: Audience, arg: Arg) {
        self.args.push((name, audience, arg, Part::Plain));
    }

    /// What a release is about.
    pub fn about(&mut self, name: WordId, arg: Arg) {
        self.args.push((name, Audience::ALL, arg, Part::About));
    }

    /// What a release answers.
    pub fn answer(&mut self, name: WordId, arg: Arg) {
        self.args.push((name, Audience::ALL, arg, Part::Answer));
    }

    pub(crate) fn word_of_column(&self, column: ColumnId) -> WordId {
        let rb = self.read.rb;
        rb.word_named(&rb.column(column).name).unwrap_or(rb.keywords.value)
    }
}

impl Cx<'_> {
    /// Tells everybody a piece of the story.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/field/mod.rs")); } use field::Field;
    /// use adjutant_kernel::events::Arg;
    /// let field = Field::where_first(|ids, cx| {
    ///     cx.story(ids.orders, None, |event| event.arg(ids.halt, Arg::Place(adjutant_kernel::PlaceId(ids.hill.0))));
    ///     Ok(())
    /// });
    /// let event = field.events.last().unwrap().shown(&field.rulebook, None).unwrap();
    /// assert_eq!((event.event.as_str(), event.detail), ("orders", false)); // story, no detail
    /// ```
    pub fn story(&mut self, name: WordId, rule: Option<RuleId>, build: impl FnOnce(&mut EventBuilder<'_>)) {
        self.story_for(name, Audience::ALL, rule, build);
    }

    /// Tells some viewers a piece of the story.
    pub fn story_for(
        &mut self,
        name: WordId,
        audience: Audience,
        rule: Option<RuleId>,
        build: impl FnOnce(&mut EventBuilder<'_>),
    ) {
        if self.sink.on {
            self.emit(name, audience, rule, false, false, true, build);
        }
    }

    /// A kernel event that a log may leave out.
    pub(crate) fn detail(
        &mut self,
        name: WordId,
        audience: Audience,
        build: impl FnOnce(&mut EventBuilder<'_>),
    ) {
        if self.sink.on {
            self.emit(name, audience, None, true, false, true, build);
        }
    }

    /// A kernel event that every viewer is shown in its own way; the umpire, when `viewer` is none, in full.
    pub(crate) fn detail_to(
        &mut self,
        name: WordId,
        viewer: Option<Viewer>,
        build: impl FnOnce(&mut EventBuilder<'_>),
    ) {
        if self.sink.on {
            let audience = viewer.map_or(Audience::NOBODY, Audience::viewer);
            self.emit(name, audience, None, true, false, viewer.is_none(), build);
        }
    }

    /// An event that is a release. While a scenario is laid out it is a detail: views show what is open from the start.
    pub(crate) fn release(
        &mut self,
        name: WordId,
        audience: Audience,
        rule: RuleId,
        build: impl FnOnce(&mut EventBuilder<'_>),
    ) {
        if self.sink.on {
            self.emit(name, audience, Some(rule), self.laying_out, true, true, build);
        }
    }

    #[allow(clippy::too_many_arguments)] // the one place where an event is made
    fn emit(
        &mut self,
        name: WordId,
        audience: Audience,
        rule: Option<RuleId>,
        detail: bool,
        release: bool,
        umpire: bool,
        build: impl FnOnce(&mut EventBuilder<'_>),
    ) {
        let read = Read { rb: self.rb, st: self.st };
        let mut builder = EventBuilder { read, args: SmallVec::new() };
        build(&mut builder);
        let args = builder.args;
        let rb: &Rulebook = self.rb;
        let names = Names::new(self.scratch.ciphers.get(rb, &self.st.handles), read);
        // A reveal tells which piece a body is, so the body goes by its handle there.
        let show = |viewer, arg| match name == rb.keywords.reveal {
            true => names.about(viewer, arg),
            false => names.arg(viewer, arg),
        };
        let event = |viewer: Option<Viewer>| ShownEvent {
            event: rb.word(name).to_owned(),
            rule: rule.map(|r| rb.rule(r).to_owned()),
            detail,
            args: args
                .iter()
                .filter(|(_, audience, ..)| viewer.is_none_or(|v| audience.has(v)))
                .filter_map(|(name, _, arg, _)| Some((rb.word(*name).to_owned(), show(viewer, arg)?)))
                .collect(),
        };
        let part = |viewer: Viewer, wanted: Part| -> Vec<(String, Shown)> {
            args.iter()
                .filter(|(_, _, _, part)| *part == wanted)
                .filter_map(|(name, _, arg, _)| {
                    Some((rb.word(*name).to_owned(), names.about(Some(viewer), arg)?))
                })
                .collect()
        };
        let mut shown: Vec<Option<ShownEvent>> =
            rb.viewers().map(|v| audience.has(v).then(|| event(Some(v)))).collect();
        shown.push(umpire.then(|| event(None)));
        let releases = if release {
            rb.viewers()
                .map(|v| {
                    audience.has(v).then(|| {
                        let mut answer = part(v, Part::Answer);
                        answer.insert(0, ("release".to_owned(), Shown::Name(rb.word(name).to_owned())));
                        ShownRelease {
                            rule: rule.map_or_else(String::new, |r| rb.rule(r).to_owned()),
                            about: part(v, Part::About).into_iter().map(|(_, shown)| shown).collect(),
                            answer,
                            to_all: audience.is_all(),
                        }
                    })
                })
                .collect()
        } else {
            Vec::new()
        };
        self.sink.events.push(Emitted { shown, releases, audience });
    }
}
