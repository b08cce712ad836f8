//! The command line `adjutant`.

mod args;
mod commands;
mod console;

use std::process::ExitCode;

use adjutant_cli::plain;
use clap::Parser as _;

fn main() -> ExitCode {
    let cli = match args::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Nothing can be done where not even this can be printed.
            if error.use_stderr() && std::env::args_os().any(|arg| arg == "--json") {
                let text = error.to_string();
                let text = text.trim().trim_start_matches("error: ");
                console::Console::new(true).wrong(text, || serde_json::json!({ "ok": false, "error": text }));
                return ExitCode::from(2);
            }
            if error.use_stderr() {
                console::complain(&plain(&error.to_string()));
                return ExitCode::from(2);
            }
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
    };
    let console = console::Console::new(cli.json);
    ExitCode::from(commands::run(&cli.command, &console))
}
