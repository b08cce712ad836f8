use super::*;

/// A value is stored as these words and read from them again, and from no fewer.
fn round_trip<T: Local + PartialEq + fmt::Debug>(value: T, ty: LocalType, expected: &[i32]) {
    let mut words = Words::new();
    value.put(&mut words);
    assert_eq!(words[..], *expected);
    assert_eq!(T::WORDS, expected.len());
    assert_eq!(T::TYPE, ty);
    assert_eq!(T::TYPE.words(), T::WORDS);
    words.push(99);
    assert_eq!(T::get(&words), Ok(value), "what follows is not looked at");
    for short in 0..expected.len() {
        assert!(T::get(&words[..short]).is_err(), "{short} words are too few");
    }
}

fn refused<T: Local + fmt::Debug>(words: &[i32], message: &str) {
    let bad = T::get(words).unwrap_err().in_field("x");
    assert_eq!(bad.to_string(), format!("local `x`: expected {message}"));
}

fn list<T: Copy + Default, const N: usize>(items: &[T]) -> List<T, N> {
    let mut list = List::new();
    for item in items {
        list.push(*item).unwrap();
    }
    list
}

#[derive(Choice, Clone, Copy, PartialEq, Debug, Default)]
enum Stance {
    #[default]
    Hold,
    FallBack,
    #[choice(name = "charge!")]
    Charge,
}

#[derive(Locals, Clone, Copy, PartialEq, Debug)]
struct Clash {
    owner: SideId,
    at: SpaceId,
    #[local(class = "owner")]
    stance: Option<Stance>,
    #[local(class = "sides")]
    orders: [List<BodyId, 2>; 2],
    #[local(class = "hidden")]
    doubled: bool,
    #[local(class = "public")]
    r#type: i16,
}

#[derive(Locals, PartialEq, Debug)]
struct Pass;

macro_rules! one_local {
    ($name:ident { $field:ident: $ty:ty }) => {
        #[derive(Locals, PartialEq, Debug)]
        struct $name {
            $field: $ty,
            words: u8,
        }
    };
}

one_local! { FromMacro { rest: [u8; 2] } }

/// Fields of all types, alone and nested.
#[derive(Locals, PartialEq, Debug)]
struct Everything {
    numbers: [i32; 2],
    small: i16,
    bytes: List<u8, 3>,
    short: Option<u16>,
    long: u32,
    flags: [Option<bool>; 2],
    choices: List<Stance, 2>,
    space: SpaceId,
    link: Option<LinkId>,
    border: BorderId,
    places: List<PlaceId, 2>,
    body: Option<Option<BodyId>>,
    stack: StackId,
    pieces: [List<PieceId, 2>; 2],
    side: SideId,
    seat: SeatId,
    word: WordId,
    rules: List<Option<RuleId>, 2>,
}

#[test]
fn numbers_flags_and_choices() {
    round_trip(i32::MIN, LocalType::Int, &[i32::MIN]);
    round_trip(-32768i16, LocalType::Int, &[-32768]);
    round_trip(255u8, LocalType::Int, &[255]);
    round_trip(65535u16, LocalType::Int, &[65535]);
    round_trip(i32::MAX.unsigned_abs(), LocalType::Int, &[i32::MAX]);
    round_trip(false, LocalType::Flag, &[0]);
    round_trip(true, LocalType::Flag, &[1]);
    round_trip(Stance::Charge, LocalType::Choice(&["hold", "fall_back", "charge!"]), &[2]);

    refused::<i16>(&[32768], "a number (-32768 to 32767), found 32768");
    refused::<u8>(&[256], "a number (0 to 255), found 256");
    refused::<u16>(&[-1], "a number (0 to 65535), found -1");
    refused::<u32>(&[-1], "a number (0 to 2147483647), found -1");
    refused::<bool>(&[2], "a flag (0 to 1), found 2");
    refused::<Stance>(&[3], "one of hold, fall_back, charge! (0 to 2), found 3");
    refused::<Stance>(&[], "1 word, found 0 words");
}

#[test]
fn a_number_that_does_not_fit_is_refused_when_read() {
    let mut words = Words::new();
    u32::MAX.put(&mut words);
    assert!(u32::get(&words).is_err());
}

#[test]
fn ids() {
    round_trip(SpaceId(65535), LocalType::Space, &[65535]);
    round_trip(LinkId(1), LocalType::Link, &[1]);
    round_trip(BorderId(2), LocalType::Border, &[2]);
    round_trip(PlaceId(3), LocalType::Place, &[3]);
    round_trip(BodyId(4), LocalType::Body, &[4]);
    round_trip(StackId(5), LocalType::Stack, &[5]);
    round_trip(PieceId(6), LocalType::Piece, &[6]);
    round_trip(SideId(255), LocalType::Side, &[255]);
    round_trip(SeatId(7), LocalType::Seat, &[7]);
    round_trip(WordId(8), LocalType::Word, &[8]);
    round_trip(RuleId(9), LocalType::Rule, &[9]);

    refused::<RuleId>(&[65536], "a rule id (0 to 65535), found 65536");
    refused::<SideId>(&[256], "a side (0 to 255), found 256");
}

#[test]
fn options() {
    let ty = LocalType::Option(&LocalType::Body);
    round_trip(None::<BodyId>, ty, &[0, 0]);
    round_trip(Some(BodyId(0)), ty, &[1, 0]);
    let ty = LocalType::Option(&LocalType::Option(&LocalType::Int));
    round_trip(None::<Option<u8>>, ty, &[0, 0, 0]);
    round_trip(Some(None::<u8>), ty, &[1, 0, 0]);
    round_trip(Some(Some(3u8)), ty, &[1, 1, 3]);

    refused::<Option<BodyId>>(&[2, 0], "1 before a value or 0 for none, found 2");
    refused::<Option<BodyId>>(&[0, 4], "0 where no value is, found 4");
    refused::<Option<BodyId>>(&[1, -4], "a body (0 to 65535), found -4");
    refused::<Option<BodyId>>(&[1], "2 words, found 1 word");
}

#[test]
fn arrays() {
    let ty = LocalType::Array(&LocalType::Option(&LocalType::Side), 2);
    round_trip([None, Some(SideId(1))], ty, &[0, 0, 1, 1]);
    round_trip([7u8; 255], LocalType::Array(&LocalType::Int, 255), &[7; 255]);
    refused::<[u8; 2]>(&[1, 300], "a number (0 to 255), found 300");
    refused::<[u8; 2]>(&[1], "2 words, found 1 word");
}

#[test]
fn lists() {
    let ty = LocalType::List(&LocalType::Space, 3);
    round_trip(list::<SpaceId, 3>(&[]), ty, &[0, 0, 0, 0]);
    round_trip(list::<_, 3>(&[SpaceId(9), SpaceId(2)]), ty, &[2, 9, 2, 0]);
    round_trip(list::<_, 3>(&[SpaceId(1), SpaceId(2), SpaceId(3)]), ty, &[3, 1, 2, 3]);
    let ty = LocalType::List(&LocalType::Option(&LocalType::Flag), 2);
    round_trip(list::<_, 2>(&[Some(true)]), ty, &[1, 1, 1, 0, 0]);
    round_trip(list::<u8, 0>(&[]), LocalType::List(&LocalType::Int, 0), &[0]);

    refused::<List<u8, 2>>(&[3, 1, 1], "a length (0 to 2), found 3");
    refused::<List<u8, 2>>(&[-1, 1, 1], "a length (0 to 2), found -1");
    refused::<List<u8, 2>>(&[1, 1, 1], "0 where no value is, found 1");
    refused::<List<u8, 2>>(&[1, -1, 0], "a number (0 to 255), found -1");
}

#[test]
fn a_list_is_edited_in_order() {
    let mut bodies = list::<u8, 4>(&[1, 2, 3, 2]);
    assert_eq!(bodies.push(5), Err(Full { capacity: 4 }));
    assert!(bodies.remove(&2));
    assert_eq!(bodies[..], [1, 3, 2]);
    assert!(!bodies.remove(&7));
    assert_eq!(bodies.remove_at(0), Some(1));
    assert_eq!(bodies.remove_at(2), None);
    assert_eq!(bodies, list(&[3, 2]), "what was removed does not count");
    assert_eq!(bodies.iter().copied().collect::<Vec<_>>(), [3, 2]);
    assert!(bodies.contains(&3) && !bodies.contains(&1));
    assert_eq!((bodies.len(), bodies.capacity()), (2, 4));
    let mut words = Words::new();
    bodies.put(&mut words);
    assert_eq!(words[..], [2, 3, 2, 0, 0], "what was removed is not stored");
    bodies.clear();
    assert!(bodies.is_empty());

    let full = list::<u8, 255>(&[1; 255]);
    assert_eq!(full.clone().push(1), Err(Full { capacity: 255 }));
    assert_eq!(format!("{:?}", list::<u8, 3>(&[1, 2])), "[1, 2]");
}

#[test]
fn fields_say_name_type_class_and_size() {
    let fields: Vec<_> = Clash::FIELDS.iter().map(|f| (f.name, f.class, f.words)).collect();
    assert_eq!(
        fields,
        [
            ("owner", LocalClass::Public, 1),
            ("at", LocalClass::Public, 1),
            ("stance", LocalClass::Owner, 2),
            ("orders", LocalClass::Sides, 6),
            ("doubled", LocalClass::Hidden, 1),
            ("type", LocalClass::Public, 1),
        ]
    );
    assert_eq!(Clash::FIELDS[3].ty, LocalType::Array(&LocalType::List(&LocalType::Body, 2), 2));
    assert_eq!(Clash::FIELDS[3].ty.to_string(), "2 times at most 2 times a body");
    assert_eq!((Clash::WORDS, Pass::WORDS), (12, 0));
    assert!(Pass::FIELDS.is_empty());
}

#[test]
fn choices_are_numbered_by_position() {
    assert_eq!(Stance::NAMES, ["hold", "fall_back", "charge!"]);
    for (number, stance) in (0..).zip([Stance::Hold, Stance::FallBack, Stance::Charge]) {
        assert_eq!(stance.number(), number);
        assert_eq!(Stance::from_number(number), Some(stance));
    }
    assert_eq!(Stance::from_number(-1), None);
    assert_eq!(Stance::from_number(3), None);
}

#[test]
fn structs() {
    let clash = Clash {
        owner: SideId(1),
        at: SpaceId(30),
        stance: Some(Stance::FallBack),
        orders: [list(&[BodyId(5)]), list(&[])],
        doubled: true,
        r#type: -2,
    };
    let mut words = Words::from_slice(&[77]);
    clash.store(&mut words);
    assert_eq!(words[..], [77, 1, 30, 1, 1, 1, 5, 0, 0, 0, 0, 1, -2]);
    assert_eq!(Clash::load(&words[1..]), Ok(clash));

    let message = |words: &[i32]| Clash::load(words).unwrap_err().to_string();
    assert_eq!(message(&words), "locals: expected 12 words, found 13 words");
    assert_eq!(message(&words[2..]), "locals: expected 12 words, found 11 words");
    words[11] = 2;
    assert_eq!(message(&words[1..]), "local `doubled`: expected a flag (0 to 1), found 2");
    words[7] = 1;
    assert_eq!(message(&words[1..]), "local `orders`: expected 0 where no value is, found 1");

    words.clear();
    let made = FromMacro { rest: [1, 2], words: 3 };
    made.store(&mut words);
    assert_eq!(FromMacro::load(&words), Ok(made));

    words.clear();
    Pass.store(&mut words);
    assert!(words.is_empty());
    assert_eq!(Pass::load(&[]), Ok(Pass));
    assert!(Pass::load(&[0]).is_err());
}

/// splitmix64
fn next(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Whatever the words, `load` answers; what it accepts is stored again word for word.
fn random_words<L: Locals>(rounds: u32, word: impl Fn(&mut u64) -> i32) -> u32 {
    let mut seed = 1;
    let mut accepted = 0;
    for _ in 0..rounds {
        let length = if next(&mut seed).is_multiple_of(8) { next(&mut seed) as usize % 60 } else { L::WORDS };
        let words: Vec<i32> = (0..length).map(|_| word(&mut seed)).collect();
        match L::load(&words) {
            Ok(locals) => {
                accepted += 1;
                let mut again = Words::new();
                locals.store(&mut again);
                assert_eq!(again[..], words[..]);
            }
            Err(bad) => {
                let named = L::FIELDS.iter().any(|field| field.name == bad.field);
                assert_eq!(named, length == L::WORDS, "{bad}");
            }
        }
    }
    accepted
}

#[test]
fn random_words_never_panic() {
    let wild = |seed: &mut u64| next(seed) as i32;
    let tame = |seed: &mut u64| (next(seed) % 5) as i32 - 1;
    let bits = |seed: &mut u64| i32::from(next(seed).is_multiple_of(4));
    random_words::<Everything>(20_000, wild);
    random_words::<Everything>(20_000, tame);
    assert!(random_words::<Everything>(20_000, bits) > 0);
    random_words::<Clash>(20_000, wild);
    assert!(random_words::<Clash>(20_000, bits) > 100);
    random_words::<Pass>(100, wild);
}

/// Words made from a good value by changing one of them.
#[test]
fn one_wrong_word_never_panics() {
    let good = Everything {
        numbers: [-1, i32::MAX],
        small: i16::MIN,
        bytes: list(&[1, 255]),
        short: Some(65535),
        long: 1 << 30,
        flags: [None, Some(true)],
        choices: list(&[Stance::Charge, Stance::Hold]),
        space: SpaceId(1),
        link: None,
        border: BorderId(2),
        places: list(&[PlaceId(3)]),
        body: Some(Some(BodyId(4))),
        stack: StackId(5),
        pieces: [list(&[PieceId(6)]), list(&[PieceId(7), PieceId(8)])],
        side: SideId(9),
        seat: SeatId(10),
        word: WordId(11),
        rules: list(&[None, Some(RuleId(12))]),
    };
    let mut words = Words::new();
    good.store(&mut words);
    assert_eq!(Everything::load(&words), Ok(good));
    for at in 0..words.len() {
        for wrong in [i32::MIN, -1, 0, 1, 2, 3, 255, 256, 65535, 65536, i32::MAX] {
            let mut words = words.clone();
            words[at] = wrong;
            if let Ok(locals) = Everything::load(&words) {
                let mut again = Words::new();
                locals.store(&mut again);
                assert_eq!(again, words);
            }
        }
    }
}

#[test]
fn classes_are_written_as_in_the_attribute() {
    for (class, name) in [
        (LocalClass::Public, "\"public\""),
        (LocalClass::Owner, "\"owner\""),
        (LocalClass::Sides, "\"sides\""),
        (LocalClass::Hidden, "\"hidden\""),
    ] {
        assert_eq!(serde_json::to_string(&class).unwrap(), name);
        assert_eq!(serde_json::from_str::<LocalClass>(name).unwrap(), class);
    }
    assert_eq!(LocalClass::default(), LocalClass::Public);
}
