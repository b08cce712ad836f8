//! Text: events, prompts, actions and refusals in words.
//!
//! A pack says them in Fluent (`text/en.ftl`), by message key with typed arguments. What it does not say is made of
//! the names themselves, so that everything can be read.
//!
//! | what | key | arguments |
//! | --- | --- | --- |
//! | an event | `event-` and its name | those of the event; `rule` |
//! | a prompt | `prompt-` and its name | |
//! | an action | `action-` and its verb | `target1` to `target4` |
//! | a verb, where there is no text for the action | `verb-` and its name | |
//! | a name | `side-`, `seat-`, `phase-`, `option-`, `scenario-`, `piece-`, `place-`, `column-`, `word-` and the name | |
//!
//! A column whose text is `-` is of use to the rules alone: frontends do not show it.
//!
//! Names are written in small letters, with `-` for everything but letters and digits. Names of arguments have `_`
//! for it, as in `{ $to_place }`.

use std::collections::BTreeMap;

use adjutant_kernel::events::{Shown, ShownBody, ShownEvent};
use adjutant_kernel::view::{BodyView, PlaceView, ShownAction, ShownTarget, View};
use adjutant_kernel::{Refused, Rulebook};
use adjutant_pack::text::key;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

/// The texts of a pack in a language.
///
/// ```
/// use adjutant::kernel::view::{ShownAction, ShownTarget};
/// use adjutant::kernel::Refused;
/// use adjutant::text::Text;
/// let rules = [("ford:3.1".to_owned(), "Horse stays off heights.".to_owned())].into();
/// let text = Text::new("en", &["side-blue = The blue army\nprompt-march = March, or rest"], rules);
/// assert_eq!((text.label("side", "blue"), text.prompt("march")), ("The blue army".into(), "March, or rest".into()));
/// let march = ShownAction { verb: "march".into(), targets: vec![ShownTarget::Place("Hill".into())] };
/// assert_eq!(text.action(&march), "march Hill"); // without a text it is made of the names
/// let refused = Refused::Rule { rule: "ford:3.1".into() };
/// assert!(text.refused(&refused).contains("Horse stays off heights"));
/// ```
#[derive(Default)]
pub struct Text {
    bundle: Option<FluentBundle<FluentResource>>,
    rules: BTreeMap<String, String>,
}

/// What a name may be of, in the order in which a text for it is looked for.
const KINDS: &[&str] = &["side", "piece", "place", "phase", "seat", "word", "option", "scenario"];

impl Text {
    /// Texts in a language from Fluent files, of which a later one counts more, and summaries of rules by id.
    pub fn new(language: &str, files: &[&str], rules: BTreeMap<String, String>) -> Self {
        let language: LanguageIdentifier = language.parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![language]);
        // Marks for mixed directions would be seen in a terminal.
        bundle.set_use_isolating(false);
        for file in files {
            // What cannot be read in a file was reported when the pack was checked; the rest of it is good.
            let resource = FluentResource::try_new((*file).to_owned()).unwrap_or_else(|(rest, _)| rest);
            bundle.add_resource_overriding(resource);
        }
        Self { bundle: (!files.is_empty()).then_some(bundle), rules }
    }

    /// The message with a key; `None` when there is none, or it cannot be made of these arguments.
    pub fn message(&self, key: &str, args: &FluentArgs<'_>) -> Option<String> {
        let bundle = self.bundle.as_ref()?;
        let pattern = bundle.get_message(key)?.value()?;
        let mut errors = Vec::new();
        let text = bundle.format_pattern(pattern, Some(args), &mut errors).into_owned();
        errors.is_empty().then_some(text)
    }

    /// A name in words: of a `kind` such as `side` or `phase`.
    pub fn label(&self, kind: &str, name: &str) -> String {
        self.message(&key(kind, name), &FluentArgs::new()).unwrap_or_else(|| name.replace('_', " "))
    }

    /// A name in words, whatever it is of.
    pub fn name(&self, name: &str) -> String {
        let found = KINDS.iter().find_map(|kind| self.message(&key(kind, name), &FluentArgs::new()));
        found.unwrap_or_else(|| name.replace('_', " "))
    }

    /// An event on one line: what, its arguments, and the rule that it comes from.
    ///
    /// ```
    /// use adjutant::kernel::events::{Shown, ShownEvent};
    /// use adjutant::text::Text;
    ///
    /// let event = ShownEvent {
    ///     event: "blocks".into(),
    ///     rule: Some("pl:9.b".into()),
    ///     detail: false,
    ///     args: vec![("number".into(), Shown::Number(2))],
    /// };
    /// assert_eq!(Text::default().event(&event), "blocks: number 2 (pl:9.b)");
    /// let text = Text::new("en", &["event-blocks = { $number } block the way"], Default::default());
    /// assert_eq!(text.event(&event), "2 block the way (pl:9.b)");
    /// ```
    pub fn event(&self, event: &ShownEvent) -> String {
        let mut args = FluentArgs::new();
        for (name, shown) in &event.args {
            args.set(variable(name), self.value(shown));
        }
        if let Some(rule) = &event.rule {
            args.set("rule", rule.clone());
        }
        let mut line = self.message(&key("event", &event.event), &args).unwrap_or_else(|| self.plain(event));
        if let Some(rule) = event.rule.as_ref().filter(|rule| !line.contains(rule.as_str())) {
            line.push_str(&format!(" ({rule})"));
        }
        line
    }

    /// An event for which there is no text; those of the kernel that every title has read as sentences do.
    fn plain(&self, event: &ShownEvent) -> String {
        let arg = |name: &str| event.arg(name).map(|shown| self.shown(shown));
        match (event.event.as_str(), arg("name"), arg("side"), arg("winner")) {
            ("phase", Some(phase), Some(side), _) => return format!("{side}: {phase}"),
            ("phase", Some(phase), None, _) => return phase,
            ("end", _, _, Some(winner)) => return format!("{winner} has won"),
            ("end", _, _, None) => return "the game ends in a draw".to_owned(),
            ("reveal", _, _, _) => {
                if let Some(piece) = arg("piece") {
                    return format!("{piece} is shown");
                }
            }
            ("narrow", _, _, _) => {
                if let (Some(body), Some(is)) = (arg("body"), arg("is")) {
                    return format!("{body} is one of {is}");
                }
            }
            ("tell", _, _, _) => {
                if let (Some(question), Some(answer)) = (arg("question"), arg("answer")) {
                    let about = arg("about").map(|about| format!(" of {about}")).unwrap_or_default();
                    return format!("{question}{about}: {answer}");
                }
            }
            ("draw", _, _, _) => {
                if let Some(table) = arg("table") {
                    let parts = event.args.iter().filter(|(name, _)| name != "table" && name != "number");
                    let part = |(name, shown): &(String, Shown)| match name.as_str() {
                        "answer" => self.shown(shown),
                        name => format!("{} {}", name.replace('_', " "), self.shown(shown)),
                    };
                    return format!("{table}: {}", parts.map(part).collect::<Vec<_>>().join(", "));
                }
            }
            _ => {}
        }
        let mut line = event.event.replace('_', " ");
        for (n, (name, shown)) in event.args.iter().enumerate() {
            line.push_str(if n == 0 { ": " } else { ", " });
            line.push_str(&format!("{} {}", name.replace('_', " "), self.shown(shown)));
        }
        line
    }

    /// What a seat is asked.
    pub fn prompt(&self, prompt: &str) -> String {
        self.label("prompt", prompt)
    }

    /// An action in words, bodies by their handles.
    pub fn action(&self, action: &ShownAction) -> String {
        self.action_with(action, &BTreeMap::new(), &|_| None)
    }

    /// An action in words as a seat reads it that has this view: bodies whose pieces it knows by their names.
    ///
    /// ```
    /// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
    /// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
    /// use adjutant::text::Text;
    /// use adjutant::{Game, Setup};
    /// # let mut game = Game::start(&rules, Setup::default())?;
    /// # let blue = game.rulebook().seat_named("blue").unwrap();
    /// let (march, view) = (game.offers(blue)[0].clone(), game.view(blue).position);
    /// assert_eq!(Text::default().action_in(&march, &view), "march Horse ford"); // not its handle
    /// # Ok::<(), adjutant::StartError>(())
    /// ```
    pub fn action_in(&self, action: &ShownAction, view: &View) -> String {
        let known = known(view);
        self.action_with(action, &known, &|_| None)
    }

    /// An action in words as [`action_in`](Self::action_in) gives it, a link by where it leads to from the place, or
    /// from where the body or stack stands, that the action names too.
    pub fn action_on(&self, action: &ShownAction, view: &View, rulebook: &Rulebook) -> String {
        let places: Vec<&str> = action.targets.iter().filter_map(|target| place_of(target, view)).collect();
        let board = rulebook.board();
        let leads_to = |link: &str| {
            let link = board.link_named(link)?;
            let (a, b) = board.link_ends(link);
            let (a, b) = (board.space_name(a), board.space_name(b));
            let to = match (places.contains(&a), places.contains(&b)) {
                (true, false) => b,
                (false, true) => a,
                (true, true) | (false, false) => return None,
            };
            let to = self.label("place", to);
            // Between two spaces there may be links of several networks.
            Some(match board.network_count() {
                0 | 1 => to,
                _ => format!("{to} ({})", board.network_name(board.link_network(link)).replace('_', " ")),
            })
        };
        self.action_with(action, &known(view), &leads_to)
    }

    fn action_with(
        &self,
        action: &ShownAction,
        known: &BTreeMap<&str, &str>,
        leads_to: &dyn Fn(&str) -> Option<String>,
    ) -> String {
        let mut args = FluentArgs::new();
        let mut plain = self.label("verb", &action.verb);
        for (n, target) in action.targets.iter().enumerate() {
            let led = match target {
                ShownTarget::Link(link) => leads_to(link),
                _ => None,
            };
            let text = led.unwrap_or_else(|| self.target(target, known));
            plain.push(' ');
            plain.push_str(&text);
            let value = match target {
                ShownTarget::Number(number) => FluentValue::from(*number),
                _ => FluentValue::from(text),
            };
            args.set(format!("target{}", n + 1), value);
        }
        self.message(&key("action", &action.verb), &args).unwrap_or(plain)
    }

    /// Why something was refused: with what the rule says in short, where the ledger has it.
    pub fn refused(&self, refused: &Refused) -> String {
        match refused {
            Refused::Rule { rule } => {
                let whole = rule.split_once('#').map_or(rule.as_str(), |(whole, _)| whole);
                match self.rules.get(rule).or_else(|| self.rules.get(whole)) {
                    Some(summary) => format!("forbidden by {rule}: {summary}"),
                    None => refused.to_string(),
                }
            }
            other => other.to_string(),
        }
    }

    fn value(&self, shown: &Shown) -> FluentValue<'static> {
        match shown {
            Shown::Number(number) => FluentValue::from(*number),
            other => FluentValue::from(self.shown(other)),
        }
    }

    fn shown(&self, shown: &Shown) -> String {
        match shown {
            Shown::Body(body) => self.body(body),
            Shown::Stack(text) => text.clone(),
            Shown::Name(text) => self.name(text),
            Shown::Bodies(list) => list.iter().map(|body| self.body(body)).collect::<Vec<_>>().join(" "),
            Shown::Number(number) => number.to_string(),
            Shown::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
            Shown::List(list) => {
                let nested = list.iter().any(|shown| matches!(shown, Shown::List(_)));
                let between = if nested { ", " } else { " " };
                list.iter().map(|s| self.shown(s)).collect::<Vec<_>>().join(between)
            }
        }
    }

    fn body(&self, body: &ShownBody) -> String {
        body.piece.as_ref().map_or_else(|| body.handle.clone(), |piece| self.label("piece", piece))
    }

    fn target(&self, target: &ShownTarget, known: &BTreeMap<&str, &str>) -> String {
        match target {
            ShownTarget::Body(handle) | ShownTarget::Stack(handle) => match known.get(handle.as_str()) {
                Some(piece) if matches!(target, ShownTarget::Stack(_)) => {
                    format!("/{}", self.label("piece", piece))
                }
                Some(piece) => self.label("piece", piece),
                None => target.to_string(),
            },
            ShownTarget::Place(name) => self.label("place", name),
            ShownTarget::Choice(name) => self.label("word", name),
            ShownTarget::Piece(name) => self.label("piece", name),
            ShownTarget::Side(name) => self.label("side", name),
            ShownTarget::Link(_) | ShownTarget::Number(_) => target.to_string(),
        }
    }
}

/// The pieces that a view shows, by the handles of their bodies, and of stacks by what is on top.
///
/// ```
/// # mod field { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel/tests/field/mod.rs")); }
/// # let rules = std::sync::Arc::new(field::Field::rules(|_, _| Ok(())).0);
/// use adjutant::text::known;
/// use adjutant::{Game, Setup};
/// # let mut game = Game::start(&rules, Setup::default())?;
/// # let blue = game.rulebook().seat_named("blue").unwrap();
/// let view = game.view(blue).position;
/// let top = &view.places["hill"].stacks[0].bodies[0];
/// assert_eq!(known(&view)[top.handle.as_str()], "Horse");
/// # Ok::<(), adjutant::StartError>(())
/// ```
pub fn known(view: &View) -> BTreeMap<&str, &str> {
    let mut known = BTreeMap::new();
    for place in view.places.values() {
        place.bodies.iter().for_each(|body| note(body, &mut known));
        for stack in &place.stacks {
            stack.bodies.iter().for_each(|body| note(body, &mut known));
            if let Some(piece) = stack.bodies.first().and_then(|top| top.piece.as_deref()) {
                known.insert(stack.handle.as_str(), piece);
            }
        }
    }
    known
}

/// The place that a target of an action is, or stands in.
fn place_of<'a>(target: &'a ShownTarget, view: &'a View) -> Option<&'a str> {
    fn is_or_leads(body: &BodyView, handle: &str) -> bool {
        body.handle == handle || body.command.iter().any(|under| is_or_leads(under, handle))
    }
    let (handle, stacks) = match target {
        ShownTarget::Place(name) => return Some(name),
        ShownTarget::Body(handle) => (handle, false),
        ShownTarget::Stack(handle) => (handle, true),
        _ => return None,
    };
    let holds = |place: &PlaceView| {
        let mut bodies = place.bodies.iter().chain(place.stacks.iter().flat_map(|stack| &stack.bodies));
        match stacks {
            true => place.stacks.iter().any(|stack| stack.handle == *handle),
            false => bodies.any(|body| is_or_leads(body, handle)),
        }
    };
    view.places.iter().find(|(_, place)| holds(place)).map(|(name, _)| name.as_str())
}

/// Notes the piece of a body and of those under its command, where they are known.
fn note<'a>(body: &'a BodyView, known: &mut BTreeMap<&'a str, &'a str>) {
    if let Some(piece) = &body.piece {
        known.insert(&body.handle, piece);
    }
    body.command.iter().for_each(|under| note(under, known));
}

/// The name of an argument as Fluent takes it.
fn variable(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
}

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Text({})", if self.bundle.is_some() { "Fluent" } else { "plain" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(name: &str, args: &[(&str, Shown)]) -> ShownEvent {
        let args = args.iter().map(|(name, shown)| ((*name).to_owned(), shown.clone())).collect();
        ShownEvent { event: name.to_owned(), rule: None, detail: false, args }
    }

    #[test]
    fn what_every_title_has_reads_as_a_sentence_without_texts() {
        let (name, number) = (|text: &str| Shown::Name(text.to_owned()), Shown::Number);
        let text = Text::default();
        let shown = [
            ("body", Shown::Body(ShownBody { handle: "vlzz".to_owned(), piece: None })),
            ("piece", name("Ballast 1")),
        ];
        assert_eq!(text.event(&event("reveal", &shown)), "Ballast 1 is shown");
        let drawn =
            [("table", name("chase")), ("number", number(1)), ("die", number(6)), ("answer", name("taken"))];
        assert_eq!(text.event(&event("draw", &drawn)), "chase: die 6, taken");
        assert_eq!(text.event(&event("draw", &drawn[2..])), "draw: die 6, answer taken");
        let told = [("question", name("any_steady")), ("about", name("Hill")), ("answer", Shown::Flag(true))];
        assert_eq!(text.event(&event("tell", &told)), "any steady of Hill: yes");
        assert_eq!(
            text.event(&event("narrow", &[shown[0].clone(), ("is", name("horse"))])),
            "vlzz is one of horse"
        );
    }
}
