//! Roles: what docs/operating.md says an operator may do is what the code's one table says.

use domain::operate::Action;

/// Actions whose row in the document is missing or names another role. Faults exist in tests only.
pub fn findings(document: &str) -> Vec<String> {
    let documented = Action::ALL.into_iter().filter(|action| *action != Action::Fault);
    documented
        .filter(|action| !is_told(document, *action))
        .map(|action| format!("{} has no such row", row(action)))
        .collect()
}

fn is_told(document: &str, action: Action) -> bool {
    let role = format!("| {} |", action.least().word());
    document.lines().any(|line| line.contains(&row(action)) && line.contains(&role))
}

/// How a row names the action: method and path.
fn row(action: Action) -> String {
    let (method, path, _) = action.route();
    let path = path.replace('*', "{name}");
    if path.is_empty() { format!("| `{method}` |") } else { format!("| `{method} {path}`") }
}

#[test]
fn a_row_with_another_role_is_found() {
    let good = "| `pause` | `POST /pause` `{\"reason\"}` | run | stops |";
    assert!(is_told(good, Action::Pause) && !is_told(&good.replace("run", "view"), Action::Pause));
    assert!(findings(good).iter().any(|finding| finding.contains("`POST /stop`")));
}
