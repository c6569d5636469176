//! Tells the command whether it is built with the module that answers in a browser: the environment
//! variable `RICHMAN_MODULE` names the folder that `wasm/build` made.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(has_module)");
    println!("cargo::rerun-if-env-changed=RICHMAN_MODULE");
    if std::env::var_os("RICHMAN_MODULE").is_some() {
        println!("cargo::rustc-cfg=has_module");
    }
}
