//! One step of an order: at the provider, or a rule against the table.

use domain::items::{Order, VoidReason};
use domain::order::{
    Abandon, CardLimit, Close, Decline, Deliver, FailCapture, MarkCaptured, Moved, PutOff, Reduce, Sell, SellRefusal,
    Step, StoreIntent, Unsell, Void, after_refund, after_refused_capture,
};
use domain::plan::Rule;
use domain::provider::{Intent, PaymentMethod, Refused};
use table::DecideError;

use crate::client::ProviderError;
use crate::executor::{Checkout, Known, Unfinished};
use crate::terms::{Terms, wall_now};

/// The order after a step, and what is known of its intent.
type Stands = (Order, Known);

impl Checkout {
    pub(crate) async fn take(
        &self,
        order: Order,
        known: Known,
        step: Step,
        terms: &Terms,
    ) -> Result<Stands, Unfinished> {
        match step {
            Step::Create => self.create(order, terms).await,
            Step::Confirm => self.confirm(order, terms).await,
            Step::Capture => self.capture(order, terms).await,
            Step::Ask => self.ask(order).await,
            Step::CancelIntent => self.cancel(order).await,
            Step::Refund => self.refund(order, known, terms).await,
            Step::RefundPart => self.refund_part(order, terms).await,
            Step::Unexplained => Err(Unfinished::Unexplained(order.id)),
            rule => {
                self.write(&order, rule, terms).await?;
                // What the provider said belongs to the order as it was: another executor may have moved both.
                Ok((self.again(&order).await?, Known::Unasked))
            }
        }
    }

    /// The order as it is now.
    async fn again(&self, order: &Order) -> Result<Order, Unfinished> {
        self.read(&order.id).await?.ok_or(Unfinished::NoOrder(order.id))
    }

    /// Steps that are rules. A rule that finds the order elsewhere has lost a race, and that is fine.
    async fn write(&self, order: &Order, step: Step, terms: &Terms) -> Result<(), Unfinished> {
        let (order, now, wall) = (order.clone(), terms.now(), wall_now());
        match step {
            Step::Sell { card } => self.sell(order, card, terms).await,
            Step::Decline { code, ended } => {
                self.rule(&order.clone(), Decline::new(order, code, now, wall).after(ended)).await
            }
            Step::Void(reason) => self.rule(&order.clone(), Void { order, reason, now }).await,
            Step::Close(ended) => self.rule(&order.clone(), Close::new(order, ended, now, wall)).await,
            Step::Abandon => self.rule(&order.clone(), Abandon::new(order, now)).await,
            Step::MarkCaptured => self.rule(&order.clone(), MarkCaptured { order, now, wall }).await,
            Step::FailCapture { code } => self.rule(&order.clone(), FailCapture { order, code, now }).await,
            Step::PutOff { code } => self.rule(&order.clone(), PutOff { order, code, now }).await,
            Step::Reduce => self.rule(&order.clone(), Reduce { order, now, wall }).await,
            Step::Unsell(to, ended) => self.rule(&order.clone(), Unsell { order, to, ended, now, wall }).await,
            Step::Deliver => {
                self.deliver(&order).await?;
                self.rule(&order.clone(), Deliver { order, now }).await
            }
            Step::Ask | Step::Create | Step::Confirm | Step::CancelIntent | Step::Capture => Ok(()), // at the provider, see `take`
            Step::Refund | Step::RefundPart | Step::Unexplained => Ok(()),                           // likewise
        }
    }

    async fn rule<R: Rule<Refusal = Moved>>(&self, order: &Order, rule: R) -> Result<(), Unfinished> {
        match self.table.decide(rule).await {
            Ok(_) => Ok(()),
            Err(DecideError::Refused(moved)) => Unfinished::moved(order, moved),
            Err(DecideError::Table(error)) => Err(error.into()),
        }
    }

    /// Sells, or sees to it that the authorization is voided.
    async fn sell(&self, order: Order, card: Option<String>, terms: &Terms) -> Result<(), Unfinished> {
        let now = terms.now();
        let card = card.zip(terms.card_limit).map(|(fingerprint, limit)| CardLimit { fingerprint, limit });
        let reason = match self.table.decide(Sell { order: order.clone(), card, now, wall: wall_now() }).await {
            Ok(_) | Err(DecideError::Refused(SellRefusal::Moved(_))) => return Ok(()),
            Err(DecideError::Table(error)) => return Err(error.into()),
            Err(DecideError::Refused(SellRefusal::SeatsGone(_))) => VoidReason::SeatsGone,
            // Always a bug above the table, stopped by the second guard; the authorization must end all the same.
            Err(DecideError::Refused(SellRefusal::TicketExists)) => {
                tracing::error!(order = %order.id, alarm = "ticket_exists", "the order met a valid ticket on one of its seats");
                VoidReason::SeatsGone
            }
            Err(DecideError::Refused(SellRefusal::CardLimit { .. })) => VoidReason::CardLimit,
            Err(DecideError::Refused(refusal)) => return Err(Unfinished::unsold(&order, &refusal)),
        };
        self.rule(&order.clone(), Void { order, reason, now }).await
    }

    /// Creates the intent and stores its id; an intent that cannot be stored belongs to nothing and is ended.
    async fn create(&self, order: Order, terms: &Terms) -> Result<Stands, Unfinished> {
        let Ok(method) = order.method.parse::<PaymentMethod>() else {
            return self.declined(order, "payment_method_unknown", terms).await;
        };
        let intent = match self.provider.create(&order, &method).await {
            Ok(intent) => intent,
            Err(ProviderError::Refused(Refused::Declined(code))) => return self.declined(order, &code, terms).await,
            Err(ProviderError::Refused(Refused::Missing | Refused::Parameter)) => {
                return self.declined(order, "payment_method_unknown", terms).await;
            }
            Err(error) => return Err(error.into()),
        };
        let store = StoreIntent { order: order.clone(), intent: intent.id.clone(), now: terms.now() };
        self.rule(&order, store).await?;
        let stored = self.again(&order).await?;
        self.end_orphan(&stored, &intent).await;
        let known = if stored.intent.as_ref() == Some(&intent.id) { Known::Intent(intent) } else { Known::Unasked };
        Ok((stored, known))
    }

    /// An unconfirmed intent holds no money; ending it is tidiness, so a failure is only told.
    async fn end_orphan(&self, stored: &Order, intent: &Intent) {
        if stored.intent.as_ref() == Some(&intent.id) {
            return;
        }
        if let Err(error) = self.provider.cancel(stored, &intent.id).await {
            tracing::warn!(order = %stored.id, %error, "an intent that no order has was not ended");
        }
    }

    async fn declined(&self, order: Order, code: &str, terms: &Terms) -> Result<Stands, Unfinished> {
        let code = code.to_owned();
        self.rule(&order.clone(), Decline::new(order.clone(), code, terms.now(), wall_now())).await?;
        Ok((self.again(&order).await?, Known::Unasked))
    }

    async fn confirm(&self, order: Order, terms: &Terms) -> Result<Stands, Unfinished> {
        let intent = order.intent.clone().unwrap_or_default();
        match self.provider.confirm(&order, &intent).await {
            Err(ProviderError::Refused(Refused::Declined(code))) => self.declined(order, &code, terms).await,
            other => stands(order, other),
        }
    }

    async fn capture(&self, order: Order, terms: &Terms) -> Result<Stands, Unfinished> {
        let intent = order.intent.clone().unwrap_or_default();
        match self.provider.capture(&order, &intent).await {
            Err(ProviderError::Refused(Refused::Declined(code))) => self.refused_capture(order, code, terms).await,
            other => stands(order, other),
        }
    }

    /// A sold order whose money does not come is told loudly, each time.
    async fn refused_capture(&self, order: Order, code: String, terms: &Terms) -> Result<Stands, Unfinished> {
        let step = after_refused_capture(&order, code, wall_now());
        let known = if matches!(step, Step::PutOff { .. }) { Known::PutOff } else { Known::Unasked };
        tracing::error!(order = %order.id, tries = order.tries + 1, alarm = "capture_refused", "the card refused the capture of a sold order; if it goes on this needs a person");
        self.write(&order, step, terms).await?;
        Ok((self.again(&order).await?, known))
    }

    async fn ask(&self, order: Order) -> Result<Stands, Unfinished> {
        let intent = order.intent.clone().unwrap_or_default();
        let answer = self.provider.retrieve(&intent).await;
        stands(order, answer)
    }

    async fn cancel(&self, order: Order) -> Result<Stands, Unfinished> {
        let intent = order.intent.clone().unwrap_or_default();
        let answer = self.provider.cancel(&order, &intent).await;
        stands(order, answer)
    }

    async fn refund(&self, order: Order, known: Known, terms: &Terms) -> Result<Stands, Unfinished> {
        let intent = order.intent.clone().unwrap_or_default();
        self.provider.refund(&order, &intent).await?;
        self.write(&order, after_refund(&order, known.payment()), terms).await?;
        Ok((self.again(&order).await?, Known::Unasked))
    }

    async fn refund_part(&self, order: Order, terms: &Terms) -> Result<Stands, Unfinished> {
        let intent = order.intent.clone().unwrap_or_default();
        self.provider.refund_part(&order, &intent).await?;
        self.write(&order, Step::Reduce, terms).await?;
        Ok((self.again(&order).await?, Known::Unasked))
    }
}

/// The order with what the provider said of its intent.
fn stands(order: Order, answer: Result<Intent, ProviderError>) -> Result<Stands, Unfinished> {
    match answer {
        Ok(intent) => Ok((order, Known::Intent(intent))),
        Err(ProviderError::Refused(Refused::Missing)) => Ok((order, Known::Missing)),
        Err(error) => Err(error.into()),
    }
}
