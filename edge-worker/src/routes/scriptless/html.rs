//! The page without JavaScript, as text. Everything from outside is escaped.

use domain::edge_event::EdgeEvent;
use domain::lane::Access;
use domain::status::Phase;

use crate::cache::Status;
use crate::problem::{Code, Problem};

/// What the fan does next.
pub enum Step {
    /// Signs in; whether the local sign-in exists.
    SignIn(bool),
    /// Joins.
    Join,
    /// Has a code sent.
    Mail,
    /// Enters the code of this ticket.
    Code(String),
    /// Waits, with this number if it is known, in this lane.
    Waits(Option<u64>, u8),
}

/// The page.
pub struct Page<'a> {
    /// The event.
    pub event: &'a EdgeEvent,
    /// The line's status, if it is known.
    pub status: Option<&'a Status>,
    /// What comes next.
    pub step: Step,
    /// What was refused.
    pub problem: Option<Problem>,
}

/// Between two looks of a page that waits, in seconds.
const AGAIN_S: u32 = 20;

impl Page<'_> {
    /// The page's text.
    pub fn render(&self) -> String {
        let EdgeEvent { name, venue, .. } = self.event;
        let waits = matches!(self.step, Step::Waits(..));
        let again = if waits { format!("<meta http-equiv=\"refresh\" content=\"{AGAIN_S}\">") } else { String::new() };
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">{again}\
             <title>{title} · Onsale</title><link rel=\"stylesheet\" href=\"/assets/css/base.css\">\
             <link rel=\"stylesheet\" href=\"/assets/css/event.css\"></head>\
             <body><header class=\"top\"><a class=\"mark\" href=\"/\">Onsale</a></header><main><div class=\"event\">\
             <header class=\"event-head\"><h1>{title}</h1><p class=\"venue\">{venue}</p></header>\
             <section class=\"card stage\">{refused}{step}</section></div></main></body></html>\n",
            title = escape(name),
            venue = escape(venue),
            refused = self.refused(),
            step = self.step(),
        )
    }

    fn refused(&self) -> String {
        let Some(problem) = &self.problem else { return String::new() };
        let text = match problem.code {
            // The step that follows says what to do.
            Code::CheckRequired => return String::new(),
            _ => problem.detail.as_deref().unwrap_or(problem.code.http().1),
        };
        format!("<p class=\"bad\" role=\"alert\">{}.</p>", escape(text))
    }

    fn step(&self) -> String {
        match &self.step {
            Step::SignIn(true) => {
                let field =
                    "<label for=\"name\">Your name</label><input id=\"name\" name=\"name\" required maxlength=\"60\">";
                form("sign-in", "Sign in", field, "Sign in")
            }
            Step::SignIn(false) => {
                "<h2>Sign in</h2><p>Please sign in on the organiser’s site first, then come back.</p>".into()
            }
            Step::Join => {
                let text = "<p>Your place comes with your account, not with this page.</p>";
                form("join", "Join the line", &format!("{text}{}", self.code_field()), "Join")
            }
            Step::Mail => {
                let field = "<label for=\"mail\">Your mail address</label>\
                             <input id=\"mail\" name=\"mail\" type=\"email\" required maxlength=\"254\" autocomplete=\"email\">";
                form("mail", "One check first: a code by mail", field, "Send the code")
            }
            Step::Code(ticket) => {
                let field = format!(
                    "<input type=\"hidden\" name=\"ticket\" value=\"{}\"><label for=\"code\">The code from the mail</label>\
                     <input id=\"code\" name=\"code\" inputmode=\"numeric\" autocomplete=\"one-time-code\" required maxlength=\"12\">",
                    escape(ticket)
                );
                form("code", "The code is on its way", &field, "Use the code")
            }
            Step::Waits(number, lane) => self.waits(*number, *lane),
        }
    }

    /// Where a presale code leads into a lane, it can be typed.
    fn code_field(&self) -> &'static str {
        match self.event.lanes.iter().any(|lane| lane.access == Access::Codes) {
            true => {
                "<label for=\"presale\">A presale code, if you have one</label>\
                 <input id=\"presale\" name=\"presale\" maxlength=\"60\" autocomplete=\"off\">"
            }
            false => "",
        }
    }

    fn waits(&self, number: Option<u64>, lane: u8) -> String {
        let admitted = self.status.map_or(0, |status| status.file.admitted_of(lane));
        let line = match number {
            None => "<h2>You are in</h2><p>Your number is not known yet.</p>".to_owned(),
            Some(number) if number <= admitted => "<h2>It is your turn</h2>".to_owned(),
            Some(number) => {
                let ahead = number.saturating_sub(admitted).saturating_sub(1);
                format!("<h2>Your place: {number}</h2><p>People ahead: {ahead}. Let in so far: {admitted}.</p>")
            }
        };
        let phase = match self.status.map(|status| status.file.phase) {
            Some(Phase::Paused) | None => "<p class=\"notice\">The line is paused, your place is safe.</p>",
            Some(Phase::Stopped) => {
                "<p class=\"notice\">The sale is stopped for the moment. Your place, your seats and your time are safe.</p>"
            }
            Some(Phase::SoldOut) => "<p class=\"notice\">Sold out.</p>",
            Some(Phase::Closed) => "<p class=\"notice\">The sale has ended.</p>",
            _ => "",
        };
        format!(
            "{line}{phase}<p class=\"quiet\">This page looks again by itself. You may close it: the place is your account’s. \
             To choose seats, open <a href=\"/e/{id}\">the event</a> in a browser with JavaScript, on any device, signed in as you are here.</p>",
            id = self.event.id
        )
    }
}

fn form(step: &str, title: &str, fields: &str, button: &str) -> String {
    format!(
        "<h2>{title}</h2><form class=\"sign-in\" method=\"post\"><input type=\"hidden\" name=\"step\" value=\"{step}\">\
         {fields}<button class=\"button\">{button}</button></form>"
    )
}

/// A text that is not markup, in content and in quoted attributes.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_becomes_markup() {
        assert_eq!(escape("<b a=\"x\">'&"), "&lt;b a=&quot;x&quot;&gt;&#39;&amp;");
    }
}
