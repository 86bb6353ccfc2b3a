//! `onsale recompute`: a place, computed again from the published draw.

use anyhow::{Context, anyhow};
use domain::draw::DrawFile;

use super::args::RecomputeArgs;

pub(super) async fn run(args: &RecomputeArgs) -> anyhow::Result<()> {
    let bytes = fetch(&args.draw).await?;
    let draw = DrawFile::parse(&bytes)?;
    let place = draw
        .place_of(args.shard, args.epoch, args.index)
        .ok_or_else(|| anyhow!("this entry is not in cohort {}; another draw file has it", draw.k))?;
    println!("place {place} (cohort {}: {} people, after {} others)", draw.k, draw.n, draw.base);
    if let Some(secret) = &args.secret {
        draw.verify(&secret_bytes(secret)?)?;
        println!("the seed and the commitment follow from the published secret");
    }
    Ok(())
}

async fn fetch(from: &str) -> anyhow::Result<Vec<u8>> {
    if from.starts_with("http://") || from.starts_with("https://") {
        let response = reqwest::get(from).await?.error_for_status().context("the draw file is not there")?;
        return Ok(response.bytes().await?.to_vec());
    }
    std::fs::read(from).with_context(|| format!("{from} cannot be read"))
}

fn secret_bytes(text: &str) -> anyhow::Result<[u8; 32]> {
    use base64::Engine as _;
    let bytes = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(text)?;
    bytes.try_into().map_err(|_| anyhow!("the secret is 32 bytes in base64url"))
}
