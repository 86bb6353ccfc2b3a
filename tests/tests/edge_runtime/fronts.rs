//! One deployment as a data centre runs it: several isolates of the same Worker before the same Durable Objects.
//!
//! The bare runtime gives each service of its configuration an isolate of its own. So the bundle's configuration gets
//! more services that differ from the first in one thing: their Durable Objects are those of the first.

use std::path::Path;

use onsale::edge::EdgeBundle;
use reqwest::StatusCode;
use serde_json::Value;

use crate::edge::{EVENT, Edge, bundle};

/// A Worker in many isolates.
pub struct Fronts {
    /// The first isolate, in whose process all live.
    pub edge: Edge,
    /// The addresses of the others.
    pub urls: Vec<String>,
    http: reqwest::Client,
    _bundle: tempfile::TempDir,
}

impl Fronts {
    /// Starts `count` isolates beside the first, with an event; `change` may alter the bundle's files.
    pub async fn start(count: usize, event: Value, change: impl FnOnce(&Path)) -> Self {
        let (folder, built) = (tempfile::tempdir().expect("a temporary folder"), bundle().await);
        let ports: Vec<u16> = (0..count).map(|_| free_port()).collect();
        copy(&built.folder, folder.path());
        edit(folder.path(), "config.capnp", |config| with_fronts(&config, &ports));
        change(folder.path());
        let edge = Edge::of(EdgeBundle { folder: folder.path().to_owned(), ..built }, event).await;
        let urls = ports.iter().map(|port| format!("http://127.0.0.1:{port}")).collect();
        Self { edge, urls, http: reqwest::Client::new(), _bundle: folder }
    }

    /// The status and text of what one isolate answers to a read below the event's path.
    pub async fn get(&self, front: usize, path: &str, access: &str) -> (StatusCode, String) {
        let url = format!("{}/v1/events/{EVENT}{path}", self.urls[front]);
        let answer = self.http.get(url).header("X-Access-Token", access).send().await.expect("an answer");
        (answer.status(), answer.text().await.expect("a text"))
    }

    /// How often readers asked the shards, each by its own count with the last beat.
    pub async fn reads(&self) -> Vec<u64> {
        let live = self.edge.operator(reqwest::Method::GET, "", Value::Null).await;
        let shards = live.body["shards"].as_object().cloned().unwrap_or_default();
        shards.values().map(|shard| shard["reads"].as_u64().expect("a count")).collect()
    }
}

/// Rewrites a file of a bundle.
pub fn edit(bundle: &Path, file: &str, change: impl FnOnce(String) -> String) {
    let path = bundle.join(file);
    let text = std::fs::read_to_string(&path).expect("a file of the bundle");
    std::fs::write(&path, change(text)).expect("written");
}

fn free_port() -> u16 {
    let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    free.expect("a free port").port()
}

/// Modules in folders of their own keep their paths.
fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("the bundle") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a kind").is_dir() {
            std::fs::create_dir(&target).expect("a folder");
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

fn with_fronts(config: &str, ports: &[u16]) -> String {
    let service = |n: usize| format!("(name = \"front{n}\", worker = .front), ");
    let socket = |(n, port): (usize, &u16)| {
        format!("(name = \"front{n}\", address = \"127.0.0.1:{port}\", http = (), service = \"front{n}\"), ")
    };
    let services: String = (0..ports.len()).map(service).collect();
    let sockets: String = ports.iter().enumerate().map(socket).collect();
    let config = config.replace("services = [", &format!("services = [{services}"));
    let config = config.replace("service = \"main\")", &format!("service = \"main\"), {sockets}"));
    format!("{config}\n{}", front(&config))
}

/// The Worker again, with the Durable Objects of the first.
fn front(config: &str) -> String {
    let worker = config.split("const worker :").nth(1).and_then(|rest| rest.split("\nconst ").next());
    let mut worker = format!("const front :{}", worker.expect("a worker"));
    for class in ["LineShard", "Pacer"] {
        let foreign = format!("durableObjectNamespace = (className = \"{class}\", serviceName = \"main\")");
        worker = worker.replace(&format!("durableObjectNamespace = \"{class}\""), &foreign);
    }
    let (before, rest) = worker.split_once("  durableObjectNamespaces = [").expect("namespaces");
    let (_, after) = rest.split_once("durableObjectStorage = (localDisk = \"storage\"),").expect("storage");
    format!("{before}{after}")
}
