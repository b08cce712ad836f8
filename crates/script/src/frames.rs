//! Frames: locals by name for procedures that a step calls.

use adjutant_kernel::flow::NewFrame;
use adjutant_kernel::locals::Words;
use adjutant_kernel::{ProcId, Rulebook};
use mlua::{Table, Value};

use crate::declare::index_of;
use crate::fields::{encode, may_be_absent, show, text};
use crate::handle::Handle;
use crate::problem::suggest;
use crate::shared::{Shared, unknown};
use crate::steps::STEP;

impl Shared {
    /// The procedure that a handle or a name means.
    pub(crate) fn procedure(&self, value: &Value) -> mlua::Result<ProcId> {
        let rb = self.rb()?;
        match value {
            Value::String(name) => {
                let name = name.to_str()?.to_owned();
                rb.procedure_named(&name).ok_or_else(|| unknown("procedure", &name, rb.procedure_names()))
            }
            Value::LightUserData(raw) => {
                let index = Handle::from_raw(*raw).and_then(index_of);
                let id = index.and_then(|n| self.procedures.borrow().get(&n).copied());
                id.ok_or_else(|| mlua::Error::runtime("expected a procedure or its name"))
            }
            other => {
                Err(mlua::Error::runtime(format!("expected a procedure or its name, found {}", show(other))))
            }
        }
    }

    /// A procedure about to begin with locals by name.
    pub(crate) fn frame(&self, procedure: &Value, locals: Option<&Table>) -> mlua::Result<NewFrame> {
        let rb = self.rb()?;
        let id = self.procedure(procedure)?;
        let words = self.words_of(rb, id, locals)?;
        rb.frame(id, &words).ok_or_else(|| mlua::Error::runtime("the locals do not fit the procedure"))
    }

    fn words_of(&self, rb: &Rulebook, id: ProcId, locals: Option<&Table>) -> mlua::Result<Words> {
        let fields = rb.procedure_fields(id);
        if let Some(locals) = locals {
            for pair in locals.pairs::<Value, Value>() {
                let (key, _) = pair?;
                let name = text(&key).unwrap_or_else(|| show(&key));
                if name == STEP || !fields.iter().any(|f| f.name == name) {
                    let known = fields.iter().map(|f| f.name.as_str()).filter(|n| *n != STEP);
                    return Err(mlua::Error::runtime(format!(
                        "procedure `{}` has no local `{name}`{}",
                        rb.procedure_name(id),
                        suggest(&name, known)
                    )));
                }
            }
        }
        let mut words = Words::new();
        for field in fields {
            let given = match locals {
                Some(locals) => self.get::<Value>(locals, &field.name)?,
                None => Value::Nil,
            };
            if given.is_nil() && may_be_absent(&field.ty) {
                words.extend(std::iter::repeat_n(0, field.ty.words()));
                continue;
            }
            encode(rb, &field.ty, &given, &mut words).map_err(|e| {
                mlua::Error::runtime(format!("local `{}` of `{}`: {e}", field.name, rb.procedure_name(id)))
            })?;
        }
        Ok(words)
    }
}
