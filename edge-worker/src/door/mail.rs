//! A one-time code by mail: the way in without JavaScript, and without a challenge that has to be seen.
//!
//! The provider takes `POST` with a bearer key and `{"to","subject","text"}` and answers 2xx once it has the mail.
//! Nothing about the address is kept: the ticket is signed, and the code follows from it.

use domain::cohort::shard_of;
use domain::door::mail::address;
use domain::ids::{AccountId, EventId};
use domain::token::{MailToken, Token};
use serde::Deserialize;
use serde_json::json;

use crate::answer::{self, Answer};
use crate::cache;
use crate::call::{BODY_MAX, Call};
use crate::clock;
use crate::config::Mail;
use crate::credentials;
use crate::objects;
use crate::outside;
use crate::problem::{Code, Problem};
use crate::wire::{MeterAsk, shard_op};

/// Patience with the provider, in milliseconds.
const PATIENCE_MS: u64 = 5_000;
/// Mails to one account, and to one address, in ten minutes.
const MAILS: u32 = 3;
/// Codes that an account may try in ten minutes: of a hundred million.
const TRIES: u32 = 6;
/// The span of these limits, in milliseconds.
const SPAN_MS: i64 = 600_000;

#[derive(Deserialize)]
struct Ask {
    mail: String,
}

/// `POST …/door/mail`: sends a code and answers its ticket.
pub async fn send(call: &mut Call, event: &EventId) -> Answer {
    let account = credentials::account(call, clock::now())?.account;
    let Ask { mail } = call.json(BODY_MAX).await?;
    let (ticket, expires) = send_code(call, event, account, &mail).await?;
    answer::json(200, &json!({ "ticket": ticket, "expires_ms": expires }))
}

/// Sends a code to an address; answers its ticket, and until when it is good.
pub async fn send_code(call: &Call, event: &EventId, account: AccountId, mail: &str) -> Result<(String, i64), Problem> {
    let Some(provider) = &call.config.mail else { return Err(Code::NotFound.into()) };
    let view = cache::view(&call.env, event).await?;
    let to = address(mail).ok_or_else(|| Problem::because(Code::BadRequest, "this is no mail address"))?;
    meter(call, event, &account, "mail", MAILS).await?;
    meter(call, event, &AccountId::derive("mail", &to), "to", MAILS).await?;
    let token = MailToken::issue(account, clock::random16(), clock::now());
    let ticket = token.encode(&call.config.keys, event);
    let code = MailToken::code(&ticket, &call.config.keys, event);
    deliver(provider, &to, &view.event.name, &code).await?;
    Ok((ticket, token.expires.0))
}

/// Whether the code is the ticket's; tries are counted.
pub async fn is_code(
    call: &Call,
    event: &EventId,
    account: &AccountId,
    ticket: &str,
    code: &str,
) -> Result<bool, Problem> {
    meter(call, event, account, "code", TRIES).await?;
    Ok(MailToken::is_code(ticket, code.trim(), &call.config.keys, event))
}

/// Counts in the shard of `whose`, where all calls about it come together.
async fn meter(call: &Call, event: &EventId, whose: &AccountId, what: &str, count: u32) -> Result<(), Problem> {
    let view = cache::view(&call.env, event).await?;
    let shard = objects::shard(&call.env, event, shard_of(whose, view.event.shards))?;
    let ask = MeterAsk { key: format!("{what}/{whose}"), count, per_ms: SPAN_MS };
    objects::ask(&shard, shard_op::METER, &ask).await
}

async fn deliver(provider: &Mail, to: &str, event: &str, code: &str) -> Result<(), Problem> {
    let text = format!(
        "Your code for {event} is {code}\n\nEnter it on the page that asked for it. It is good for 15 minutes.\n\
         If you did not ask for it, somebody mistyped an address: you need not do anything.\n"
    );
    let body = json!({ "to": to, "subject": format!("Your code for {event}"), "text": text }).to_string();
    let key = format!("Bearer {}", provider.key);
    let headers = [("Content-Type", "application/json"), ("Authorization", key.as_str())];
    let request = outside::post(&provider.url, &headers, body)?;
    match outside::send(request, PATIENCE_MS).await {
        Ok(response) if (200..300).contains(&response.status_code()) => Ok(()),
        _ => {
            worker::console_error!("mail: the provider does not take it");
            Err(Code::MailUnavailable.into())
        }
    }
}
