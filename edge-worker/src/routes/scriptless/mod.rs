//! The line without JavaScript: sign in, pass the door by a code that comes by mail, join, and see the place. Each step
//! is a form; seats are chosen in any browser with JavaScript, on any device, since the place is the account's.

mod html;

use domain::ids::EventId;
use form_urlencoded::parse;
use worker::{Method, Response};

use crate::answer::Answer;
use crate::cache;
use crate::call::{BODY_MAX, Call};
use crate::clock;
use crate::credentials;
use crate::door::{Proof, mail};
use crate::problem::{Code, Problem};
use crate::routes::lanes::Wish;
use crate::routes::{line, sign_in};
pub use html::escape;
use html::{Page, Step};

/// A form as it was sent.
struct Form(Vec<(String, String)>);

impl Form {
    fn field(&self, name: &str) -> &str {
        self.0.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }
}

/// `GET` and `POST /e/{id}/plain`.
pub async fn answer(call: &mut Call, event: &EventId) -> Answer {
    match call.request.method() {
        Method::Get | Method::Head => show(call, event, None).await,
        Method::Post => take(call, event).await,
        _ => Err(Code::MethodNotAllowed.into()),
    }
}

async fn take(call: &mut Call, event: &EventId) -> Answer {
    let body = call.body(BODY_MAX).await?;
    let form = Form(parse(&body).into_owned().collect());
    let done = match form.field("step") {
        "sign-in" => sign_in::by_form(call, form.field("name")),
        "mail" => return send_code(call, event, form.field("mail")).await,
        "code" => {
            let (ticket, code) = (form.field("ticket").to_owned(), form.field("code").to_owned());
            line::enter(call, event, Some(Proof::Mail { ticket, code }), &Wish::default()).await
        }
        "join" => line::enter(call, event, None, &wish(&form)).await,
        _ => Err(Code::BadRequest.into()),
    };
    match done {
        Ok(response) if response.status_code() < 400 => back(event, &response),
        Ok(response) => show_again(call, event, response).await,
        Err(problem) => show(call, event, Some(problem)).await,
    }
}

/// The presale code that was typed, if one was.
fn wish(form: &Form) -> Wish {
    let code = form.field("presale").trim();
    Wish { code: (!code.is_empty()).then(|| code.to_owned()), lane: None }
}

/// To the page itself, with the cookies of what was done: reloading it repeats nothing.
fn back(event: &EventId, done: &Response) -> Answer {
    let headers = worker::Headers::new();
    headers.set("Location", &format!("/e/{event}/plain"))?;
    headers.set("Cache-Control", "no-store")?;
    let response = Response::empty()?.with_status(303).with_headers(headers);
    match done.headers().get("Set-Cookie")? {
        Some(cookie) => crate::answer::with_cookie(response, &cookie),
        None => Ok(response),
    }
}

/// The line is busy: the stamp's cookie goes along, so that the next try counts from this one.
async fn show_again(call: &Call, event: &EventId, refused: Response) -> Answer {
    let shown = show(call, event, Some(Code::LineBusy.into())).await?;
    match refused.headers().get("Set-Cookie")? {
        Some(cookie) => crate::answer::with_cookie(shown, &cookie),
        None => Ok(shown),
    }
}

async fn send_code(call: &Call, event: &EventId, to: &str) -> Answer {
    let account = credentials::account(call, clock::now())?.account;
    match mail::send_code(call, event, account, to).await {
        Ok((ticket, _)) => page(call, event, Step::Code(ticket), None).await,
        Err(problem) => page(call, event, Step::Mail, Some(problem)).await,
    }
}

async fn show(call: &Call, event: &EventId, problem: Option<Problem>) -> Answer {
    let now = clock::now();
    let step = match (credentials::shown_place(call, event, now), credentials::account(call, now)) {
        (Some(shown), _) => match line::stand(call, event, &shown).await {
            Ok((place, _)) => Step::Waits(place.number(), place.entrance.lane),
            Err(_) => Step::Waits(shown.number(), shown.entrance.lane),
        },
        (None, Err(_)) => Step::SignIn(call.config.dev_sign_in),
        (None, Ok(_)) if problem.as_ref().is_some_and(by_mail) => Step::Mail,
        (None, Ok(_)) => Step::Join,
    };
    page(call, event, step, problem).await
}

fn by_mail(problem: &Problem) -> bool {
    let asked = matches!(problem.code, Code::CheckRequired | Code::CheckFailed);
    let ways = problem.extra.get("ways").and_then(serde_json::Value::as_array);
    asked && ways.is_some_and(|ways| ways.iter().any(|way| way == "mail"))
}

async fn page(call: &Call, event: &EventId, step: Step, problem: Option<Problem>) -> Answer {
    let view = cache::view(&call.env, event).await?;
    let status = cache::status(&call.env, event).await.ok();
    let status_code = problem.as_ref().map_or(200, |problem| problem.code.http().0);
    let page = Page { event: &view.event, status: status.as_deref(), step, problem };
    super::pages::html(status_code, &page.render())
}
