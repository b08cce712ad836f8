//! What scripts cost: a call from a point, a property, a whole game.

#[path = "../tests/common/mod.rs"]
mod common;

use adjutant_kernel::board::{BoardBuilder, LinkSpec, Provenance};
use adjutant_kernel::contributions::Combine;
use adjutant_kernel::points::{PointArg, PointDef, RunsOn};
use adjutant_kernel::rulebook::{ColumnClass, SeatRole, ValueKind};
use adjutant_kernel::{BodyId, RulebookBuilder, SpaceId};
use common::{Table, breakthrough, load, open_with};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const SCRIPT: &str = "
rules.procedure('play', { wait = ask { seat = 'red',
    offers = function(g, l, offer) for i = 1, 20 do offer:action('pass', i) end end,
    pass = function(g, l) return 'wait' end } })
rules.point('nothing', 'b:1', nil, function() return nil end)
rules.point('arguments', 'b:1', nil, function(g, unit, space) return 1 end)
rules.point('one', 'b:1', nil, function(g, unit, space) return unit.steps end)
rules.point('two', 'b:1', nil, function(g, unit, space) return unit.steps + unit.strength end)
rules.point('ten', 'b:1', nil, function(g, unit, space)
    return unit.steps + unit.strength + unit.steps + unit.strength + unit.steps
        + unit.strength + unit.steps + unit.strength + unit.steps + unit.strength
end)
rules.point('list', 'b:1', nil, function(g, unit, space) return #space:pieces('red') end)
";

fn points(c: &mut Criterion) {
    let mut board = BoardBuilder::new("two", Provenance::printed("b:1"));
    board.network("land").space("a").space("b").link(LinkSpec::new("a", "b", "land"));
    let Ok(board) = board.build() else { return };
    let mut b = RulebookBuilder::new("bench", "1", board);
    let side = b.side("red");
    b.seat("red", Some(side), SeatRole::Player);
    b.piece("unit", Some(side), "foot", None, &[]);
    let kind = || ValueKind::Int { min: 0, max: 9 };
    b.column::<BodyId>("steps", kind(), 2, ColumnClass::Public);
    b.column::<BodyId>("strength", kind(), 3, ColumnClass::Public);
    let open = b.rule("b:1");
    b.open_information(open);
    let names = ["bare", "nothing", "arguments", "one", "two", "ten", "list"];
    for name in names {
        let (runs_on, combine) = (RunsOn::Both, Combine::Sum);
        b.point(PointDef { name: name.into(), runs_on, combine, start: 0, rules: vec![open] });
    }
    let Ok(program) = load(&mut b, SCRIPT) else { return };
    open_with(&mut b, "play");
    let mut table = Table::new(b, &program);
    if table.start().is_err() {
        return;
    }
    let args = [PointArg::Body(BodyId(0)), PointArg::Space(SpaceId(0))];
    for name in names {
        let Some(point) = table.rulebook().point_named(name) else { continue };
        c.bench_function(&format!("point/{name}"), |b| b.iter(|| table.total(None, point, &args)));
    }
    let Some(seat) = table.rulebook().seat_named("red") else { return };
    c.bench_function("offers/twenty", |b| b.iter(|| table.offers(seat)));
    let offers = table.offers(seat).unwrap_or_default();
    c.bench_function("act/one step", |b| b.iter(|| table.act(seat, &offers[0])));
}

fn games(c: &mut Criterion) {
    let mut table = breakthrough();
    let mut group = c.benchmark_group("playouts");
    group.throughput(Throughput::Elements(1));
    let mut seed = 0;
    group.bench_function("breakthrough in Luau", |b| {
        b.iter(|| {
            seed += 1;
            table.play_out(seed)
        });
    });
    group.finish();
}

criterion_group!(scripts, points, games);
criterion_main!(scripts);
