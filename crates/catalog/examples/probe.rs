fn main() {
    let deep = std::env::args().nth(1).is_some_and(|a| a == "deep");
    let key = std::env::args().nth(2).unwrap_or_default();
    let r = richman_catalog::reproduce(&key, deep, &richman_core::Effort::default()).unwrap();
    print!("{}", toml::to_string(&r).unwrap());
}
