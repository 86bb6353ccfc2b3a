//! The four functions: their names, timeouts and environment, as in `infra/template.yaml`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::fleet::{Fleet, FleetSpec};
use super::inner::Addresses;
use super::options::StackOptions;
use super::state::State;
use super::{Part, REGION};
use crate::lambda_host::Function;

/// The functions of a stack.
pub(super) struct Functions {
    pub booking: Fleet,
    pub settle: Fleet,
    pub project: Fleet,
    pub janitor: Fleet,
}

impl Functions {
    pub fn new(options: &StackOptions, state: &State, addresses: &Addresses) -> Self {
        let environment = environment(options, state, addresses);
        let fleet = |part: Part, seconds: u64, instances: usize| {
            let name = part.name();
            let function = Arc::new(Function::new(name, Duration::from_secs(seconds)));
            let spec = FleetSpec {
                binary: options.artifacts.functions.join(binary(part)),
                instances,
                environment: environment.clone(),
                log: state.file(&format!("logs/{name}.log")),
            };
            Fleet::new(function, spec)
        };
        Self {
            booking: fleet(Part::Booking, 20, options.booking_instances),
            settle: fleet(Part::Settle, 60, 1),
            project: fleet(Part::Project, 30, 1),
            janitor: fleet(Part::Janitor, 55, 1),
        }
    }

    /// The fleet of a part that is a function.
    pub fn of(&self, part: Part) -> Option<&Fleet> {
        match part {
            Part::Booking => Some(&self.booking),
            Part::Settle => Some(&self.settle),
            Part::Project => Some(&self.project),
            Part::Janitor => Some(&self.janitor),
            Part::Edge | Part::Payments | Part::Beacon => None,
        }
    }

    pub fn all(&self) -> [&Fleet; 4] {
        [&self.booking, &self.settle, &self.project, &self.janitor]
    }
}

fn binary(part: Part) -> &'static str {
    match part {
        Part::Booking => "booking-lambda",
        other => other.name(),
    }
}

fn environment(options: &StackOptions, state: &State, addresses: &Addresses) -> BTreeMap<&'static str, String> {
    let secrets = &state.secrets;
    // As asked for the stack itself, but never silent.
    let level = std::env::var("ONSALE_FUNCTION_LOG").unwrap_or_else(|_| "info".to_owned());
    BTreeMap::from([
        ("TABLE_NAME", options.table.clone()),
        ("ONSALE_MASTER_KEYS", secrets.master_keys.clone()),
        ("PROVIDER_URL", addresses.payments.clone()),
        ("PROVIDER_KEY", secrets.provider_key.clone()),
        ("PROVIDER_METHODS", "card".to_owned()),
        ("PROVIDER_WEBHOOK_SECRETS", secrets.webhook.clone()),
        ("ONSALE_PAGES_URL", addresses.edge.clone()),
        ("ONSALE_MAIL_FROM", "tickets@onsale.example".to_owned()),
        ("ONSALE_WEBHOOK_TARGETS", "local".to_owned()),
        ("AWS_ENDPOINT_URL_SESV2", addresses.ses.clone()),
        ("AWS_ACCESS_KEY_ID", secrets.access_key_id.clone()),
        ("AWS_SECRET_ACCESS_KEY", secrets.secret_access_key.clone()),
        ("AWS_REGION", REGION.to_owned()),
        ("AWS_ENDPOINT_URL_DYNAMODB", addresses.dynamodb.clone()),
        ("AWS_EC2_METADATA_DISABLED", "true".to_owned()),
        ("RUST_LOG", level),
    ])
}
