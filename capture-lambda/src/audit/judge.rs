//! One thing with its neighbours: reads what it names, and asks `domain::audit` whether that fits.

use checkout::client::{Provider, ProviderError};
use domain::audit::{self, Case, Code, Finding};
use domain::ids::{EventId, OrderId};
use domain::items::{CardUse, Hold, HoldState, LedgerLine, Order, Seat, SeatState, Share, Ticket, TicketState};
use domain::items::{Usage, attr, key};
use domain::order::ticket_keys;
use domain::plan::{Item, Key, Value};
use domain::plan_import::SectionBlocks;
use domain::provider::{Intent, Refused};
use domain::time::WallMs;
use futures::future::try_join_all;
use futures::stream::{self, StreamExt, TryStreamExt};
use table::{Table, TableError};

use super::{AT_ONCE, Lost};

/// What is judged.
#[derive(Clone, Debug)]
pub(super) enum Suspect {
    /// An item of the table.
    Item(Item),
    /// A payment of the provider's list.
    Payment(Intent),
}

impl Suspect {
    /// Whose it is. A payment's event is not known; its findings are told with every event.
    pub(super) fn event(&self) -> Option<EventId> {
        match self {
            Self::Item(item) => audit::event_of(item)?.parse().ok(),
            Self::Payment(_) => None,
        }
    }
}

/// Judges by table, provider and the time of the page.
pub(super) struct Judge<'a> {
    pub table: &'a Table,
    pub provider: &'a Provider,
    pub wall: WallMs,
}

/// A payment of the list that is not as the protocol has it.
pub(super) fn unreadable_payment(id: &str) -> Finding {
    Finding::new(Code::Unreadable, format!("payment {id}"), "not as the provider's protocol has it")
}

impl Judge<'_> {
    /// With what is found about it.
    pub(super) async fn judged(&self, suspect: Suspect) -> Result<(Suspect, Vec<Finding>), Lost> {
        let findings = match &suspect {
            Suspect::Item(item) => self.item(item).await,
            Suspect::Payment(intent) => self.payment(intent).await,
        };
        match findings {
            // What was looked up cannot be read: that is what is wrong.
            Err(Lost::Table(TableError::Unreadable(unreadable))) => Ok((suspect, vec![audit::unreadable(&unreadable)])),
            findings => Ok((suspect, findings?)),
        }
    }

    /// The same as it is by now.
    pub(super) async fn again(&self, suspect: Suspect) -> Result<Vec<Finding>, Lost> {
        let now = match suspect {
            Suspect::Item(item) => {
                let key = Key::of(&item).unwrap_or_else(|| Key::new("?", "?"));
                self.table.get(&key).await?.map(Suspect::Item)
            }
            Suspect::Payment(intent) => self.intent(&intent.id).await?.map(Suspect::Payment),
        };
        match now {
            Some(now) => Ok(self.judged(now).await?.1),
            None => Ok(Vec::new()),
        }
    }

    async fn item(&self, item: &Item) -> Result<Vec<Finding>, Lost> {
        let found = match item.get(attr::KIND).and_then(Value::as_str) {
            Some(Seat::KIND) => self.seat(&read(Seat::from_item(item))?).await?,
            Some(Ticket::KIND) => self.ticket(item, &read(Ticket::from_item(item))?).await?,
            Some(Hold::KIND) => self.hold(&read(Hold::from_item(item))?).await?,
            Some(Usage::KIND) => self.usage(&read(Usage::from_item(item))?).await?,
            Some(CardUse::KIND) => read(CardUse::from_item(item)).map(|_| None)?,
            Some(LedgerLine::KIND) => {
                let line = read(LedgerLine::from_item(item))?;
                audit::line(&line, self.table.order(&line.order).await?.as_ref())
            }
            Some(Order::KIND) => return self.order(&read(Order::from_item(item))?.id).await,
            Some(Share::KIND) => return self.share(&read(Share::from_item(item))?).await,
            Some("meta") => return self.sections(item).await,
            _ => None,
        };
        Ok(found.into_iter().collect())
    }

    async fn order_of(&self, id: Option<OrderId>) -> Result<Option<Order>, Lost> {
        match id {
            Some(id) => Ok(self.table.order(&id).await?),
            None => Ok(None),
        }
    }

    async fn seat(&self, seat: &Seat) -> Result<Option<Finding>, Lost> {
        let (mut order, mut hold) = (None, None);
        match (seat.state, seat.hold) {
            (SeatState::Sold, _) => order = self.order_of(seat.order).await?,
            (SeatState::Held | SeatState::Claimed, Some(id)) => hold = self.table.hold(&id).await?,
            _ => {}
        }
        Ok(audit::seat(seat, order.as_ref(), hold.as_ref()))
    }

    async fn ticket(&self, item: &Item, ticket: &Ticket) -> Result<Option<Finding>, Lost> {
        let key = Key::of(item).unwrap_or_else(|| Key::new("?", "?"));
        let wanted = (ticket.state == TicketState::Valid).then_some(ticket.order);
        Ok(audit::ticket(&key, ticket, self.order_of(wanted).await?.as_ref()))
    }

    async fn hold(&self, hold: &Hold) -> Result<Option<Finding>, Lost> {
        let order = self.order_of(hold.order.filter(|_| hold.state == HoldState::Claimed)).await?;
        // Without a clock no time has passed.
        let clock = if hold.state == HoldState::Live { self.table.clock(&hold.event).await? } else { None };
        let now = clock.map_or(hold.until, |item| item.clock.now(self.wall));
        Ok(audit::hold(hold, order.as_ref(), now))
    }

    async fn usage(&self, usage: &Usage) -> Result<Option<Finding>, Lost> {
        let orders = self.table.orders_of(&usage.account).await?;
        Ok(audit::usage(usage, orders.iter().filter(|order| order.event == usage.event)))
    }

    /// An order with everything that hangs on it, all of it read anew.
    async fn order(&self, id: &OrderId) -> Result<Vec<Finding>, Lost> {
        let items = self.table.query(&key::order(id).pk, "").await?;
        let of = |kind: &'static str| {
            items.iter().filter(move |item| item.get(attr::KIND).and_then(Value::as_str) == Some(kind))
        };
        let Some(order) = of(Order::KIND).next().map(Order::from_item).transpose().map_err(TableError::from)? else {
            return Ok(Vec::new());
        };
        let ledger = of(LedgerLine::KIND).map(LedgerLine::from_item).collect::<Result<Vec<_>, _>>();
        let mut ledger = ledger.map_err(TableError::from)?;
        ledger.sort_by_key(|line| line.n);
        let seats = order.places.seats.iter().map(|line| key::seat(&order.event, &line.block, &line.seat));
        let seats = self.all(seats.collect(), Seat::from_item).await?;
        let tickets = self.all(ticket_keys(&order), Ticket::from_item).await?;
        let payment = match &order.intent {
            Some(id) => self.intent(id).await?,
            None => None,
        };
        let case = Case {
            order: &order,
            seats: seats.iter().map(Option::as_ref).collect(),
            tickets: tickets.iter().map(Option::as_ref).collect(),
            ledger: &ledger,
            payments: payment.iter().collect(),
        };
        Ok(case.findings().into_iter().chain(audit::overdue(&order, self.wall)).collect())
    }

    /// What lies at these keys; `None`: nothing.
    async fn all<T>(
        &self,
        keys: Vec<Key>,
        read: impl Fn(&Item) -> Result<T, domain::items::Unreadable>,
    ) -> Result<Vec<Option<T>>, TableError> {
        let items = try_join_all(keys.iter().map(|key| self.table.get(key))).await?;
        Ok(items.iter().map(|item| item.as_ref().map(&read).transpose()).collect::<Result<_, _>>()?)
    }

    async fn intent(&self, id: &str) -> Result<Option<Intent>, Lost> {
        match self.provider.retrieve(id).await {
            Ok(intent) => Ok(Some(intent)),
            Err(ProviderError::Refused(Refused::Missing)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Its own counts; the whole pool goes with the first one.
    async fn share(&self, share: &Share) -> Result<Vec<Finding>, Lost> {
        let mut found: Vec<Finding> = audit::share(share).into_iter().collect();
        if share.share == 0 {
            let shares = self.table.shares(&share.event, &share.pool).await?;
            let tickets = self.table.query(&key::pool(&share.event, &share.pool), "TICKET#").await?;
            let valid =
                |item: &&Item| item.get(attr::STATE).and_then(Value::as_str) == Some(TicketState::Valid.as_str());
            let defined = self.table.definition(&share.event).await?;
            let defined = defined.as_ref().and_then(|event| event.pool(&share.pool)).map(|pool| pool.capacity);
            let shares: Vec<&Share> = shares.iter().collect();
            found.extend(audit::pool(&share.pool, &shares, tickets.iter().filter(valid).count() as u64, defined));
        }
        Ok(found)
    }

    /// The event's sections have the seats that its definition says.
    async fn sections(&self, meta: &Item) -> Result<Vec<Finding>, Lost> {
        let Some(event) = audit::event_of(meta).and_then(|id| id.parse::<EventId>().ok()) else {
            return Ok(Vec::new());
        };
        let Some(definition) = self.table.definition(&event).await? else { return Ok(Vec::new()) };
        let counted = stream::iter(&definition.sections).map(|section| self.section(&event, section));
        let found: Vec<Option<Finding>> = counted.buffer_unordered(AT_ONCE).try_collect().await?;
        Ok(found.into_iter().flatten().collect())
    }

    async fn section(&self, event: &EventId, section: &SectionBlocks) -> Result<Option<Finding>, TableError> {
        let blocks = try_join_all(section.blocks.iter().map(|block| self.table.seats(event, block))).await?;
        let seats: usize = blocks.iter().map(Vec::len).sum();
        Ok(audit::section(&section.section, seats as u64, section.seats))
    }

    /// A payment of the list with the order that it names. An order's own payment was compared with it.
    async fn payment(&self, intent: &Intent) -> Result<Vec<Finding>, Lost> {
        let order = self.order_of(intent.order.as_deref().and_then(|id| id.parse().ok())).await?;
        Ok(match order {
            None => audit::stray(intent),
            Some(order) if order.intent.as_ref() == Some(&intent.id) => Vec::new(),
            Some(order) => audit::spare(intent, &order),
        })
    }
}

fn read<T>(item: Result<T, domain::items::Unreadable>) -> Result<T, TableError> {
    Ok(item?)
}
