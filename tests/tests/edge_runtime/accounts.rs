//! An account's orders of all events: only a good account token reaches the origin, and only harmless addresses.

use reqwest::Method;

use crate::edge::Edge;

impl Edge {
    /// Status and code of a call for an account's orders.
    async fn orders(&self, method: Method, query: &str, token: &str) -> (u16, String) {
        let url = format!("{}/v1/orders{query}", self.workerd.url());
        let request = reqwest::Client::new().request(method, url).header("X-Account-Token", token);
        let answer = request.send().await.expect("the Worker answers");
        let status = answer.status().as_u16();
        let problem: serde_json::Value = answer.json().await.unwrap_or_default();
        (status, problem["code"].as_str().unwrap_or_default().to_owned())
    }

    fn asked(&self) -> Vec<String> {
        self.origin.bookings().into_iter().map(|seen| seen.what).filter(|what| what.ends_with("/v1/orders")).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_accounts_orders_are_asked_for_with_its_token_only() {
    let edge = Edge::start(1_000).await;
    let (account, (_, access)) = (edge.account("ada").await, edge.enter("bo").await);
    let cut = &account[..account.len() - 1];
    for (method, query, token, refusal) in [
        (Method::GET, "", "", (401, "ACCOUNT_REQUIRED")),
        (Method::GET, "", cut, (401, "ACCOUNT_REQUIRED")),
        (Method::GET, "", &access, (401, "ACCOUNT_REQUIRED")),
        (Method::GET, "?after=a%20b", &account, (400, "BAD_REQUEST")),
        (Method::GET, "?after=a%26after%3Db", &account, (400, "BAD_REQUEST")),
        (Method::GET, "/x", &account, (404, "NOT_FOUND")),
        (Method::PUT, "", &account, (405, "METHOD_NOT_ALLOWED")),
    ] {
        let answer = edge.orders(method.clone(), query, token).await;
        assert_eq!(answer, (refusal.0, refusal.1.to_owned()), "{method} {query}");
    }
    assert_eq!(edge.asked(), Vec::<String>::new(), "nothing of that came through");
    edge.orders(Method::GET, "", &account).await;
    edge.orders(Method::GET, "?after=1.AAAAAAAAAAAAAAAAAAAAAA", &account).await;
    assert_eq!(edge.asked(), ["GET /v1/orders", "GET /v1/orders"]);
    let page = reqwest::get(format!("{}/orders", edge.workerd.url())).await.expect("the page");
    let policy = page.headers()["content-security-policy"].to_str().expect("a text").to_owned();
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    assert!(page.text().await.expect("a text").contains("orders-page.js"));
}
