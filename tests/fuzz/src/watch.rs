//! Tries cases and watches them: panics, time and memory.

use std::cell::{Cell, RefCell};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use adjutant::scripts::Watchdog;

use crate::Target;
use crate::corpus::Case;

/// By how much a build without optimisation is slower.
const SLOW: u64 = if cfg!(debug_assertions) { 10 } else { 1 };
/// How long a case may take of the processor (of the clock where that cannot be told).
const PATIENCE: Duration = Duration::from_secs(10 * SLOW);
/// After how long by the clock a case is given up, and the program with it.
const HANG: Duration = Duration::from_secs(120 * SLOW);
/// How long a script may run.
const SCRIPT: Duration = Duration::from_secs(60);
/// Bytes of memory that the program may come to hold.
const MEMORY: u64 = 512 << 20;

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The case under way: its number, its files, and since when.
type Now = Arc<Mutex<Option<(u64, Case, Instant)>>>;

pub(crate) struct Watch {
    kept: PathBuf,
    now: Now,
    found: AtomicU64,
    slowest: Cell<Duration>,
    before: RefCell<Case>,
    heavy: Cell<bool>,
    _dog: Watchdog,
}

impl Watch {
    /// Watches this thread; cases that break something are kept in a folder, named by target and seed.
    pub(crate) fn new(found: &Path, target: &str, seed: u64) -> Self {
        set_hook(Box::new(|info| {
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            let text = match (info.payload().downcast_ref::<String>(), info.payload().downcast_ref::<&str>())
            {
                (Some(text), _) => text.clone(),
                (None, text) => text.copied().unwrap_or("no text").to_owned(),
            };
            PANIC.with_borrow_mut(|panic| *panic = format!("{place}: {text}"));
        }));
        let kept = found.join(format!("{target}-{seed}"));
        let now = Now::default();
        let (seen, folder) = (Arc::clone(&now), kept.clone());
        // It lives as long as the program.
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(Duration::from_secs(1));
                let Ok(now) = seen.lock() else { return };
                if let Some((number, case, since)) = now.as_ref()
                    && since.elapsed() > HANG
                {
                    let place = keep(&folder, *number, case);
                    eprintln!("a case hangs: {place}");
                    std::process::exit(1);
                }
            }
        });
        Self {
            kept,
            now,
            found: AtomicU64::new(0),
            slowest: Cell::default(),
            before: RefCell::default(),
            heavy: Cell::new(false),
            _dog: Watchdog::new(SCRIPT),
        }
    }

    /// How many cases broke something.
    pub(crate) fn found(&self) -> u64 {
        self.found.load(Ordering::Relaxed)
    }

    /// The longest that a case took.
    pub(crate) fn slowest(&self) -> Duration {
        self.slowest.get()
    }

    /// Tries a case, whose files are written into the folder first.
    pub(crate) fn attempt(
        &self,
        target: &dyn Target,
        folder: &Path,
        number: u64,
        case: Case,
    ) -> &'static str {
        if let Err(error) =
            fs::create_dir_all(folder).and_then(|()| case.write(folder, &self.before.borrow()))
        {
            self.broken(number, &case, &format!("it cannot be written: {error}"));
            return "unwritten";
        }
        if let Ok(mut now) = self.now.lock() {
            *now = Some((number, case.clone(), Instant::now()));
        }
        let (clock, cpu) = (Instant::now(), processor());
        let outcome = catch_unwind(AssertUnwindSafe(|| target.try_case(folder, &case)));
        let took = match (cpu, processor()) {
            (Some(before), Some(after)) => after.saturating_sub(before),
            _ => clock.elapsed(),
        };
        if let Ok(mut now) = self.now.lock() {
            *now = None;
        }
        self.slowest.set(self.slowest.get().max(took));
        let outcome = outcome.unwrap_or_else(|_| {
            self.broken(number, &case, &PANIC.take());
            "panicked"
        });
        if took > PATIENCE {
            self.broken(number, &case, &format!("it took {:.1} s", took.as_secs_f64()));
        }
        // The mark only rises: whoever lifted it over the bound is the first to be found above it.
        if most_memory() > MEMORY && !self.heavy.replace(true) {
            self.broken(number, &case, &format!("it took {} MB", most_memory() >> 20));
        }
        self.before.replace(case);
        outcome
    }

    fn broken(&self, number: u64, case: &Case, what: &str) {
        self.found.fetch_add(1, Ordering::Relaxed);
        eprintln!("{}\n  {what}", keep(&self.kept, number, case));
    }
}

/// Keeps the files of a case; gives where.
fn keep(folder: &Path, number: u64, case: &Case) -> String {
    let folder = PathBuf::from(format!("{}-{number}", folder.display()));
    match case.write(&folder, &Case::default()) {
        Ok(()) => folder.display().to_string(),
        Err(error) => format!("{}, which cannot be written: {error}", folder.display()),
    }
}

/// Time of the processor that this thread has used, where the system tells.
fn processor() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// The most memory in bytes that the program has held; 0 where the system does not tell.
pub(crate) fn most_memory() -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or_default() << 10
}
