//! Paths and methods, read once into a [`Route`].

use domain::ids::{EventId, HoldId, OrderId};
use lambda_http::{Request, RequestExt as _};

/// What a request asks for, and of which event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The event in the path.
    pub event: EventId,
    /// What is asked.
    pub action: Action,
}

/// Everything this function can be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// The Pacer's heartbeat.
    Pulse,
    /// The venue's layout.
    Layout,
    /// See which seats are kept from general sale; asked by the edge for an operator.
    ListSeats,
    /// Block seats, or whatever the deed is; asked by the edge for an operator.
    ChangeSeats(Deed),
    /// Take places.
    TakeHold,
    /// Look at a hold.
    ShowHold(HoldId),
    /// Give a hold back, or some seats of it.
    ReleaseHold(HoldId),
    /// Prolong a hold, once.
    ExtendHold(HoldId),
    /// Pay a hold.
    PlaceOrder,
    /// The account's orders of this event.
    ListOrders,
    /// Wait for seats that come back.
    Wait,
    /// See how the account stands on the waiting list.
    ShowWait,
    /// Wait no more.
    LeaveWait,
    /// Look at an order and its tickets.
    ShowOrder(OrderId),
    /// Read an order's tickets as a document, by a link.
    ShowPapers(OrderId, Kind),
    /// Give an order back, some of its seats, or a payment under way.
    CancelOrder(OrderId),
}

/// The documents of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A page.
    Page,
    /// A PDF.
    Pdf,
    /// A calendar file.
    Calendar,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Page, Self::Pdf, Self::Calendar];

    /// The file's name in the path.
    #[must_use]
    pub const fn file(self) -> &'static str {
        match self {
            Self::Page => "tickets.html",
            Self::Pdf => "tickets.pdf",
            Self::Calendar => "tickets.ics",
        }
    }

    fn of(file: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.file() == file)
    }
}

/// What operators do with seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Not for sale, for a reason.
    Block,
    /// Kept for somebody.
    House,
    /// For sale again.
    Release,
    /// For the buyers of a channel.
    Assign,
}

impl Action {
    /// Whether a fan asks, who must show an access token; the rest is asked by the edge itself, or opened by a link.
    #[must_use]
    pub const fn is_fans(&self) -> bool {
        !matches!(self, Self::Pulse | Self::Layout | Self::ListSeats | Self::ChangeSeats(_) | Self::ShowPapers(..))
    }
}

impl Route {
    /// The route of a method and a path; `None` where there is nothing. An id that is not one leads
    /// nowhere as well, so that it looks like an id of somebody else.
    #[must_use]
    pub fn of(method: &str, path: &str) -> Option<Self> {
        let parts: Vec<&str> = path.strip_prefix("/v1/events/")?.split('/').collect();
        let (event, rest) = parts.split_first()?;
        Some(Self { event: event.parse().ok()?, action: action(method, rest)? })
    }
}

/// The route of a request.
pub fn of(request: &Request) -> Option<Route> {
    Route::of(request.method().as_str(), request.raw_http_path())
}

/// Whether the payment provider tells something; this belongs to no event of ours until it is read.
pub fn is_provider_event(request: &Request) -> bool {
    request.method() == "POST" && request.raw_http_path() == "/v1/provider/events"
}

/// What an account asks of us that belongs to no event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Own {
    /// Its orders of all events.
    Orders,
    /// Everything that is stored of it.
    Export,
    /// To have that erased.
    Erase,
}

/// What an account asks for that belongs to no event, if it does.
pub fn of_account(request: &Request) -> Option<Own> {
    match (request.method().as_str(), request.raw_http_path()) {
        ("GET", "/v1/orders") => Some(Own::Orders),
        ("GET", "/v1/account") => Some(Own::Export),
        ("DELETE", "/v1/account") => Some(Own::Erase),
        _ => None,
    }
}

/// What a log line calls the route: its shape, without ids.
pub fn name(request: &Request) -> &'static str {
    if is_provider_event(request) {
        return "provider.events";
    }
    match of_account(request) {
        Some(Own::Orders) => return "account.orders",
        Some(Own::Export) => return "account.export",
        Some(Own::Erase) => return "account.erase",
        None => {}
    }
    match of(request).map(|route| route.action) {
        Some(Action::Pulse) => "pulse",
        Some(Action::Layout) => "layout",
        Some(Action::ListSeats) => "seats.list",
        Some(Action::ChangeSeats(_)) => "seats.change",
        Some(Action::TakeHold) => "holds.take",
        Some(Action::ShowHold(_)) => "holds.show",
        Some(Action::ReleaseHold(_)) => "holds.release",
        Some(Action::ExtendHold(_)) => "holds.extend",
        Some(Action::PlaceOrder) => "orders.place",
        Some(Action::ListOrders) => "orders.list",
        Some(Action::Wait) => "waiting.join",
        Some(Action::ShowWait) => "waiting.show",
        Some(Action::LeaveWait) => "waiting.leave",
        Some(Action::ShowOrder(_)) => "orders.show",
        Some(Action::ShowPapers(..)) => "orders.papers",
        Some(Action::CancelOrder(_)) => "orders.cancel",
        None => "none",
    }
}

fn action(method: &str, rest: &[&str]) -> Option<Action> {
    Some(match (method, rest) {
        ("POST", ["pulse"]) => Action::Pulse,
        ("GET", ["layout"]) => Action::Layout,
        ("GET", ["seats"]) => Action::ListSeats,
        ("POST", ["seats", deed]) => Action::ChangeSeats(self::deed(deed)?),
        ("POST", ["holds"]) => Action::TakeHold,
        ("GET", ["holds", id]) => Action::ShowHold(id.parse().ok()?),
        ("DELETE", ["holds", id]) => Action::ReleaseHold(id.parse().ok()?),
        ("POST", ["holds", id, "extension"]) => Action::ExtendHold(id.parse().ok()?),
        ("POST", ["orders"]) => Action::PlaceOrder,
        ("GET", ["orders"]) => Action::ListOrders,
        ("POST", ["waiting"]) => Action::Wait,
        ("GET", ["waiting"]) => Action::ShowWait,
        ("DELETE", ["waiting"]) => Action::LeaveWait,
        ("GET", ["orders", id]) => Action::ShowOrder(id.parse().ok()?),
        ("GET", ["orders", id, file]) => Action::ShowPapers(id.parse().ok()?, Kind::of(file)?),
        ("POST", ["orders", id, "cancellation"]) => Action::CancelOrder(id.parse().ok()?),
        _ => return None,
    })
}

fn deed(word: &str) -> Option<Deed> {
    Some(match word {
        "block" => Deed::Block,
        "house" => Deed::House,
        "release" => Deed::Release,
        "assign" => Deed::Assign,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_and_nothing_else() {
        let id = "AAAAAAAAAAAAAAAAAAAAAA";
        let (hold, order) = (HoldId::from_bytes([0; 16]), OrderId::from_bytes([0; 16]));
        let table = [
            ("POST", "pulse".to_owned(), Some(Action::Pulse)),
            ("GET", "layout".to_owned(), Some(Action::Layout)),
            ("GET", "seats".to_owned(), Some(Action::ListSeats)),
            ("POST", "seats/house".to_owned(), Some(Action::ChangeSeats(Deed::House))),
            ("POST", "seats/sell".to_owned(), None),
            ("POST", "holds".to_owned(), Some(Action::TakeHold)),
            ("GET", format!("holds/{id}"), Some(Action::ShowHold(hold))),
            ("DELETE", format!("holds/{id}"), Some(Action::ReleaseHold(hold))),
            ("POST", format!("holds/{id}/extension"), Some(Action::ExtendHold(hold))),
            ("POST", "orders".to_owned(), Some(Action::PlaceOrder)),
            ("GET", "orders".to_owned(), Some(Action::ListOrders)),
            ("GET", format!("orders/{id}"), Some(Action::ShowOrder(order))),
            ("GET", format!("orders/{id}/tickets.pdf"), Some(Action::ShowPapers(order, Kind::Pdf))),
            ("GET", format!("orders/{id}/tickets.doc"), None),
            ("POST", format!("orders/{id}/cancellation"), Some(Action::CancelOrder(order))),
            ("POST", "waiting".to_owned(), Some(Action::Wait)),
            ("GET", "waiting".to_owned(), Some(Action::ShowWait)),
            ("DELETE", "waiting".to_owned(), Some(Action::LeaveWait)),
            ("GET", "pulse".to_owned(), None),
            ("GET", "holds/short".to_owned(), None),
            ("PUT", "orders".to_owned(), None),
            ("GET", String::new(), None),
            ("POST", "holds/".to_owned(), None),
        ];
        for (method, rest, action) in table {
            let found = Route::of(method, &format!("/v1/events/demo/{rest}")).map(|route| route.action);
            assert_eq!(found, action, "{method} {rest}");
        }
        for nowhere in ["/", "/v1/events", "/v1/events/Not An Event/holds", "/v2/events/demo/layout"] {
            assert_eq!(Route::of("GET", nowhere), None, "{nowhere}");
        }
    }
}
