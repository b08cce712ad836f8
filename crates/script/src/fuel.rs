//! Fuel: how long a script may run, counted in loops and calls, and the watchdog for what is not counted.
//!
//! The count is the same on every machine and run; the watchdog is not, and only ends what would otherwise
//! hold up a table for good. Both end in a fault, never in a result (invariant 10).

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

thread_local! {
    static LEFT: Cell<i64> = const { Cell::new(0) };
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static PULSE: Arc<Pulse> = Arc::new(Pulse::default());
}

/// What a watchdog sees of the scripts of one thread.
#[derive(Default)]
struct Pulse {
    /// Counts up when a script begins and when it ends: odd while one runs.
    beats: AtomicU64,
    kill: AtomicBool,
}

/// Uses up a unit of fuel; whether the script must end.
#[inline]
pub(crate) fn tick() -> bool {
    charge(1)
}

/// Uses up fuel for work done outside the interpreter; whether the script must end.
#[inline]
pub(crate) fn charge(units: i64) -> bool {
    let left = LEFT.get() - units;
    LEFT.set(left);
    left < 0 || PULSE.with(|pulse| pulse.kill.load(Ordering::Relaxed))
}

/// Uses up fuel for a script that need not be run: of so much, unless another runs already. Gives false, with nothing
/// used, if there is not as much left.
#[inline]
pub(crate) fn spend(full: i64, units: i64) -> bool {
    let left = if DEPTH.get() == 0 { full } else { LEFT.get() };
    if left >= units {
        LEFT.set(left - units);
    }
    left >= units
}

/// The fuel that is left.
pub(crate) fn left() -> i64 {
    LEFT.get()
}

/// Whether the script that runs has used up its fuel.
pub(crate) fn exhausted() -> bool {
    LEFT.get() < 0
}

/// Whether the watchdog ended the script that runs.
pub(crate) fn killed() -> bool {
    PULSE.with(|pulse| pulse.kill.load(Ordering::Relaxed))
}

/// A script at work. Scripts that it comes to run live on its fuel.
pub(crate) struct Running(());

impl Running {
    /// Begins with so much fuel, unless a script runs already.
    pub(crate) fn begin(units: i64) -> Self {
        let depth = DEPTH.get();
        DEPTH.set(depth + 1);
        if depth == 0 {
            LEFT.set(units);
            PULSE.with(|pulse| {
                pulse.kill.store(false, Ordering::Relaxed);
                pulse.beats.fetch_add(1, Ordering::Relaxed);
            });
        }
        Self(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let depth = DEPTH.get() - 1;
        DEPTH.set(depth);
        if depth == 0 {
            PULSE.with(|pulse| pulse.beats.fetch_add(1, Ordering::Relaxed));
        }
    }
}

/// Ends scripts of the thread that made it when they run longer than a limit. It is a last line: what a
/// script does is counted as fuel, but not how long each of it takes.
///
/// ```
/// use std::time::Duration;
/// let dog = adjutant_script::Watchdog::new(Duration::from_secs(2));
/// // ... run a worker with a script host on this thread ...
/// drop(dog);
/// ```
#[derive(Debug)]
pub struct Watchdog {
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Watchdog {
    /// Watches the scripts of this thread.
    pub fn new(limit: Duration) -> Self {
        let (pulse, stop) = (PULSE.with(Arc::clone), Arc::new(AtomicBool::new(false)));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::Builder::new().name("script watchdog".into()).spawn(move || {
            let step = (limit / 8).clamp(Duration::from_millis(1), Duration::from_millis(50));
            let (mut seen, mut since) = (0, Instant::now());
            while !stopped.load(Ordering::Relaxed) {
                std::thread::sleep(step);
                let beats = pulse.beats.load(Ordering::Relaxed);
                if beats != seen || beats.is_multiple_of(2) {
                    (seen, since) = (beats, Instant::now());
                } else if since.elapsed() > limit {
                    pulse.kill.store(true, Ordering::Relaxed);
                }
            }
        });
        Self { stop, thread: thread.ok() }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // It only sleeps and looks, so it cannot have failed.
            let _ = thread.join();
        }
    }
}
