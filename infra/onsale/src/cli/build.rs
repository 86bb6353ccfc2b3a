//! `onsale build`.

use crate::build::{What, only};
use crate::edge::Profile;

use super::args::Target;
use super::progress::Progress;

pub(super) async fn run(target: Target, release: bool) -> anyhow::Result<()> {
    let what = match target {
        Target::Edge => What::Edge,
        Target::Lambdas => What::Lambdas,
        Target::All => What::All,
    };
    let profile = if release { Profile::Release } else { Profile::Dev };
    tokio::task::spawn_blocking(move || only(what, profile, &Progress::new())).await??;
    Ok(())
}
