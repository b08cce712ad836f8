//! `draw`: chance for what is imagined. It is no draw of the game: nobody is told, and no stream moves on.

use adjutant_kernel::chance;
use mlua::{Table, Value};

use super::Api;
use crate::fields::integer;
use crate::shared::Shared;

const DRAW: &str = "Draw";

pub(super) fn install(api: &mut Api<'_>) -> mlua::Result<Table> {
    let draw = api.lua.create_table()?;
    api.object(
        DRAW,
        &draw,
        "number",
        "(self: Draw, least: number, most: number) -> number",
        "A whole number from `least` to `most`, each as likely.",
        |_, shared, (_, least, most): (Value, Value, Value)| {
            let bounds = integer(&least).zip(integer(&most)).filter(|(least, most)| least <= most);
            let (least, most) = bounds.ok_or_else(|| {
                mlua::Error::runtime("expected two whole numbers, the first no greater than the second")
            })?;
            let count = u32::try_from(i64::from(most) - i64::from(least) + 1).unwrap_or(u32::MAX);
            Ok(i64::from(least) + i64::from(chance::below(word(shared)?, count)))
        },
    )?;
    api.object(
        DRAW,
        &draw,
        "one_of",
        "<T>(self: Draw, list: { T }) -> T?",
        "One of a list, each as likely; nil of nothing.",
        |_, shared, (_, list): (Value, Table)| {
            let count = u32::try_from(list.raw_len()).unwrap_or(u32::MAX);
            list.raw_get::<Value>(i64::from(chance::below(word(shared)?, count)) + 1)
        },
    )?;
    Ok(draw)
}

/// The next word of the sequence that began with the word which the kernel gave (SplitMix64).
fn word(shared: &Shared) -> mlua::Result<u64> {
    let Some(before) = shared.chance.get() else {
        return Err(mlua::Error::runtime("`draw` is for what `imagine` draws; in a game roll with `g`"));
    };
    let state = before.wrapping_add(0x9e37_79b9_7f4a_7c15);
    shared.chance.set(Some(state));
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    Ok(mixed ^ (mixed >> 31))
}
