//! `changes.ron`: what a layer changes of those below it.

use super::Layers;
use crate::diagnostic::Diagnostic;
use crate::read::{Name, Spanned, record, variants};
use crate::source::Span;
use crate::suggest;
use crate::tree::{self, Field, Node, Path, Value};

variants! {
    /// A change to what lies below.
    pub(crate) enum ChangeKind {
        /// Puts another value in place of one.
        Set(SetValue),
        /// Puts in a value where none is: a new entry of a map or list.
        Insert(InsertValue),
        /// Takes a value out.
        Remove(RemoveValue),
        /// Switches off whatever is attached for a rule.
        SwitchOff(SwitchOff),
    }
}

record! {
    /// Puts another value in place of one.
    pub(crate) struct SetValue {
        /// Where: `tables/fire/rows/3..4`.
        pub(crate) path: Name,
        /// What was there before; if it is not, the change is refused.
        pub(crate) expect: Option<Node>,
        /// What is there now.
        pub(crate) to: Node,
    }

    /// Puts in a value where none is.
    pub(crate) struct InsertValue {
        /// Where: the path of the new entry of a map or struct, or of a list.
        pub(crate) path: Name,
        /// What.
        pub(crate) value: Node,
        /// Before this entry; at the end if left out.
        pub(crate) before: Option<Name>,
    }

    /// Takes a value out.
    pub(crate) struct RemoveValue {
        /// Where.
        pub(crate) path: Name,
        /// What was there before; if it is not, the change is refused.
        pub(crate) expect: Option<Node>,
    }

    /// Switches off whatever is attached for a rule.
    pub(crate) struct SwitchOff {
        /// The rule.
        pub(crate) rule: Name,
        /// Why.
        #[expect(dead_code, reason = "it is for readers of the file")]
        pub(crate) because: Option<String>,
    }
}

/// A change that was made.
///
/// ```
/// use adjutant_pack::Files;
/// use adjutant_pack::layers::{Change, Layers};
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tiny");
/// let tiny = Files::read(folder.as_ref()).unwrap();
/// let house_rules = Files::new("house-rules", [
///     ("pack.ron", r#"(id: "house-rules", title: "House rules", version: "1.0.0", format: 1, api: 1,
///         authors: ["Us"], licence: "MIT", extends: "tiny")"#),
///     ("changes.ron", r#"[Set(path: "points/range/start", expect: 3, to: 4)]"#),
/// ]);
/// let layers = Layers::load(&[tiny, house_rules], &mut Vec::new());
/// let change: &Change = &layers.changes[0];
/// assert_eq!((change.path.to_string().as_str(), change.layer), ("points/range/start", 1));
/// assert_eq!(change.after.as_ref().map(|node| node.to_string()).as_deref(), Some("4"));
/// ```
#[derive(Clone, Debug)]
pub struct Change {
    /// The layer that made it.
    pub layer: usize,
    /// Where the change is written.
    pub span: Span,
    /// What it changed.
    pub path: Path,
    /// What was there before.
    pub before: Option<Node>,
    /// What is there now.
    pub after: Option<Node>,
}

impl Layers {
    pub(super) fn apply(
        &mut self,
        layer: usize,
        change: Spanned<ChangeKind>,
        problems: &mut Vec<Diagnostic>,
    ) {
        let span = change.span;
        let done = match change.value {
            ChangeKind::Set(set) => {
                let path = Path::parse(&set.path);
                self.guard(layer, &set.path, &path, set.expect.as_ref(), problems).and_then(|before| {
                    let after = set.to;
                    *path.follow_mut(&mut self.root)? = after.clone();
                    Some(Change { layer, span, path, before: Some(before), after: Some(after) })
                })
            }
            ChangeKind::Remove(remove) => {
                let path = Path::parse(&remove.path);
                self.guard(layer, &remove.path, &path, remove.expect.as_ref(), problems).and_then(|before| {
                    self.remove(&path)?;
                    Some(Change { layer, span, path, before: Some(before), after: None })
                })
            }
            ChangeKind::Insert(insert) => self.insert(layer, span, insert, problems),
            ChangeKind::SwitchOff(off) => {
                if self.switched_off.iter().all(|r| r.value != off.rule.value) {
                    self.switched_off.push(off.rule);
                }
                None
            }
        };
        self.changes.extend(done);
    }

    /// The value at the path of a change, if it may be changed.
    fn guard(
        &self,
        layer: usize,
        written: &Name,
        path: &Path,
        expect: Option<&Node>,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<Node> {
        if path.parts().len() < 2 || path.parts()[0] == "pack" {
            let message = format!("`{}` is no path that can be changed", written.value);
            let help = "a path names a section and what is in it, such as `tables/fire/rows/3..4`";
            problems.push(Diagnostic::error("bad-path", written.span, message).help(help));
            return None;
        }
        let now = match path.follow(&self.root) {
            Ok(node) => node,
            Err(reached) => {
                problems.push(self.leads_nowhere(written, path, reached));
                return None;
            }
        };
        let earlier = self.changes.iter().rev().find(|c| c.layer != layer && c.path.overlaps(path));
        if let Some(twice) = self.changes.iter().find(|c| c.layer == layer && c.path == *path) {
            let message = format!("`{path}` is changed twice by one layer");
            let problem = Diagnostic::error("duplicate", written.span, message).label("changed again here");
            problems.push(problem.and(twice.span, "changed here first").at(path.to_string()));
            return None;
        }
        let agreed = expect.is_some_and(|e| e.same(now));
        if let Some(expect) = expect.filter(|_| !agreed) {
            let message = format!("`{path}` is not what this change expects");
            let problem = Diagnostic::error("expect", expect.span, message)
                .label(format!("expected {}", brief(expect)))
                .and(now.span, format!("it is {}", brief(now)))
                .help("look at what changed, and set `expect` to the value of today")
                .at(path.to_string());
            problems.push(problem);
            return None;
        }
        if let Some(earlier) = earlier.filter(|_| !agreed) {
            let by = &self.layers[earlier.layer].id;
            let message = format!("`{path}` is changed by two layers");
            let problem = Diagnostic::error("layer-conflict", written.span, message)
                .label("changed again here")
                .and(earlier.span, format!("changed by `{by}` here"))
                .help(format!("if this is meant, add `expect: {}`", brief(now)))
                .at(path.to_string());
            problems.push(problem);
            return None;
        }
        if expect.is_none() {
            let message = format!("it is not said what `{path}` was");
            let problem = Diagnostic::warning("no-expect", written.span, message);
            let help = format!("add `expect: {}`, so that a change below is noticed", brief(now));
            problems.push(problem.help(help).at(path.to_string()));
        }
        Some(now.clone())
    }

    fn leads_nowhere(&self, written: &Name, path: &Path, reached: usize) -> Diagnostic {
        let parts = path.parts();
        let mut at = Path::default();
        for part in &parts[..reached] {
            at = at.then(part);
        }
        let wrong = &parts[reached];
        let (known, holder) = match at.follow(&self.root) {
            Ok(node) => (tree::names(node), Some(node.span)),
            Err(_) => (Vec::new(), None),
        };
        let holder = holder.filter(|_| reached > 0);
        let message = match reached {
            0 => format!("the path `{path}` leads nowhere: there is no section `{wrong}`"),
            _ => format!("the path `{path}` leads nowhere: `{at}` has no `{wrong}`"),
        };
        let what = if reached == 0 { "sections" } else { "names there" };
        let problem = Diagnostic::error("bad-path", written.span, message).label("no such path");
        let gone = at.then(wrong);
        if let Some(removed) = self.changes.iter().find(|c| c.after.is_none() && c.path == gone) {
            let by = &self.layers[removed.layer].id;
            return problem.and(removed.span, format!("`{by}` removes it here"));
        }
        if reached == 0 && ["scripts", "text", "tests"].contains(&wrong.as_str()) {
            return problem.help(format!(
                "files are not changed by paths: lay one of your own beside `changes.ron`, with the same path, and \
                 {}",
                match wrong.as_str() {
                    "scripts" => "it stands in place of the script below",
                    "text" => "its texts count before those below",
                    _ => "it is run with those below",
                }
            ));
        }
        if reached == 0 && super::SECTIONS.contains(&wrong.as_str()) {
            return problem
                .help(format!("no pack below has one: begin it with a file `{wrong}.ron` in this pack"));
        }
        let known = known.iter().map(String::as_str);
        let problem = problem.help(match wrong.parse::<usize>() {
            Ok(_) => suggest::list(what, known),
            // The sections are few enough to be named all.
            Err(_) if reached == 0 => match suggest::nearest(wrong, known.clone()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "the sections are {}",
                    known.map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
                ),
            },
            Err(_) => suggest::help(wrong, what, known),
        });
        match holder {
            Some(span) => problem.and(span, format!("`{at}` is this")),
            None => problem,
        }
    }

    fn remove(&mut self, path: &Path) -> Option<()> {
        let (holder, last) = path.split_last()?;
        match &mut holder.follow_mut(&mut self.root)?.value {
            Value::Fields(fields) => fields.list.retain(|f| f.key != last),
            Value::List(items) | Value::Tuple { items, .. } => {
                let at = tree::entry(items, last)?;
                items.remove(at);
            }
            Value::Flag(_) | Value::Number(_) | Value::Decimal(_) | Value::Text(_) | Value::Broken => {}
        }
        Some(())
    }

    fn insert(
        &mut self,
        layer: usize,
        span: Span,
        insert: InsertValue,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<Change> {
        let path = Path::parse(&insert.path);
        if path.parts().len() < 2 || path.parts()[0] == "pack" {
            let message = format!("`{}` is no path that can be changed", insert.path.value);
            let help = "a path names a section and what is in it, such as `tables/fire/rows/3..4`";
            problems.push(Diagnostic::error("bad-path", insert.path.span, message).help(help));
            return None;
        }
        let after = Some(insert.value.clone());
        let change = Change { layer, span, path: path.clone(), before: None, after };
        if let Ok(there) = path.follow(&self.root) {
            let here = there.span;
            let Some(Node { value: Value::List(items), .. }) = path.follow_mut(&mut self.root) else {
                let message = format!("`{path}` is there already");
                problems.push(
                    Diagnostic::error("exists", insert.path.span, message)
                        .and(here, "here")
                        .help("use `Set(path: .., expect: .., to: ..)` to change it"),
                );
                return None;
            };
            let at = match &insert.before {
                None => items.len(),
                Some(before) => match tree::entry(items, before) {
                    Some(at) => at,
                    None => {
                        problems.push(no_entry(before, &path));
                        return None;
                    }
                },
            };
            items.insert(at, insert.value);
            return Some(change);
        }
        let (holder, last) = path.split_last()?;
        if let Err(reached) = holder.follow(&self.root) {
            problems.push(self.leads_nowhere(&insert.path, &path, reached));
            return None;
        }
        let Some(Node { value: Value::Fields(fields), .. }) = holder.follow_mut(&mut self.root) else {
            let message =
                format!("`{holder}` is neither a map nor a struct, so nothing can be called `{last}` there");
            let mut problem = Diagnostic::error("bad-path", insert.path.span, message);
            if let Ok(Node { value: Value::List(_), .. }) = holder.follow(&self.root) {
                problem = problem.help(format!(
                    "it is a list: write `path: \"{holder}\"`, and `before: \"{last}\"` for a place in it"
                ));
            }
            problems.push(problem);
            return None;
        };
        let at = match &insert.before {
            None => fields.list.len(),
            Some(before) => match fields.list.iter().position(|f| f.key == before.value) {
                Some(at) => at,
                None => {
                    problems.push(no_entry(before, &holder));
                    return None;
                }
            },
        };
        let field = Field { key: last.to_owned(), key_span: insert.path.span, node: insert.value };
        fields.list.insert(at, field);
        Some(change)
    }
}

fn no_entry(before: &Name, path: &Path) -> Diagnostic {
    let message = format!("`{path}` has no entry `{}` to insert before", before.value);
    Diagnostic::error("bad-path", before.span, message)
}

/// A value on one line, cut off when it is long.
fn brief(node: &Node) -> String {
    let text = node.to_string();
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{} ..", &text[..at]),
        None => text,
    }
}
