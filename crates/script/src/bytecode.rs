//! What a script does with variables outside its functions, and which names it asks of the globals, read from its
//! bytecode.
//!
//! A script keeps nothing between calls. Tables are frozen after the load, but the cell of a captured variable
//! is not: `local n = 0; return function() n += 1 end` would remember. So the functions that outlive the load
//! may not write what they captured. The compiler that made the bytecode is linked in and pinned, and the
//! format is checked by a test for each kind of function.

/// A function of a compiled file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proto {
    pub(crate) line: u32,
    pub(crate) upvalues: u8,
    pub(crate) params: u8,
    pub(crate) vararg: bool,
    /// Upvalues that it or a function within it writes, and the line.
    pub(crate) writes: Vec<(u8, u32)>,
    /// Functions within it, with the upvalue that each of their upvalues is, where it is one of its own.
    children: Vec<(usize, Vec<Option<u8>>)>,
}

/// A compiled file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bytecode {
    /// All functions; the main one last.
    pub(crate) protos: Vec<Proto>,
    /// Names of globals that are written, and the line.
    pub(crate) globals: Vec<(String, u32)>,
    /// The globals that are read, each with the names that are asked of it in turn, as in `math.floor`, and the line.
    pub(crate) reads: Vec<(Vec<String>, u32)>,
    /// All text constants.
    pub(crate) strings: Vec<String>,
}

const VERSIONS: std::ops::RangeInclusive<u8> = 4..=11;
const GETGLOBAL: u8 = 7;
const SETGLOBAL: u8 = 8;
const SETUPVAL: u8 = 10;
const GETIMPORT: u8 = 12;
const NEWCLOSURE: u8 = 19;
const DUPCLOSURE: u8 = 64;
const CAPTURE: u8 = 70;
const CAPTURE_UPVALUE: u8 = 2;
/// Instructions of two words.
const LONG: &[u8] = &[
    7, 8, 12, 15, 16, 20, 27, 28, 29, 30, 31, 32, 53, 55, 58, 60, 66, 74, 75, 77, 78, 79, 80, 83, 84, 85, 86,
    87, 88, 90,
];

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(head)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|b| b[0])
    }

    fn word(&mut self) -> Option<u32> {
        self.take(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    }

    fn int(&mut self) -> Option<usize> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << shift;
            if byte & 128 == 0 {
                return usize::try_from(value).ok();
            }
        }
        None
    }
}

/// Reads bytecode; `None` when it is not of the pinned version.
pub(crate) fn read(bytes: &[u8]) -> Option<Bytecode> {
    let mut r = Reader(bytes);
    let version = r.byte()?;
    let types = r.byte()?;
    if !VERSIONS.contains(&version) || !(1..=3).contains(&types) {
        return None;
    }
    let mut file = Bytecode::default();
    for _ in 0..r.int()? {
        let length = r.int()?;
        file.strings.push(String::from_utf8_lossy(r.take(length)?).into_owned());
    }
    if types == 3 {
        while r.byte()? != 0 {
            r.int()?;
        }
    }
    for _ in 0..r.int()? {
        let proto = proto(&mut r, &mut file)?;
        file.protos.push(proto);
    }
    // Functions stand before those that contain them.
    for n in 0..file.protos.len() {
        let (done, rest) = file.protos.split_at_mut(n);
        let proto = &mut rest[0];
        for (child, captured) in &proto.children {
            for &(upvalue, line) in &done.get(*child)?.writes {
                if let Some(Some(own)) = captured.get(usize::from(upvalue)) {
                    proto.writes.push((*own, line));
                }
            }
        }
    }
    Some(file)
}

enum Constant {
    Text(usize),
    Closure(usize),
    Other,
}

fn constant(r: &mut Reader<'_>) -> Option<Constant> {
    match r.byte()? {
        0 => {}
        1 => drop(r.byte()?),
        2 => drop(r.take(8)?),
        3 => return Some(Constant::Text(r.int()?)),
        4 => drop(r.word()?),
        5 => {
            for _ in 0..r.int()? {
                r.int()?;
            }
        }
        6 => return Some(Constant::Closure(r.int()?)),
        7 => drop(r.take(16)?),
        8 => {
            for _ in 0..r.int()? {
                r.int()?;
                r.word()?;
            }
        }
        9 => {
            r.byte()?;
            r.int()?;
        }
        _ => return None,
    }
    Some(Constant::Other)
}

fn proto(r: &mut Reader<'_>, file: &mut Bytecode) -> Option<Proto> {
    let mut proto = Proto::default();
    r.byte()?;
    proto.params = r.byte()?;
    proto.upvalues = r.byte()?;
    proto.vararg = r.byte()? != 0;
    r.byte()?;
    let types = r.int()?;
    r.take(types)?;
    let mut code = Vec::new();
    for _ in 0..r.int()? {
        code.push(r.word()?);
    }
    let mut constants = Vec::new();
    for _ in 0..r.int()? {
        constants.push(constant(r)?);
    }
    let mut children = Vec::new();
    for _ in 0..r.int()? {
        children.push(r.int()?);
    }
    proto.line = u32::try_from(r.int()?).ok()?;
    r.int()?;
    let lines = lines(r, code.len())?;
    if r.byte()? != 0 {
        for _ in 0..r.int()? {
            r.int()?;
            r.int()?;
            r.int()?;
            r.byte()?;
        }
        for _ in 0..r.int()? {
            r.int()?;
        }
    }
    scan(&code, &constants, &children, &lines, file, &mut proto)?;
    Some(proto)
}

fn lines(r: &mut Reader<'_>, count: usize) -> Option<Vec<u32>> {
    if r.byte()? == 0 {
        return Some(vec![0; count]);
    }
    let gap = r.byte()?;
    let mut deltas = Vec::with_capacity(count);
    let mut last = 0u8;
    for _ in 0..count {
        last = last.wrapping_add(r.byte()?);
        deltas.push(last);
    }
    let mut starts = Vec::new();
    let mut line = 0u32;
    for _ in 0..(count.checked_sub(1)? >> gap) + 1 {
        line = line.wrapping_add(r.word()?);
        starts.push(line);
    }
    Some(deltas.iter().enumerate().map(|(n, d)| starts[n >> gap] + u32::from(*d)).collect())
}

fn scan(
    code: &[u32],
    constants: &[Constant],
    children: &[usize],
    lines: &[u32],
    file: &mut Bytecode,
    proto: &mut Proto,
) -> Option<()> {
    let text = |strings: &[String], constant: usize| match constants.get(constant)? {
        Constant::Text(n) => strings.get(n.checked_sub(1)?).cloned(),
        Constant::Closure(_) | Constant::Other => None,
    };
    let mut at = 0;
    while at < code.len() {
        let [op, a, b, _] = code[at].to_le_bytes();
        let index = usize::from((code[at] >> 16) as u16);
        match op {
            SETUPVAL => proto.writes.push((b, lines[at])),
            SETGLOBAL => file.globals.push((text(&file.strings, *code.get(at + 1)? as usize)?, lines[at])),
            GETGLOBAL => {
                file.reads.push((vec![text(&file.strings, *code.get(at + 1)? as usize)?], lines[at]));
            }
            GETIMPORT => {
                // Up to three names in ten bits each, and in the highest two their number.
                let packed = *code.get(at + 1)? as usize;
                let names = [20, 10, 0].into_iter().take(packed >> 30);
                let names = names.map(|shift| text(&file.strings, packed >> shift & 1023));
                file.reads.push((names.collect::<Option<_>>()?, lines[at]));
            }
            NEWCLOSURE => proto.children.push((*children.get(index)?, Vec::new())),
            DUPCLOSURE => match constants.get(index)? {
                Constant::Closure(child) => proto.children.push((*child, Vec::new())),
                Constant::Text(_) | Constant::Other => return None,
            },
            CAPTURE => proto.children.last_mut()?.1.push((a == CAPTURE_UPVALUE).then_some(b)),
            _ => {}
        }
        at += if LONG.contains(&op) { 2 } else { 1 };
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compiled(source: &str) -> Bytecode {
        read(&crate::sandbox::compiler().compile(source).unwrap()).unwrap()
    }

    fn writers(source: &str) -> Vec<(u32, Vec<(u8, u32)>)> {
        let file = compiled(source);
        file.protos.iter().filter(|p| !p.writes.is_empty()).map(|p| (p.line, p.writes.clone())).collect()
    }

    #[test]
    fn writes_of_captured_variables_are_found_with_their_line() {
        assert_eq!(writers("local n = 0\nreturn function()\n n += 1\n return n end"), [(2, vec![(0, 3)])]);
        assert_eq!(
            writers("local n, m = 0, 0\nreturn function() return n end, function()\nm = n end"),
            [(2, vec![(0, 3)])]
        );
    }

    #[test]
    fn writes_through_an_inner_function_count_for_the_outer_one() {
        let source =
            "local n = 0\nreturn function()\n local function inc()\n n += 1 end\n inc() return n end";
        assert_eq!(writers(source), [(3, vec![(0, 4)]), (2, vec![(0, 4)])]);
    }

    #[test]
    fn writes_within_one_call_stay_there() {
        let source =
            "return function(list)\n local n = 0\n local function add(x)\n n += x end\n add(2) return n end";
        assert_eq!(writers(source), [(3, vec![(0, 4)])]);
    }

    #[test]
    fn globals_that_are_written_are_found() {
        assert_eq!(
            compiled("local a = 1\nfoo = a\nfunction bar() baz = 1 end").globals,
            [("baz".to_owned(), 3), ("foo".to_owned(), 2), ("bar".to_owned(), 3)]
        );
    }

    #[test]
    fn globals_that_are_read_are_found_with_what_is_asked_of_them() {
        let source =
            "local a = 1\nreturn function(b)\n  return untit.space.name, a, b,\n    f(math.abs(a)) end";
        let names = |(names, line): &(Vec<String>, u32)| (names.join("."), *line);
        let found: Vec<_> = compiled(source).reads.iter().map(names).collect();
        assert_eq!(
            found,
            [("untit.space.name".to_owned(), 3), ("f".to_owned(), 4), ("math.abs".to_owned(), 4)]
        );
        // With more names than an import can number they are asked for one by one.
        let mut many: String = (0..1100).map(|n| format!("t.x{n} = 1\n")).collect();
        many = format!("local t = {{}}\n{many}local u = untit.space");
        assert_eq!(compiled(&many).reads.iter().map(names).collect::<Vec<_>>(), [("untit".to_owned(), 1102)]);
    }

    #[test]
    fn all_sorts_of_code_are_read() {
        let source = r##"
            local t = { 1, 2, x = 3, y = "a", z = { 1.5, -7 } }
            local s = `{t.x} and {t.y}`
            for i = 1, 10, 2 do t[i] = i // 2 + i % 3 - i ^ 2 end
            for k, v in t do if v == "a" and k ~= 3 or not v then t.x = nil end end
            for i, v in ipairs(t) do continue end
            local function f(a: number, ...: string): (number, string) return a, ... end
            while true do local n = select("#", f(1, "x")) if n > 1 then break end end
            repeat local q = bit32.band(1, 3, 7) until q == 1
            return function(u) return function(v) return u + v + #t + math.max(u, v, 2) end end, s, true, nil
        "##;
        assert_eq!(compiled(source).protos.len(), 4);
    }

    #[test]
    fn damaged_bytecode_is_refused() {
        let bytes = crate::sandbox::compiler().compile("local n = 0 return function() n += 1 end").unwrap();
        for cut in 0..bytes.len() {
            let _ = read(&bytes[..cut]);
        }
        assert!(read(&[200, 3]).is_none());
    }
}
