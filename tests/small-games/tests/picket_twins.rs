//! The twin pairs of picket line: two games that differ in what a side may not know give its seats the same bytes up
//! to the first release that answers differently (or to the end of the script). Compared after every step: packets,
//! logs, releases, versions, undo flags, who is asked, replays, and why every march is refused.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test may panic

mod table;

use table::pairs::{named_pair, table};

fn check(name: &str) {
    let pair = named_pair(name);
    match (pair.run(&[]), pair.parting) {
        (Ok(None), None) => {}
        (Ok(Some(parted)), Some(parting)) => assert_eq!(parted, parting, "{name}"),
        (got, wanted) => panic!("{name}: {got:?}, and it should be {wanted:?}"),
    }
}

macro_rules! pairs {
    ($($name:ident $number:literal: $says:literal;)*) => {
        $(
            #[doc = $says]
            #[test]
            fn $name() {
                check($number);
            }
        )*

        #[test]
        fn every_pair_of_the_table_is_tested() {
            let tested = [$($number),*];
            assert_eq!(table().iter().map(|pair| pair.name).collect::<Vec<_>>(), tested);
        }
    };
}

pairs! {
    t1_a_stop_tells_whether_there_is_a_real_enemy "T1": "tell 7.d: yes / no";
    t2_a_stop_does_not_tell_who "T2": "nothing differs";
    t3_who_has_no_horse_is_asked_alike "T3": "the one body seen is bD1 in both";
    t4_a_probe_passes_over_a_leader "T4": "see 9.d, the second body: narrow leader / reveal bF3";
    t5_an_interception_tells_whether_the_group_is_real "T5": "tell 8.b: no / yes";
    t6_a_sham_draw_is_a_draw "T6": "nothing differs";
    t7_the_leader_of_stragglers_is_a_secret "T7": "nothing differs";
    t8_every_area_is_mixed "T8": "tell 6.c yes in both";
    t9_what_was_raised_is_a_secret "T9": "nothing differs";
    t10_which_dummy_returns_where_is_a_secret "T10": "nothing differs";
    t11_who_was_deployed_shows_with_the_orders "T11": "see 10.f: bD2 / bG";
    t12_orders_show_together "T12": "tell 10.f";
    t13_nothing_shows_in_a_fork "T13": "nothing differs";
    t14_nor_when_an_order_was_given "T14": "nothing differs";
    t15_a_secret_draw_is_on_a_stream_of_its_own "T15": "public draws and numbers agree";
    t16_a_search_shows_the_marker "T16": "see 11.c";
    t17_a_retreat_tells_who_blocks "T17": "tell 10.m of 7: yes / no";
    t18_an_attack_tells_whether_the_defender_is_real "T18": "tell 10.b: yes / no";
    t19_rest_is_a_secret "T19": "nothing differs";
    t20_stacks_are_not_listed_by_identity "T20": "nothing differs";
    t21_open_ground_shows_the_next_on_top "T21": "see 3.f: bD1 / bH1";
    t22_a_search_is_stopped_by_real_bodies "T22": "tell 11.b: yes / no";
    t23_set_ups_look_alike "T23": "nothing differs";
    t24_hesitation_is_asked_whatever_the_orders "T24": "tell 10.f; asked alike before";
    t25_one_horse_shows_itself "T25": "one horse shows itself";
    t26_supply_is_told_to_amber_alone "T26": "tell 12.b, to Amber only";
    t27_deployment_mixes_the_reserve_too "T27": "fresh handles, one union";
    t28_undo_gives_handles_back "T28": "nothing differs, handles included";
    t29_the_final_reveal_goes_by_place "T29": "see 14.a, the top body in 6: bF3 / bL";
}
