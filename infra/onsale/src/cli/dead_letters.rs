//! `onsale dead-letters …`: what the stream's readers gave up, and delivering it again.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, Subcommand};

use super::home::Home;
use crate::letters::{Invoker, Letter, Unread, all};
use crate::stream::DeadLetters;

/// Commands for dead letters.
#[derive(Debug, Subcommand)]
pub(super) enum LettersCommand {
    /// Show each letter, its function, and the items that its records are about
    List(ListArgs),
    /// Deliver every record again; what is taken leaves its letter
    Redrive(RedriveArgs),
}

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// A folder with letters, such as a copy of a deployment's bucket (default: the local stack's)
    #[arg(long, value_name = "DIR")]
    pub from: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct RedriveArgs {
    /// A folder with letters, such as a copy of a deployment's bucket (default: the local stack's)
    #[arg(long, value_name = "DIR")]
    pub from: Option<PathBuf>,
    /// Not to the local stack's functions, but to those that AWS_* lead to
    #[arg(long, requires = "from")]
    pub deployed: bool,
}

pub(super) async fn run(home: &Home, command: LettersCommand) -> anyhow::Result<()> {
    match command {
        LettersCommand::List(args) => show(&letters(home, args.from)?),
        LettersCommand::Redrive(args) => redrive(home, args).await,
    }
}

fn letters(home: &Home, from: Option<PathBuf>) -> anyhow::Result<Vec<Result<Letter, Unread>>> {
    Ok(all(&from.unwrap_or_else(|| home.folder().join(DeadLetters::FOLDER)))?)
}

fn show(letters: &[Result<Letter, Unread>]) -> anyhow::Result<()> {
    for letter in letters.iter().flatten() {
        let (when, why) = letter.why();
        println!("{when}  {}: {why}", letter.function());
        letter.keys().iter().for_each(|key| println!("    {key}"));
    }
    let bad: Vec<&Unread> = letters.iter().filter_map(|letter| letter.as_ref().err()).collect();
    bad.iter().for_each(|unread| println!("{unread}"));
    println!("{} letters", letters.len() - bad.len());
    if bad.is_empty() { Ok(()) } else { bail!("{} files were not read", bad.len()) }
}

async fn redrive(home: &Home, args: RedriveArgs) -> anyhow::Result<()> {
    let to = if args.deployed { Invoker::from_env()? } else { local(home)? };
    let (mut taken, mut left) = (0, 0);
    for letter in letters(home, args.from)? {
        match letter {
            Ok(letter) => {
                let done = letter.redrive(&to).await?;
                done.left.iter().for_each(|why| println!("{why}"));
                (taken, left) = (taken + done.taken, left + done.left.len());
            }
            Err(unread) => {
                println!("{unread}");
                left += 1;
            }
        }
    }
    println!("{taken} records were delivered");
    if left == 0 { Ok(()) } else { bail!("{left} are left; `onsale dead-letters list` shows them") }
}

fn local(home: &Home) -> anyhow::Result<Invoker> {
    let ready = home.ready()?;
    Ok(Invoker::local(&ready.control, &ready.operator_key))
}
