//! One turn of picket line, step by step, as its seats see it.
//!
//! Handles are printed as on the page of the game (`qt`, `/xm`): they are examples there and mean the same body as
//! long as a viewer sees it under that handle. Where Amber and Blue know a body by different handles a line says
//! `qt|cx`. A line is `A:` or `B:` when only that side is shown it (or in that form). Spectators are shown what Blue is
//! shown, with handles of their own.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

mod table;

use adjutant::Standing;
use table::SEATS;
use table::trace::{Story, in_order};

/// What Amber holds of a body of Blue that may be anything.
const ALL_OF_BLUE: &str = "bF3 bF2 bG bH2 bH1 bL bD1 bD2";
/// What is left when bL, bF3 and bD1 are known elsewhere.
const REST_OF_BLUE: &str = "bF2 bG bH2 bH1 bD2";

#[test]
fn one_turn() {
    let mut story = Story::begin();
    stopped_by_control_unseen(&mut story);
    a_probe_and_an_owner_without_cavalry(&mut story);
    a_force_march_with_one_sham_roll(&mut story);
    a_dummy_returns_and_every_area_is_mixed(&mut story);
    interception_of_dummies_and_of_others(&mut story);
    draft_and_commit_fork_and_join(&mut story);
    hidden_base_and_secret_points(&mut story);
}

/// (a)
fn stopped_by_control_unseen(story: &mut Story) {
    story.asked(&["amber"], "march");
    let march = |stack: &str, numbers: &[u8], link: &str| -> Vec<String> {
        numbers.iter().map(|n| format!("march {stack} {n} {link}")).collect()
    };
    let mut wanted = [
        march("/xm", &[1, 2], "1-4"),
        march("/xm", &[1, 2], "4-5"),
        march("/xm", &[1], "4-7"),
        march("/xq", &[1, 2], "4-7"),
        march("/xq", &[1, 2, 3], "7-8"),
        march("/ss", &[1, 2, 3], "6-9"),
        march("/ss", &[1, 2, 3], "8-9"),
        vec!["done".to_owned()],
    ]
    .concat();
    let mut offers = story.offers("amber");
    wanted.sort();
    offers.sort();
    assert_eq!(offers, wanted);
    assert_eq!(offers.len(), 17);
    assert_eq!(story.why_not("amber", "march /xm 2 4-7").as_deref(), Some("pl:3.d"));

    story.step(
        "amber march /xm 1 4-5",
        [2, 2, 2, 2],
        "",
        "tell R{<qt|cx>} yes 7.c
         tell R{<sm tn|jh kx>} yes 7.d
         stopped <qt|cx> 4 4-5 7.d",
    );
    for seat in ["blue", "scouts"] {
        story.can(seat, "cx", "aF3 aF2 aG aH2 aH1");
    }
    let spectator = table::seat(&story.game, "spectator");
    let stopped = table::stacks(&mut story.game, spectator, "4", "amber").pop().unwrap();
    assert_eq!(table::candidates(&stopped.bodies[0]), "aF3 aF2 aG aH2 aH1");
    story.can("amber", "sm tn", ALL_OF_BLUE);
    assert_eq!(story.told("amber"), ["real {sm tn} yes"]);
    // aH1 is fresh and its links are free.
    story.stands("amber", "amber", &["4 /xm tl /new qt"]);
    assert!(!story.offers("amber").iter().any(|offer| offer.starts_with("march /xm")));
    assert_eq!(story.why_not("amber", "march /xm 1 4-5").as_deref(), Some("pl:7.d"));
    assert_eq!(story.why_not("amber", "march /new 1 4-5").as_deref(), Some("pl:7.a"));
}

/// (b)
fn a_probe_and_an_owner_without_cavalry(story: &mut Story) {
    // Before the ford is used up, 9 holds three.
    let mut other = story.branch();
    table::play(&mut other, &["amber 7/2 7-8"]);
    let amber = table::seat(&other, "amber");
    let press = table::words(&other, amber, "press 8 8-9");
    assert_eq!(table::why_not(&mut other, "amber", &press).as_deref(), Some("pl:3.d"));

    let mut standing = story.branch();
    story.step("amber march /ss 2 6-9", [3, 3, 3, 3], "", "marched <vj pn|lm ff> 6-9 6 7.a");
    story.stands("amber", "amber", &["6 /amber6 vj pn", "9 /ss nt"]);
    story.stands("blue", "amber", &["6 /blue6 lm ff", "9 /p9 lj"]);
    story.asked(&["scouts"], "intercept");
    assert_eq!(story.offers("scouts"), ["decline"]);
    assert!(story.offers("blue").is_empty());
    let view = story.game.view(table::seat(&story.game, "blue")).position;
    assert!(view.links["6-9"].contains_key("used"));
    assert!(view.places["6"].values.contains_key("over"));
    for body in &view.places["6"].stacks[0].bodies {
        if body.side.as_deref() == Some("amber") {
            assert_eq!(format!("{:?}", body.values["march"]), "Name(\"arrived\")");
        }
    }

    story.step("scouts decline", [4, 4, 4, 4], "", "declined 6 8");
    // An answer given in advance shows the same.
    let scouts = table::seat(&standing, "scouts");
    let answer = Standing {
        prompt: "intercept".to_owned(),
        verb: "decline".to_owned(),
        until: Some("rest".to_owned()),
    };
    standing.stand(scouts, answer).unwrap();
    table::play(&mut standing, &["amber 9/2 6-9"]);
    for name in SEATS {
        let seat = table::seat(&standing, name);
        assert_eq!(standing.packet(seat), story.game.packet(seat), "{name}");
        assert_eq!(standing.log(seat), story.game.log(seat), "{name}");
    }
    assert_eq!(standing.journal().len(), story.game.journal().len());

    story.step(
        "amber probe vj /dg",
        [5, 5, 5, 5],
        "",
        "probe </amber6 /dg|/blue6 /o6> 9
         see <vj|lm> = aH2 9.a",
    );
    story.asked(&["scouts"], "block");
    assert_eq!(story.offers("scouts"), ["done"]);
    story.step(
        "scouts done",
        [6, 6, 6, 6],
        "",
        "blocks 0 9.b
         draw public#1 probe 4 difference 2 column 2.. result 2 9.c
         see <qw|rg> = bD1 9.d
         removed <qw|rg> blue.pool 3.c
         see <kl|lp> = leader 9.d
         see <xd|vv> = bF3 9.d",
    );
    story.can("amber", "kl", "bL");
    story.can("amber", "xd", "bF3");
    story.can("amber", "vb xl hc sm tn", REST_OF_BLUE);
    let amber = table::seat(&story.game, "amber");
    let up = story.handles[0].get("xd").to_owned();
    assert!(table::body(&mut story.game, amber, &up).unwrap().up);
}

/// (e)
fn a_force_march_with_one_sham_roll(story: &mut Story) {
    story.step("amber march /xq 3 7-8", [7, 6, 6, 6], "amber", "A: marched kc bc zm 7-8 8 7.a");
    story.step("amber undo", [8, 6, 6, 6], "", "");
    story.step("amber march /xq 2 7-8", [9, 6, 6, 6], "amber", "A: marched kc bc 7-8 8 7.a");
    story.step(
        "amber press 8 8-9",
        [10, 7, 7, 7],
        "",
        "B: marched wc qk 7-8 8 7.a
         A: draw public#2 straggle 6 bodies kc mods [] private_mods [] column other result no 7.f
         B: draw public#2 straggle 6 bodies wc mods [] 7.f
         A: draw public#3 straggle 5 bodies bc mods [] private_mods [] column foot result yes 7.f
         B: draw public#3 straggle 5 bodies qk mods [] 7.f
         pressed <kc bc|wc qk> 8-9 9 7.f",
    );
    let weary = |story: &mut Story, seat: &str, printed: &str| {
        let who = table::seat(&story.game, seat);
        let actual = story.handles[usize::from(seat != "amber")].get(printed).to_owned();
        table::body(&mut story.game, who, &actual).unwrap().values.contains_key("weary")
    };
    assert!(weary(story, "amber", "bc") && !weary(story, "amber", "kc"));
    assert!(!weary(story, "blue", "qk"));
    story.step("amber done", [11, 8, 8, 8], "", "phase combat amber");
    assert_eq!(story.told("amber"), ["real {sm tn} yes"]);
    story.step("amber done", [12, 9, 9, 9], "", "phase regroup blue");
    assert!(story.told("amber").is_empty());
    let amber = table::seat(&story.game, "amber");
    let down = story.handles[0].get("xd").to_owned();
    assert!(!table::body(&mut story.game, amber, &down).unwrap().up);
}

/// (f)
fn a_dummy_returns_and_every_area_is_mixed(story: &mut Story) {
    let blue_in_pool = |story: &mut Story| {
        let view = story.game.view(table::seat(&story.game, "amber")).position;
        view.places.get("blue.pool").and_then(|pool| pool.more.get("blue")).copied()
    };
    story.can("amber", "vb xl hc sm tn", REST_OF_BLUE);
    story.can("amber", "kl", "bL");
    story.can("amber", "xd", "bF3");
    assert_eq!(blue_in_pool(story), Some(1));
    let scouts = table::seat(&story.game, "scouts");
    let before = story.game.packet(scouts);
    let returned = table::words(&story.game, table::seat(&story.game, "blue"), "return bD1 1");
    let adjutant::kernel::view::ShownTarget::Body(handle) = &returned.targets[0] else { panic!("a body") };
    // Blue's own handles last.
    assert_eq!(story.handles[1].get("rg"), handle);
    story.step("blue return rg 1", [12, 10, 9, 9], "blue", "");
    story.step("blue raise vv", [12, 11, 9, 9], "blue", "");
    assert_eq!(story.game.packet(scouts), before);
    story.step(
        "blue done",
        [13, 12, 10, 10],
        "",
        "regrouped blue [[1, 1]] 6
         tell R{<sv rz kw|rg xn wh>} yes 6.c
         phase march blue",
    );
    story.stands("amber", "blue", &["1 /dk sv rz kw", "2 /hp jp", "4 /kw dj kh", "6 /wk vl vp"]);
    story.can("amber", "sv rz kw", "bF2 bG bH2 bH1 bD2 bD1");
    story.can("amber", "jp dj kh", REST_OF_BLUE);
    story.can("amber", "vl vp", "bF3 bL");
    assert_eq!(blue_in_pool(story), None);
    story.stands("blue", "blue", &["1 /o1 rg xn wh", "2 /o2 qv", "4 /o4 jh kx", "6 /o6 vv lp"]);
}

/// (c)
fn interception_of_dummies_and_of_others(story: &mut Story) {
    story.asked(&["blue", "scouts"], "march");
    story.step("scouts march /o1 1 1-4", [14, 13, 11, 11], "", "marched <sv|rg> 1-4 4 7.a");
    story.asked(&["amber"], "intercept");
    assert_eq!(story.offers("amber"), ["intercept tl", "decline"]);
    story.step(
        "amber intercept tl",
        [15, 14, 12, 12],
        "",
        "intercepts 4 amber 8
         see <tl|dp> = aH1 8.a
         tell R{<sv|rg>} no 8.b
         see <sv|rg> = bD1 3.e
         removed <sv|rg> blue.pool 3.c
         turned_down <tl|dp> 8.c",
    );
    story.can("blue", "dp", "aH1");
    story.can("amber", "rz kw dj kh jp", REST_OF_BLUE);
    let view = story.game.view(table::seat(&story.game, "spectator")).position;
    assert!(view.records.is_empty());
    story.step("blue march /o1 2 1-4", [16, 15, 13, 13], "", "marched <rz kw|xn wh> 1-4 4 7.a");
    story.asked(&["amber"], "intercept");
    story.step(
        "amber intercept tl",
        [17, 16, 14, 14],
        "",
        "intercepts 4 amber 8
         see <tl|dp> = aH1 8.a
         tell R{<rz kw|xn wh>} yes 8.b
         clash 4 amber 8.b",
    );
    story.can("amber", "dj kh rz kw", REST_OF_BLUE);
    assert!(story.told("amber").contains(&"real {kw rz} yes".to_owned()));
    let view = story.game.view(table::seat(&story.game, "spectator")).position;
    assert_eq!(format!("{:?}", view.records["clash"]), r#"[{"area": Name("4"), "by": Name("amber")}]"#);
    let blue = table::seat(&story.game, "blue");
    let caught = story.handles[1].get("xn").to_owned();
    let caught = table::body(&mut story.game, blue, &caught).unwrap();
    assert_eq!(format!("{:?}", caught.values["march"]), "Name(\"caught\")");
    story.step(
        "blue done",
        [18, 17, 15, 15],
        "",
        "phase combat blue
         battle 4 amber yes 10",
    );
    story.asked(&["blue"], "deploy");
}

/// (d)
fn draft_and_commit_fork_and_join(story: &mut Story) {
    let with = |offers: Vec<String>, body: &str| -> String {
        let posts =
            offers.into_iter().filter_map(|o| o.strip_prefix(&format!("deploy {body} ")).map(str::to_owned));
        posts.collect::<Vec<_>>().join(" ")
    };
    // With a dummy in the field and both other real bodies elsewhere, the last one must go there.
    let mut other = story.branch();
    let deployed = ["blue deploy bD2 field", "blue deploy bF2 road", "blue deploy bG reserve"];
    table::play(&mut other, &deployed);
    let blue = table::seat(&other, "blue");
    let offers = other.offers(blue);
    assert_eq!(offers, [table::words(&other, blue, "deploy bH1 field")]);

    let amber = table::seat(&story.game, "amber");
    let before = story.game.packet(amber);
    story.step("blue deploy kx road", [18, 18, 15, 15], "blue", "");
    assert_eq!(with(story.offers("blue"), "jh"), "road field reserve");
    story.step("blue deploy jh road", [18, 19, 15, 15], "blue", "");
    assert_eq!(with(story.offers("blue"), "wh"), "field reserve");
    story.step("blue deploy wh field", [18, 20, 15, 15], "blue", "");
    story.step("blue deploy xn reserve", [18, 21, 15, 15], "blue", "");
    assert_eq!(story.game.packet(amber), before);
    story.step(
        "blue done",
        [19, 22, 16, 16],
        "",
        "deployed blue 2 1 10.c
         tell R{blue.road} yes 10.c
         tell R{blue.field} yes 10.c",
    );
    deployed_in_4(story);
    story.asked(&["amber"], "deploy");
    story.step("amber deploy aF2 road", [20, 22, 16, 16], "amber", "");
    story.step("amber deploy aH1 field", [21, 22, 16, 16], "amber", "");
    story.step(
        "amber done",
        [22, 23, 17, 17],
        "",
        "deployed amber 1 1 10.c
         tell R{amber.road} yes 10.c
         tell R{amber.field} yes 10.c",
    );
    let fork = |story: &mut Story| story.asked(&["amber", "blue"], "orders");
    fork(story);
    story.step("blue order road hold", [22, 24, 17, 17], "blue", "");
    fork(story);
    story.step("amber order road hold", [23, 24, 17, 17], "amber blue", "");
    story.step("amber undo", [24, 24, 17, 17], "blue", "");
    story.step("amber order road attack", [25, 24, 17, 17], "amber blue", "");
    story.step("blue order field attack", [25, 25, 17, 17], "amber blue", "");
    story.step("amber order field hold", [26, 25, 17, 17], "amber blue", "");
    story.step("amber done", [27, 25, 17, 17], "blue", "");
    fork(story);
    story.step(
        "blue done",
        [28, 26, 18, 18],
        "",
        "orders [[road, attack], [field, hold]] [[road, hold], [field, attack]] 10.f
         see <qt|am> = aF2 10.f
         see <zf|kx> = bF2 10.f
         see <gone|jh> = bD2 10.f
         removed <gone|jh> blue.pool 3.c
         see <tl|an> = aH1 10.f
         see <fp|wh> = bG 10.f
         draw public#4 levy 3 piece bG result 2 10.g
         draw public#5 fight 5 position road by amber odds [2, 2] start 1:1 shifts [] column 1:1 result DR 10.h
         tell R{<zm|lt>} no 10.m
         see <zm|lt> = leader 3.e
         open blue [1, 5, 7] 10.m",
    );
    story.asked(&["blue"], "retreat");
    assert_eq!(story.offers("blue"), ["retreat 1", "retreat 5", "retreat 7"]);
    story.step(
        "blue retreat 1",
        [29, 27, 19, 19],
        "",
        "retreats <zf|kx> 1 allowed 10.m
         draw public#6 fight 5 position field by blue odds [2, 1] start 2:1 shifts [] column 2:1 result D1 10.h
         lost <tl|an> amber.lost 10.l
         battle_over 4 10.o",
    );
    story.stands("amber", "blue", &["4 /u1 fp rh", "2 /hp jp", "1 /u2 zf", "6 /wk vl vp"]);
    story.can("amber", "fp", "bG");
    story.can("amber", "rh jp", "bH2 bH1");
    story.can("amber", "zf", "bF2");
    story.can("amber", "vl vp", "bF3 bL");
    story.stands("blue", "amber", &["4 /b4 am", "6 /blue6 lm ff", "7 /p7 lt", "9 /p9 lj /pressed wc qk"]);
    story.can("blue", "am", "aF2");
    story.can("blue", "lm", "aH2");
    story.can("blue", "ff lj wc qk", "aF3 aG aD1 aD2");
    story.can("blue", "lt", "aL");
    let view = story.game.view(table::seat(&story.game, "spectator")).position;
    assert_eq!(format!("{:?}", view.holders["vp"]), r#"{"blue": Number(1)}"#);
    let engaged = format!("{:?}", view.places["4"].values["engaged"]);
    assert_eq!(engaged, r#"Sides({"amber": Number(1), "blue": Number(1)})"#);
    story.asked(&["blue"], "combat");
    story.step("blue done", [30, 28, 20, 20], "", "phase rest");
    story.asked(&["amber", "blue"], "rest");
}

/// Blue's bodies in 4 after deployment: in road and field numbers only, the reserve not at all; Amber knows what
/// any of them might have been.
fn deployed_in_4(story: &mut Story) {
    use adjutant::kernel::{Read, Seen, Sight as _, Viewer};
    let rb = story.game.rulebook().clone();
    let view = story.game.view(table::seat(&story.game, "amber")).position;
    assert_eq!(view.places["blue.road"].more["blue"], 2);
    assert_eq!(view.places["blue.field"].more["blue"], 1);
    assert!(!view.places.contains_key("blue.reserve"));
    let amber = Viewer::Side(rb.side_named("amber").unwrap());
    let read = Read::new(&rb, story.game.state());
    let seen = Seen::new(read, amber);
    for (place, pieces) in
        [("blue.road", REST_OF_BLUE), ("blue.field", "bF2 bG bH2 bH1"), ("blue.reserve", REST_OF_BLUE)]
    {
        for body in read.loose(rb.board().place_named(place).unwrap()) {
            let names: Vec<&str> = seen.candidates(body).iter().map(|&p| rb.piece(p).name.as_str()).collect();
            assert_eq!(names.join(" "), in_order(pieces), "{place}");
        }
    }
}

/// (g)
fn hidden_base_and_secret_points(story: &mut Story) {
    let weary = story.offers("amber");
    assert_eq!(weary, ["rest bc", "done"]);
    story.step("amber done", [31, 28, 20, 20], "", "");
    story.asked(&["amber", "blue"], "rest");
    assert_eq!(story.offers("blue"), ["done"]);
    story.step(
        "blue done",
        [32, 29, 21, 21],
        "",
        "rested 12.a
         A: tell supplied no 12.b
         A: draw amber#1 arrears 4 column north result 1 12.c
         phase rain
         draw public#7 rain 3 result no 5.a
         phase regroup amber",
    );
    let mut arrears = |name: &str| {
        let who = table::seat(&story.game, name);
        story.game.view(who).position.values.get("arrears").map(|v| format!("{v:?}"))
    };
    assert_eq!(arrears("amber").as_deref(), Some("Number(1)"));
    assert_eq!(["blue", "scouts", "spectator"].map(&mut arrears), [None, None, None]);
    // The umpire gets everything, by name.
    let umpire = table::lines(&story.game, table::seat(&story.game, "umpire"), 0);
    for line in [
        "tell R{aF2} yes 7.c",
        "tell R{bD1 bH1 bG} yes 6.c",
        "draw public#3 straggle 5 bodies aF3 mods [] private_mods [] column foot result yes 7.f",
        "tell supplied no 12.b",
        "draw amber#1 arrears 4 column north result 1 12.c",
    ] {
        assert!(umpire.iter().any(|l| l.replace('\u{1}', "") == line), "{line} in {umpire:#?}");
    }
}

/// The same turn by the names of the pieces is the same game.
#[test]
fn the_story_by_names_is_the_same() {
    let mut game = table::story::after("g2", &[]);
    let arrears = game.view(table::seat(&game, "amber")).position.values["arrears"].clone();
    assert_eq!(format!("{arrears:?}"), "Number(1)");
    assert_eq!(SEATS.map(|name| game.version(table::seat(&game, name))), [32, 29, 21, 21]);
}
