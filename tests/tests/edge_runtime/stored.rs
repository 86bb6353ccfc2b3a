//! What the runtime has stored, and a Worker that lost some of it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use reqwest::Method;
use serde_json::Value;

use crate::edge::{EVENT, Edge, now, sleep_ms};

impl Edge {
    /// Kills the Worker, loses what the shards have stored, and starts it again.
    pub async fn lose_shards(&mut self) {
        self.restart_after(|storage| storage.lose("onsale-line-shard")).await;
    }

    /// Kills the Worker, does something to what it has stored, and starts it again.
    pub async fn restart_after(&mut self, change: impl FnOnce(&Storage)) {
        self.workerd.kill().await.expect("workerd ends");
        change(&Storage(self.state.path().to_path_buf()));
        self.workerd.restart().await.expect("workerd starts again");
    }

    /// Joins, and waits for the number.
    pub async fn numbered(&self, account: &str) -> Value {
        let end = now() + 30_000;
        loop {
            let answer = self.join(account).await;
            if answer.body["place"].is_u64() {
                return answer.body;
            }
            assert!(
                now() < end,
                "a number in time: {answer:?}; {}",
                self.operator(Method::GET, "", Value::Null).await.body
            );
            sleep_ms(200).await;
        }
    }

    /// Joins again with a token that was given; how, or whether, it is answered does not matter.
    pub async fn try_join(&self, account: &str, token: &str) {
        let headers = [("X-Account-Token", account), ("X-Place-Token", token)];
        self.try_call(Method::POST, &format!("/v1/events/{EVENT}/line"), &headers, &Value::Null).await;
    }
}

/// What the Durable Objects have stored: a folder for each class, a few files for each object.
pub struct Storage(PathBuf);

impl Storage {
    /// Loses all objects of a class.
    pub fn lose(&self, class: &str) {
        std::fs::remove_dir_all(self.0.join(class)).expect("the class has a folder");
    }

    /// The databases of all objects of a class.
    pub fn databases(&self, class: &str) -> Vec<PathBuf> {
        let files = std::fs::read_dir(self.0.join(class)).expect("the class has a folder");
        let files = files.map(|file| file.expect("a readable entry").path());
        files.filter(|path| path.extension().is_some_and(|kind| kind == "sqlite")).collect()
    }

    /// The files of one shard of the main line.
    pub fn of_shard(&self, number: u16) -> Vec<PathBuf> {
        self.of_line_shard(0, number)
    }

    /// The files of one shard, found by the state that it keeps.
    fn of_line_shard(&self, line: u8, number: u16) -> Vec<PathBuf> {
        // An object's files begin with its id of 64 hex digits; others are the runtime's own.
        let mut objects: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        for entry in std::fs::read_dir(self.0.join("onsale-line-shard")).expect("the shards' folder") {
            let path = entry.expect("a readable entry").path();
            if let Some(id) = path.file_name().and_then(|name| name.to_str()?.get(..64).map(str::to_owned)) {
                objects.entry(id).or_default().push(path);
            }
        }
        let own = [format!("{{\"shard\":{number},\"generation\":"), format!("of-line{line}")].map(String::into_bytes);
        let has = |files: &&Vec<PathBuf>| {
            let bytes: Vec<u8> = files.iter().flat_map(|path| std::fs::read(path).expect("a file")).collect();
            own.iter().all(|part| bytes.windows(part.len()).any(|window| window == part))
        };
        objects.values().find(has).cloned().expect("the shard has stored its state")
    }

    /// Loses one shard of the main line.
    pub fn lose_shard(&self, number: u16) {
        self.lose_shard_of(0, number);
    }

    /// Loses one shard of a line.
    pub fn lose_shard_of(&self, line: u8, number: u16) {
        let files = self.of_line_shard(line, number);
        files.iter().for_each(|path| std::fs::remove_file(path).expect("a file of the shard"));
    }
}
