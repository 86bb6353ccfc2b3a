//! `onsale check-origin`: whether a shop keeps the contract with the line.

use anyhow::{Context, bail};
use domain::keys::MasterKeys;
use domain::time::WallMs;

use super::args::CheckOriginArgs;
use crate::check_origin::{Clause, Target, check};
use crate::lambda_host::{Signer, SignerKeys};

pub(super) async fn run(args: CheckOriginArgs) -> anyhow::Result<()> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let keys = variable("ONSALE_MASTER_KEYS").context("set ONSALE_MASTER_KEYS to what edge and shop share")?;
    let signer = variable("AWS_ACCESS_KEY_ID").zip(variable("AWS_SECRET_ACCESS_KEY")).map(|(id, secret)| {
        let region = variable("AWS_REGION").unwrap_or_else(|| crate::stack::REGION.to_owned());
        Signer::new(&SignerKeys { access_key_id: id, secret_access_key: secret }, &region, "lambda")
    });
    let target = Target {
        url: args.url.trim_end_matches('/').to_owned(),
        event: args.event.parse().context("--event is no event's id")?,
        keys: MasterKeys::parse(&keys)?,
        signer,
    };
    let clauses = check(&target, WallMs(jiff::Timestamp::now().as_millisecond())).await;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&clauses)?);
    } else {
        clauses.iter().for_each(|clause| println!("{}", told(clause)));
    }
    let broken = clauses.iter().filter(|clause| clause.instead.is_some()).count();
    if broken > 0 { bail!("{broken} of {} clauses do not hold", clauses.len()) } else { Ok(()) }
}

fn told(clause: &Clause) -> String {
    match &clause.instead {
        None => format!("holds   {}", clause.what),
        Some(instead) => format!("BROKEN  {}: {instead}", clause.what),
    }
}
