//! The deployable `wrangler.toml` under `wrangler dev`: bindings, migrations, assets and modules are as deployed.
//!
//! Only the build command is left out, and the folders are those of the development build.

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::process::{Child, Command};

use crate::edge::{EVENT, MASTER_KEYS, event, now, sleep_ms};
use crate::origin::Origin;

/// A running `wrangler dev`; its own children end with it when it is asked politely.
struct Wrangler {
    child: Child,
    url: String,
    _folder: tempfile::TempDir,
}

impl Drop for Wrangler {
    fn drop(&mut self) {
        let pid = self.child.id().map(|pid| pid.to_string()).unwrap_or_default();
        let _ = std::process::Command::new("kill").arg(pid).status();
    }
}

impl Wrangler {
    async fn start(origin: &Origin) -> Self {
        let bundle = tokio::task::spawn_blocking(|| tests::scene::artifacts().edge).await.expect("the build ends");
        let root = onsale::build::workspace();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let config = std::fs::read_to_string(root.join("wrangler.toml")).expect("wrangler.toml");
        let config = config
            .split("\n[")
            .filter(|table| !table.starts_with("build]"))
            .collect::<Vec<_>>()
            .join("\n[")
            .replace("\"target/edge/release", &format!("\"{}", bundle.folder.display()))
            .replace("\"edge-worker/pages\"", &format!("\"{}\"", bundle.pages.display()));
        let file = folder.path().join("wrangler.toml");
        std::fs::write(&file, config).expect("a written file");
        let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a free port");
        let mut command = Command::new(root.join("infra/npm/node_modules/.bin/wrangler"));
        command.args(["dev", "--ip", "127.0.0.1", "--show-interactive-dev-session=false", "--config"]).arg(&file);
        command.args(["--port", &free.port().to_string(), "--persist-to"]).arg(folder.path().join("state"));
        for (name, value) in variables(origin) {
            command.arg("--var").arg(format!("{name}:{value}"));
        }
        command.envs([("WRANGLER_SEND_METRICS", "false"), ("WRANGLER_HIDE_BANNER", "true"), ("CI", "1")]);
        command.env("CLOUDFLARE_CF_FETCH_ENABLED", "false");
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().expect("wrangler starts");
        Self { child, url: format!("http://{free}"), _folder: folder }
    }
}

fn variables(origin: &Origin) -> [(&'static str, &str); 7] {
    [
        ("ORIGIN_URL", &origin.url),
        ("ONSALE_MASTER_KEYS", MASTER_KEYS),
        ("OPERATOR_KEY", "operator"),
        ("AWS_ACCESS_KEY_ID", "id"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("LOOPBACK", "1"),
        ("DEV_SIGN_IN", "1"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn the_deployable_configuration_runs() {
    let wrangler = Wrangler::start(&Origin::start().await).await;
    let http = reqwest::Client::new();
    let path = |path: &str| format!("{}{path}", wrangler.url);
    let line = path(&format!("/v1/events/{EVENT}/line"));
    let put = path(&format!("/v1/operator/events/{EVENT}"));
    let put = || http.put(&put).bearer_auth("operator").body(event(now() + 1_000).to_string()).send();
    let end = now() + 120_000;
    while !put().await.is_ok_and(|answer| answer.status().is_success()) {
        assert!(now() < end, "wrangler takes calls in time");
        sleep_ms(1_000).await;
    }
    let sign_in = http.post(path("/v1/dev/sign-in")).body(json!({ "name": "ada" }).to_string()).send().await;
    let account: Value = sign_in.expect("an answer").json().await.expect("an account");
    let token = account["token"].as_str().expect("a credential");
    let join = || async {
        // Wrangler answers in plain words when it has just restarted the Worker.
        let answer = http.post(&line).header("X-Account-Token", token).send().await.expect("an answer");
        answer.json::<Value>().await.unwrap_or_default()
    };
    while join().await["place"].is_null() {
        assert!(now() < end, "a number in time: {:?}", join().await);
        sleep_ms(500).await;
    }
    for page in ["/", "/e/demo", "/assets/css/base.css"] {
        while !http.get(path(page)).send().await.is_ok_and(|answer| answer.status().is_success()) {
            assert!(now() < end, "{page} in time");
            sleep_ms(500).await;
        }
    }
}
