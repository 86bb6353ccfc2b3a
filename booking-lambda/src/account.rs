//! What belongs to an account and to no event: its orders of all events, for fans who come back when their turn has long
//! passed, and the rights over everything that is stored of it.

use std::collections::BTreeMap;

use checkout::wall_now;
use domain::erasure::{StillNeeded, shown};
use domain::ids::{AccountId, EventId};
use domain::items::Order;
use domain::plan_import::EventDefinition;
use domain::token::{AccountToken, Token as _, account_scope};
use lambda_http::{Body, Response};
use serde_json::{Value, json};
use table::After;

use crate::answer::json as answer;
use crate::app::App;
use crate::call::Call;
use crate::problem::Problem;
use crate::route::Own;
use crate::{show, tickets};

/// Orders on one page.
const PAGE: i32 = 20;

/// Answers an account's own call.
pub async fn respond(app: &App, asked: Own, call: &Call, query: Option<&str>) -> Result<Response<Body>, Problem> {
    match asked {
        Own::Orders => orders(app, call, query).await,
        Own::Export => export(app, call).await,
        Own::Erase => erase(app, call).await,
    }
}

/// A page of the account's orders, newest first, each with links to its documents as long as it has its places.
async fn orders(app: &App, call: &Call, query: Option<&str>) -> Result<Response<Body>, Problem> {
    let account = own(app, call)?;
    let after = query.and_then(|query| query.split('&').find_map(|pair| pair.strip_prefix("after=")));
    let after = after.map(str::parse::<After>).transpose();
    let after = after.map_err(|_| Problem::BadRequest("after is not where a page ended"))?;
    let (orders, next) = app.table.orders_page(&account, after, PAGE).await?;
    let known = Known::of(app, &orders).await?;
    let views: Vec<Value> = orders.iter().map(|order| known.view(app, order)).collect();
    Ok(answer(200, &json!({"orders": views, "next": next.map(|next| next.to_string())})))
}

/// Whose token is shown.
fn own(app: &App, call: &Call) -> Result<AccountId, Problem> {
    let token = call.account().and_then(|text| AccountToken::decode(text, &app.keys, &account_scope()).ok());
    let token = token.filter(|token| token.live(wall_now())).ok_or(Problem::AccountRequired)?;
    Ok(token.account)
}

/// Everything that the table holds of the account, and the events that it is about.
async fn export(app: &App, call: &Call) -> Result<Response<Body>, Problem> {
    let account = own(app, call)?;
    let file = app.table.account(&account).await?;
    Ok(answer(200, &json!({"account": account, "events": file.events(), "items": shown(&file.items)})))
}

/// Erases the account's data as far as nothing needs it any more; tells what went and what stays.
async fn erase(app: &App, call: &Call) -> Result<Response<Body>, Problem> {
    let account = own(app, call)?;
    let erased = app.table.erase_account(&account, wall_now()).await?;
    let kept: Vec<Value> = erased.kept.iter().map(needed).collect();
    let counts: Vec<_> = erased.counts.iter().map(|usage| &usage.event).collect();
    Ok(answer(
        200,
        &json!({"account": account, "events": erased.events, "erased": erased.orders, "kept": kept, "counts": counts}),
    ))
}

fn needed(needed: &StillNeeded) -> Value {
    match needed {
        StillNeeded::Unfinished(order) => json!({"order": order, "why": "under_way"}),
        StillNeeded::Until(order, ends) => json!({"order": order, "why": "event_not_over", "until_ms": ends}),
    }
}

/// The events of a page's orders: definition and revocation epoch, as far as the table still has them.
struct Known(BTreeMap<EventId, (Option<EventDefinition>, Option<u32>)>);

impl Known {
    async fn of(app: &App, orders: &[Order]) -> Result<Self, Problem> {
        let mut known = BTreeMap::new();
        for order in orders {
            if !known.contains_key(&order.event) {
                let rev = app.table.clock(&order.event).await?.map(|clock| clock.rev);
                known.insert(order.event.clone(), (app.table.definition(&order.event).await?, rev));
            }
        }
        Ok(Self(known))
    }

    /// An order with its event. One whose event is not there any more is shown without name and documents.
    fn view(&self, app: &App, order: &Order) -> Value {
        let mut view = show::order(order);
        let (definition, rev) = self.0.get(&order.event).map_or((None, None), |(known, rev)| (known.as_ref(), *rev));
        let show = definition.and_then(|known| known.show.as_ref());
        view["event"] = json!({
            "id": order.event, "name": definition.map(|known| &known.name), "venue": definition.map(|known| &known.venue),
            "zone": definition.map(|known| &known.zone), "starts_at_ms": show.map(|show| show.starts_at_ms),
        });
        let links = rev.filter(|_| definition.is_some() && order.state.owns_seats());
        view["documents"] = json!(links.map(|rev| tickets::links(app, &order.event, rev, order, show.is_some())));
        view
    }
}
