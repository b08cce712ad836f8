//! The tiny pack that all tests start from, and a procedure for its phases.

use std::path::Path;
use std::sync::Arc;

use adjutant_kernel::flow::{Flow, Halt, Procedure};
use adjutant_kernel::locals::Locals;
use adjutant_kernel::{Action, Cx, Offers, RulebookBuilder, SeatId, SideId, WordId};
use adjutant_pack::{
    Declared, Diagnostic, Files, LoadedPack, MakeFrame, Procedures, Report, Surroundings, check,
};

/// The files of the tiny pack, shown without a folder.
pub(crate) fn tiny() -> Files {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tiny");
    let mut files = Files::read(&folder).expect("the tiny pack can be read");
    files.shown = String::new();
    files
}

/// Everything that is wrong with some layers.
pub(crate) fn problems(layers: &[Files]) -> Report {
    let mut problems = Vec::new();
    let pack = LoadedPack::read(layers, &mut problems);
    let procedures = Asks::default();
    let around = Surroundings { procedures: Some(&procedures), ..Surroundings::default() };
    problems.extend(check(&pack, &around));
    pack.report(problems)
}

/// Asks the side whose turn it is (or the first) whether it is done.
#[derive(Locals)]
pub(crate) struct Asking {
    side: Option<SideId>,
}

impl Procedure for Asking {
    type Module = WordId;

    fn run(&mut self, prompt: &WordId, _: &mut Cx<'_>) -> Result<Flow, Halt> {
        Ok(Flow::ask(SeatId(self.side.map_or(0, |s| s.0)), *prompt))
    }

    fn offers(
        &self,
        prompt: &WordId,
        _: &adjutant_kernel::knowledge::Seen<'_>,
        _: SeatId,
        out: &mut Offers<'_>,
    ) {
        out.add(Action::new(*prompt));
    }

    fn act(&mut self, _: &WordId, _: &mut Cx<'_>, _: SeatId, _: &Action) -> Result<Flow, Halt> {
        Ok(Flow::Done)
    }
}

/// The one procedure of the tiny pack, `act`.
#[derive(Default)]
pub(crate) struct Asks {
    proc: Option<adjutant_kernel::flow::ProcRef<Asking>>,
}

impl Procedures for Asks {
    fn names(&self) -> Vec<String> {
        vec!["act".to_owned()]
    }

    fn declare(&mut self, builder: &mut RulebookBuilder, _: &Declared) -> Result<(), Vec<Diagnostic>> {
        let prompt = builder.word("done");
        let proc = builder.proc::<Asking>("act");
        builder.define(proc, &Arc::new(prompt));
        self.proc = Some(proc);
        Ok(())
    }

    fn find(&self, name: &str, _: bool) -> Result<MakeFrame, String> {
        let proc = self.proc.filter(|_| name == "act").ok_or("it is not declared")?;
        Ok(Arc::new(move |side| proc.with(Asking { side })))
    }
}
