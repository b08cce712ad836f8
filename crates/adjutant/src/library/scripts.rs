//! The procedures that a pack may call by name: those of its native modules and of its scripts.

use std::collections::HashMap;
use std::sync::Arc;

use adjutant_kernel::flow::NewFrame;
use adjutant_kernel::{MomentId, RulebookBuilder, SideId};
use adjutant_pack::diagnostic::Diagnostic;
use adjutant_pack::source::{FileId, Sources};
use adjutant_pack::{Declared, LoadedPack, MakeFrame, Procedures};
use adjutant_script::{Program, ScriptProblem, opening};

/// The scripts of a pack as they are called: by their path in the pack. Procedures without a name get one from it,
/// and saves name procedures, so that no name depends on where a pack lies.
pub(super) fn script_names(pack: &LoadedPack) -> Vec<(String, FileId)> {
    let sources = &pack.layers.sources;
    pack.layers.scripts.iter().map(|&file| (sources.file(file).path.clone(), file)).collect()
}

/// A problem of a script with its place.
pub(super) fn diagnostic(
    problem: ScriptProblem,
    names: &[(String, FileId)],
    sources: &Sources,
) -> Diagnostic {
    let file = names.iter().find(|(name, _)| *name == problem.file).map(|(_, file)| *file);
    match (file, file.and_then(|file| sources.line(file, problem.line))) {
        (_, Some(span)) => Diagnostic::error("script", span, problem.message),
        (Some(file), None) => {
            Diagnostic::of_file("script", sources.file(file).shown.clone(), problem.message)
        }
        (None, None) => Diagnostic::of_file("script", problem.file, problem.message),
    }
}

/// Native modules, then scripts.
pub(super) struct All<'a> {
    pub(super) modules: Vec<Box<dyn Procedures>>,
    pub(super) scripts: Option<Scripts<'a>>,
}

/// The procedures of scripts.
pub(super) struct Scripts<'a> {
    pub(super) program: &'a Program,
    pub(super) names: &'a [(String, FileId)],
    pub(super) sources: &'a Sources,
    frames: HashMap<String, Frames>,
}

/// How a procedure of a script begins: where it is nobody's turn, and in the turn of each side.
struct Frames {
    without: Result<NewFrame, String>,
    turns: Result<Vec<NewFrame>, String>,
}

impl<'a> Scripts<'a> {
    pub(super) fn new(program: &'a Program, names: &'a [(String, FileId)], sources: &'a Sources) -> Self {
        Self { program, names, sources, frames: HashMap::new() }
    }

    fn declare(&mut self, builder: &mut RulebookBuilder) -> Result<(), Vec<Diagnostic>> {
        let declared = self.program.declare(builder);
        declared.map_err(|problems| {
            problems.into_iter().map(|p| diagnostic(p, self.names, self.sources)).collect::<Vec<_>>()
        })?;
        let rb = builder.so_far();
        for name in self.program.procedures() {
            let Some(proc) = rb.procedure_named(name) else { continue };
            let turns = rb.side_ids().map(|side| opening(rb, proc, Some(side))).collect();
            self.frames.insert(name.clone(), Frames { without: opening(rb, proc, None), turns });
        }
        Ok(())
    }

    fn find(&self, name: &str, in_turn: bool) -> Option<Result<MakeFrame, String>> {
        let frames = self.frames.get(name)?;
        let cannot = |text: &String| {
            let where_to = if in_turn { "here" } else { "here, where it is nobody's turn" };
            format!("procedure `{name}` cannot be called {where_to}: {text}")
        };
        let turns = match &frames.turns {
            Ok(turns) => turns.clone(),
            Err(text) => return Some(Err(cannot(text))),
        };
        // In a turn of a side there is always one.
        let without = match (&frames.without, turns.first()) {
            (Ok(frame), _) => frame.clone(),
            (Err(_), Some(first)) if in_turn => first.clone(),
            (Err(text), _) => return Some(Err(cannot(text))),
        };
        Some(Ok(Arc::new(move |side: Option<SideId>| {
            side.and_then(|side| turns.get(side.index())).unwrap_or(&without).clone()
        })))
    }
}

impl Procedures for All<'_> {
    fn names(&self) -> Vec<String> {
        let scripts = self.scripts.iter().flat_map(|s| s.program.procedures().iter().cloned());
        self.modules.iter().flat_map(|m| m.names()).chain(scripts).collect()
    }

    fn begin(&mut self, builder: &mut RulebookBuilder) -> Vec<(String, MomentId)> {
        self.modules.iter_mut().flat_map(|module| module.begin(builder)).collect()
    }

    fn declare(&mut self, builder: &mut RulebookBuilder, declared: &Declared) -> Result<(), Vec<Diagnostic>> {
        let mut problems = Vec::new();
        for module in &mut self.modules {
            problems.extend(module.declare(builder, declared).err().into_iter().flatten());
        }
        if let Some(scripts) = &mut self.scripts {
            problems.extend(scripts.declare(builder).err().into_iter().flatten());
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    fn find(&self, name: &str, in_turn: bool) -> Result<MakeFrame, String> {
        if let Some(module) = self.modules.iter().find(|m| m.knows(name)) {
            return module.find(name, in_turn);
        }
        let found = self.scripts.as_ref().and_then(|scripts| scripts.find(name, in_turn));
        found.unwrap_or_else(|| Err(format!("there is no procedure `{name}`")))
    }
}
