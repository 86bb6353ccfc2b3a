//! docs/openapi.json against the routes: every route of the code is described, and every described one is a route.

use std::collections::BTreeSet;

use domain::items::{HoldState, OrderState};
use domain::operate::Action;
use serde_json::Value;

use crate::{codes, tree};

/// Where fans' calls go, and operators'.
const FANS: &str = "/v1/events/{}";
const OPERATORS: &str = "/v1/operator/events/{}";

/// `POST /v1/events/{}/holds`, whatever the names in braces are.
type Routes = BTreeSet<String>;

/// What differs.
pub fn findings(document: &str) -> Vec<String> {
    let document: Value = match serde_json::from_str(document) {
        Ok(document) => document,
        Err(error) => return vec![format!("it is no JSON: {error}")],
    };
    let mut found = differing("route", &described(&document), &of_code());
    let schemas = &document["components"]["schemas"];
    let codes: Routes = codes::all().into_iter().collect();
    found.extend(differing("code", &words(&schemas["Problem"]["properties"]["code"]), &codes));
    let orders: Routes = OrderState::ALL.iter().map(ToString::to_string).collect();
    found.extend(differing("state of orders", &words(&schemas["Order"]["properties"]["state"]), &orders));
    let holds: Routes = HoldState::ALL.iter().map(ToString::to_string).collect();
    found.extend(differing("state of holds", &words(&schemas["Hold"]["properties"]["state"]), &holds));
    found.extend(broken(&document, &document));
    found
}

fn differing(what: &str, described: &Routes, code: &Routes) -> Vec<String> {
    let missing = code.difference(described).map(|name| format!("{what} {name} is not described"));
    missing.chain(described.difference(code).map(|name| format!("{what} {name} is not in the code"))).collect()
}

fn words(schema: &Value) -> Routes {
    schema["enum"].as_array().into_iter().flatten().filter_map(|word| word.as_str().map(str::to_owned)).collect()
}

fn described(document: &Value) -> Routes {
    let methods = ["get", "post", "put", "delete"];
    let paths = document["paths"].as_object().into_iter().flatten();
    let each = paths.flat_map(|(path, item)| methods.iter().filter(|m| item[**m].is_object()).map(move |m| (path, m)));
    each.map(|(path, method)| format!("{} {}", method.to_uppercase(), nameless(path))).collect()
}

fn nameless(path: &str) -> String {
    let named = |part: &str| if part.starts_with('{') { "{}".to_owned() } else { part.to_owned() };
    path.split('/').map(named).collect::<Vec<_>>().join("/")
}

fn of_code() -> Routes {
    let router = tree::text("edge-worker/src/router.rs");
    let (sessions, fans) = router.split_once("async fn fan(").expect("the router has fans' routes");
    let (index, sessions) = sessions.split_once("async fn sessions(").unwrap_or_default();
    let index = index.split_once("async fn index(").map(|(_, rest)| rest).unwrap_or_default();
    let (sessions, accounts) = sessions.split_once("async fn accounts(").expect("the router has accounts' routes");
    let booking = tree::text("edge-worker/src/routes/booking.rs");
    let booking = booking.split("#[cfg(test)]").next().unwrap_or_default();
    let mut routes = patterns(sessions, "/v1/session");
    routes.extend(patterns(index, "/v1"));
    routes.extend(patterns(accounts, "/v1"));
    routes.extend(patterns(fans, FANS));
    routes.extend(patterns(booking, FANS));
    routes.extend(Action::ALL.iter().map(|action| {
        let (method, rest, _) = action.route();
        format!("{method} {OPERATORS}{}", rest.replace('*', "{}"))
    }));
    routes
}

/// Patterns such as `(Method::Get | Method::Head, ["holds", _])`. What answers to HEAD answers to GET too.
fn patterns(source: &str, base: &str) -> Routes {
    let lines = source.lines().map(str::trim).filter(|line| line.starts_with("(Method::"));
    let pairs = lines
        .filter_map(|line| line[1..].split_once(", [").map(|(m, rest)| (m, rest.split(']').next().unwrap_or(rest))));
    let each = pairs.flat_map(|(methods, path)| methods.split(" | ").map(move |method| (method, path)));
    let each = each.map(|(method, path)| (method.trim_start_matches("Method::").to_uppercase(), path));
    each.filter(|(method, _)| method != "HEAD")
        .map(|(method, path)| format!("{method} {base}{}", joined(path)))
        .collect()
}

fn joined(path: &str) -> String {
    let part = |part: &str| match part.trim().strip_prefix('"') {
        Some(word) => format!("/{}", word.trim_end_matches('"')),
        None => "/{}".to_owned(),
    };
    path.split(',').filter(|text| !text.trim().is_empty()).map(part).collect()
}

/// References that lead nowhere.
fn broken(document: &Value, at: &Value) -> Vec<String> {
    let within: Vec<&Value> = match at {
        Value::Object(map) => map.values().collect(),
        Value::Array(list) => list.iter().collect(),
        _ => Vec::new(),
    };
    let own = at["$ref"].as_str().filter(|path| document.pointer(path.trim_start_matches('#')).is_none());
    let own = own.map(|path| format!("{path} leads nowhere"));
    own.into_iter().chain(within.into_iter().flat_map(|value| broken(document, value))).collect()
}

#[test]
fn routes_are_read_from_the_code() {
    let source = r#"
        (Method::Get | Method::Head, []) => x,
        (Method::Post, ["holds", _, "extension"]) => y,
    "#;
    let routes: Vec<String> = patterns(source, FANS).into_iter().collect();
    assert_eq!(routes, ["GET /v1/events/{}", "POST /v1/events/{}/holds/{}/extension"]);
    assert!(of_code().len() > 45, "{:?}", of_code());
}

#[test]
fn a_route_too_few_and_one_too_many_are_found() {
    let text = tree::text("docs/openapi.json");
    for (from, to) in
        [("\"/v1/events/{event}/holds\"", "\"/v1/events/{event}/helds\""), ("\"SEATS_TAKEN\"", "\"SEATS_GIVEN\"")]
    {
        assert_eq!(findings(&text.replace(from, to)).len(), 2, "{from}");
    }
    assert_eq!(findings(&text.replace("schemas/Wish\"", "schemas/Wished\"")).len(), 1);
}
