//! The command line `adjutant`.

mod args;
mod commands;
mod console;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let cli = match args::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() { 2 } else { 0 };
            // Nothing can be done where not even this can be printed.
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    let console = console::Console::new(cli.json);
    ExitCode::from(commands::run(&cli.command, &console))
}
