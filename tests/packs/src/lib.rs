//! The small games as packs: RON and Luau alone.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use adjutant_kernel::flow::NewFrame;
use adjutant_kernel::{Rulebook, RulebookBuilder, SideId, Worker};
use adjutant_pack::{Declared, Diagnostic, Files, LoadedPack, MakeFrame, Procedures, Severity, compile};
use adjutant_script::{Program, ScriptProblem};

/// The procedures that the scripts of a pack declare.
struct Scripts {
    program: Program,
    /// By procedure: the frame in nobody's turn, then in that of each side.
    frames: HashMap<String, Vec<NewFrame>>,
    declared: bool,
}

fn told(problem: &ScriptProblem) -> Diagnostic {
    Diagnostic::of_file("script", problem.to_string(), "see the place before this")
}

impl Procedures for Scripts {
    fn names(&self) -> Vec<String> {
        self.program.procedures().to_vec()
    }

    fn declare(&mut self, builder: &mut RulebookBuilder, _: &Declared) -> Result<(), Vec<Diagnostic>> {
        self.program.declare(builder).map_err(|problems| problems.iter().map(told).collect::<Vec<_>>())?;
        self.declared = true;
        let rb = builder.so_far();
        for name in self.program.procedures() {
            let turns = std::iter::once(None).chain(rb.side_ids().map(Some));
            let frames: Option<Vec<NewFrame>> = turns.map(|side| Program::frame(rb, name, side)).collect();
            self.frames.extend(frames.map(|frames| (name.clone(), frames)));
        }
        Ok(())
    }

    fn find(&self, name: &str) -> Option<MakeFrame> {
        let known = self.program.procedures().iter().any(|p| p == name);
        // Before they are declared procedures are only asked for by name.
        let frames = self.frames.get(name).cloned();
        let frames = frames.or((known && !self.declared).then(Vec::new))?;
        let place = |side: Option<SideId>| side.map_or(0, |s| s.index() + 1);
        Some(Arc::new(move |side| frames[place(side)].clone()))
    }
}

/// A game made of a pack.
pub struct PackGame {
    /// Its rules.
    pub rulebook: Arc<Rulebook>,
    program: Program,
}

impl PackGame {
    /// Opens the pack of a small game by the name of its folder.
    ///
    /// # Errors
    /// All that is wrong with it, as a text.
    pub fn open(name: &str) -> Result<Self, String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let files = Files::read(&folder).map_err(|p| texts(&p))?;
        let mut problems = Vec::new();
        let pack = LoadedPack::read(&[files], &mut problems);
        let sources: Vec<(String, String)> = pack
            .layers
            .scripts
            .iter()
            .map(|id| {
                let file = pack.layers.sources.file(*id);
                (file.path.clone(), file.text.clone())
            })
            .collect();
        let scripts: Vec<(&str, &str)> = sources.iter().map(|(p, t)| (p.as_str(), t.as_str())).collect();
        let program = Program::read(&scripts)
            .map_err(|found| found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
        let mut procedures = Scripts { program, frames: HashMap::new(), declared: false };
        if problems.iter().any(|p| p.severity == Severity::Error) {
            return Err(pack.report(problems).render());
        }
        let (rulebook, _) = compile(&pack, &[], &mut procedures).map_err(|report| report.render())?;
        Ok(Self { rulebook: Arc::new(rulebook), program: procedures.program })
    }

    /// A worker that runs the scripts.
    ///
    /// # Errors
    /// What is wrong with them, as a text.
    pub fn worker(&self) -> Result<Worker, String> {
        let host = self.program.host(&self.rulebook);
        let host =
            host.map_err(|found| found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
        Ok(Worker::new().with_host(host))
    }
}

fn texts(problems: &[Diagnostic]) -> String {
    problems.iter().map(|p| p.message.clone()).collect::<Vec<_>>().join("\n")
}
