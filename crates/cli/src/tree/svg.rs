pub fn render(_: &richman_analysis::tree::TreeReport) -> String {
    String::new()
}
