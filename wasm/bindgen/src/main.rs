//! `richman-bindgen MODULE FOLDER`: reads the module that the compiler made, and writes it with its
//! functions for JavaScript to the folder.

use std::env::args_os;
use std::path::PathBuf;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let paths: Vec<PathBuf> = args_os().skip(1).map(PathBuf::from).collect();
    let [module, folder] = paths.as_slice() else {
        eprintln!("usage: richman-bindgen MODULE FOLDER");
        return ExitCode::from(2);
    };
    let made = Bindgen::new()
        .input_path(module)
        .out_name("module")
        .web(true)
        .and_then(|bindgen| bindgen.typescript(false).remove_producers_section(true).generate(folder));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", module.display());
            ExitCode::FAILURE
        }
    }
}
