//! `onsale account`: what is stored of a person, for the person.

use clap::{Args, Subcommand};
use domain::erasure::{StillNeeded, shown};
use domain::ids::AccountId;
use serde_json::json;
use table::Erased;

use super::event::when;
use super::home::Home;
use super::source::Source;

/// What is asked for.
#[derive(Debug, Subcommand)]
pub(super) enum AccountCommand {
    /// Print everything that the table holds of an account, as JSON
    Export(Whose),
    /// Erase what tells of the person, as far as it is needed no more: orders of events that are over stay for the books, under
    /// nobody's name
    Erase(Whose),
}

/// Whose data.
#[derive(Debug, Args)]
pub(super) struct Whose {
    /// The account, as orders show it
    #[arg(required_unless_present = "subject")]
    account: Option<AccountId>,
    /// The identity provider, with --subject
    #[arg(long, value_name = "URL", requires = "subject")]
    issuer: Option<String>,
    /// The person's id there
    #[arg(long, value_name = "ID", requires = "issuer", conflicts_with = "account")]
    subject: Option<String>,
    /// Not the local stack, but the table of TABLE_NAME and AWS_*
    #[arg(long)]
    deployed: bool,
}

impl Whose {
    fn account(&self) -> AccountId {
        let word = |text: &Option<String>| text.clone().unwrap_or_default();
        self.account.unwrap_or_else(|| AccountId::derive(&word(&self.issuer), &word(&self.subject)))
    }
}

pub(super) async fn run(home: &Home, command: AccountCommand) -> anyhow::Result<()> {
    let (AccountCommand::Export(whose) | AccountCommand::Erase(whose)) = &command;
    let (table, account) = (Source::table(home, whose.deployed).await?, whose.account());
    match command {
        AccountCommand::Export(_) => {
            let items = shown(&table.account(&account).await?.items);
            println!("{:#}", json!({ "account": account, "items": items }));
        }
        AccountCommand::Erase(_) => print!("{}", told(&table.erase_account(&account, when::now()).await?)),
    }
    Ok(())
}

fn told(erased: &Erased) -> String {
    let Erased { events: _, orders, kept, counts } = erased;
    let mut text = format!("{} orders erased, {} kept\n", orders.len(), kept.len());
    for needed in kept {
        text += &match needed {
            StillNeeded::Until(_, ends) => format!("kept: {needed}; it ends {}\n", when::shown(ends.0, "UTC")),
            StillNeeded::Unfinished(_) => format!("kept: {needed}\n"),
        };
    }
    for usage in counts {
        text += &format!("kept: the count of places of {}, for its limit\n", usage.event);
    }
    text
}
