//! What the runtime has stored, and a Worker that lost some of it.

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

    /// The files of one shard, found by the state that it keeps.
    pub fn of_shard(&self, number: u16) -> Vec<PathBuf> {
        let own = format!("{{\"shard\":{number},\"generation\":").into_bytes();
        let files: Vec<PathBuf> = std::fs::read_dir(self.0.join("onsale-line-shard"))
            .expect("the shards' folder")
            .map(|entry| entry.expect("a readable entry").path())
            .collect();
        let has = |path: &&PathBuf| std::fs::read(path).expect("a file").windows(own.len()).any(|part| part == own);
        // An object's files begin with its id of 64 hex digits; others are the runtime's own.
        let object = |path: &PathBuf| path.file_name()?.to_str()?.get(..64).map(str::to_owned);
        let found = files.iter().find(has).and_then(object).expect("the shard has stored its state");
        files.into_iter().filter(|path| object(path).as_ref() == Some(&found)).collect()
    }

    /// Loses one shard.
    pub fn lose_shard(&self, number: u16) {
        self.of_shard(number).iter().for_each(|path| std::fs::remove_file(path).expect("a file of the shard"));
    }
}
