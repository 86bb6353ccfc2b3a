//! The parts and their wiring.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use domain::webhook::Secrets;
use serde_json::{Map, Value, json};
use tokio::net::TcpListener;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use super::edge::{reserve, start_edge};
use super::functions::Functions;
use super::options::StackOptions;
use super::state::{self, State};
use super::{Part, REGION, Ready, StackError, schedule};
use crate::beacon::StandIn;
use crate::dynamo::{DynamoClient, Embedded, ensure_table};
use crate::edge::Workerd;
use crate::lambda_host::{FunctionUrl, OriginLog, Signer, serve_function_url};
use crate::payments::{Endpoint, Simulator};
use crate::stand_ins::StandIns;
use crate::stream::{self, Poller};

/// Where the servers listen, as URLs.
#[derive(Debug, Clone, Default)]
pub(super) struct Addresses {
    pub edge: String,
    pub origin: String,
    pub payments: String,
    pub beacon: String,
    pub dynamodb: String,
    pub control: String,
    pub mails: String,
    pub ses: String,
}

/// Background tasks that end with the stack.
struct Tasks(Vec<JoinHandle<()>>);

impl Drop for Tasks {
    fn drop(&mut self) {
        self.0.iter().for_each(JoinHandle::abort);
    }
}

/// All parts of a running stack. Fields are dropped in this order: callers before what they call.
pub(super) struct Inner {
    edge: Mutex<Workerd>,
    edge_wanted: AtomicBool,
    functions: Functions,
    settle: Poller,
    project: Poller,
    payments: Mutex<Option<Simulator>>,
    beacon: Mutex<Option<StandIn>>,
    _tasks: Tasks,
    pub stand_ins: StandIns,
    pub embedded: Option<Embedded>,
    pub origin_log: OriginLog,
    pub addresses: Addresses,
    pub table: String,
    pub state: State,
}

impl Inner {
    pub async fn start(options: StackOptions) -> Result<(Self, TcpListener), StackError> {
        let mut state = State::open(options.state.as_deref())?;
        let mut addresses = Addresses::default();
        let dynamo = start_dynamo(&options, &mut state, &mut addresses).await?;
        let client = DynamoClient::new(&addresses.dynamodb, &state.keys(), REGION);
        let arn = ensure_table(&client, &options.table).await?;
        let payments = state::listen(&mut state.ports.payments).await?;
        let mut payments = Simulator::start(payments, &state.file("ledger.jsonl"))?;
        addresses.payments = payments.url();
        let beacon = StandIn::start(state::listen(&mut state.ports.beacon).await?, state.secrets.beacon_key())?;
        addresses.beacon = beacon.url();

        let stand_ins = StandIns::start(state::listen(&mut state.ports.stand_ins).await?)?;
        let stand_ins = stand_ins.signed(Signer::new(&state.keys(), REGION, "ses"));
        addresses.mails = stand_ins.mail_url();
        addresses.ses = stand_ins.url().to_owned();
        let reserved = reserve(&options, &mut state).await?;
        addresses.edge = url(&reserved)?;
        payments.tell(endpoint(&addresses, &state)?);
        let functions = Functions::new(&options, &state, &addresses);
        let origin_log = OriginLog::to_file(&state.file("origin.jsonl"))?;
        let origin = state::listen(&mut state.ports.origin).await?;
        addresses.origin = url(&origin)?;
        let front = FunctionUrl {
            function: Arc::clone(functions.booking.function()),
            signer: Signer::new(&state.keys(), REGION, "lambda"),
            log: origin_log.clone(),
        };
        let front = serve_function_url(origin, front);
        for fleet in functions.all() {
            fleet.start()?;
        }
        let poller = |mapping, fleet: &super::fleet::Fleet| {
            let function = Arc::clone(fleet.function());
            Poller::start(client.clone(), arn.clone(), mapping, function, state.folder())
        };
        let settle = poller(options.settle.clone(), &functions.settle);
        let project = poller(stream::project(), &functions.project);
        let scheduled = |every, input| schedule::start(Arc::clone(functions.janitor.function()), every, input);
        let janitor = scheduled(options.janitor_every, schedule::Input::Event);
        let audit = json!({"job": "audit", "every_ms": options.audit_every.as_millis() as u64}).to_string();
        let audit = scheduled(options.audit_step_every, schedule::Input::Set(audit));

        let edge = start_edge(&options, &mut state, &addresses, reserved, stand_ins.outside()).await?;
        addresses.edge = edge.url();
        let control = state::listen(&mut state.ports.control).await?;
        addresses.control = url(&control)?;
        state.save()?;
        let inner = Self {
            edge: Mutex::new(edge),
            edge_wanted: AtomicBool::new(true),
            functions,
            settle,
            project,
            payments: Mutex::new(Some(payments)),
            beacon: Mutex::new(Some(beacon)),
            _tasks: Tasks(vec![front, janitor, audit]),
            stand_ins,
            embedded: dynamo,
            origin_log,
            addresses,
            table: options.table,
            state,
        };
        Ok((inner, control))
    }

    pub fn operator_key(&self) -> &str {
        &self.state.secrets.operator_key
    }

    pub fn table(&self) -> table::Table {
        let secrets = &self.state.secrets;
        table::Table::at(
            &self.addresses.dynamodb,
            REGION,
            &secrets.access_key_id,
            &secrets.secret_access_key,
            &self.table,
        )
    }

    pub async fn kill(&self, part: Part) -> Result<(), StackError> {
        match part {
            Part::Edge => {
                self.edge_wanted.store(false, Ordering::SeqCst);
                self.edge.lock().await.kill().await?;
            }
            Part::Payments => {
                let running = self.payments.lock().await.take();
                if let Some(simulator) = running {
                    simulator.stop().await;
                }
            }
            Part::Beacon => drop(self.beacon.lock().await.take()),
            function => {
                if let Some(fleet) = self.functions.of(function) {
                    fleet.kill().await;
                }
            }
        }
        Ok(())
    }

    pub async fn revive(&self, part: Part) -> Result<(), StackError> {
        match part {
            Part::Edge => {
                self.edge_wanted.store(true, Ordering::SeqCst);
                self.keep_edge().await?;
            }
            Part::Payments => self.start_payments().await?,
            Part::Beacon => self.start_beacon().await?,
            function => {
                if let Some(fleet) = self.functions.of(function) {
                    fleet.start()?;
                }
            }
        }
        Ok(())
    }

    /// Starts the edge again if it should run and does not.
    pub async fn keep_edge(&self) -> Result<(), StackError> {
        let mut edge = self.edge.lock().await;
        if self.edge_wanted.load(Ordering::SeqCst) && !edge.is_running() {
            edge.restart().await?;
        }
        Ok(())
    }

    async fn start_payments(&self) -> Result<(), StackError> {
        let mut payments = self.payments.lock().await;
        if payments.is_none() {
            let listener = TcpListener::bind(("127.0.0.1", self.state.ports.payments)).await?;
            let mut simulator = Simulator::start(listener, &self.state.file("ledger.jsonl"))?;
            simulator.tell(endpoint(&self.addresses, &self.state)?);
            *payments = Some(simulator);
        }
        Ok(())
    }

    async fn start_beacon(&self) -> Result<(), StackError> {
        let mut beacon = self.beacon.lock().await;
        if beacon.is_none() {
            let listener = TcpListener::bind(("127.0.0.1", self.state.ports.beacon)).await?;
            *beacon = Some(StandIn::start(listener, self.state.secrets.beacon_key())?);
        }
        Ok(())
    }

    pub async fn stop(&self) {
        // The edge first, so that nothing new comes; errors mean it has ended already.
        let _ = self.kill(Part::Edge).await;
        for fleet in self.functions.all() {
            fleet.kill().await;
        }
    }

    pub async fn drained(&self) {
        let since_ms = jiff::Timestamp::now().as_millisecond();
        let behind = |poller: &Poller| poller.status().caught_up_ms() <= since_ms;
        while behind(&self.settle) || behind(&self.project) {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }

    pub async fn status(&self) -> Value {
        let mut parts = Map::new();
        for part in Part::ALL {
            parts.insert(part.to_string(), json!({ "running": self.is_running(part).await }));
        }
        let streams = json!({ "settle": self.settle.status().to_json(), "project": self.project.status().to_json() });
        json!({ "parts": parts, "streams": streams })
    }

    /// The function of a part, if it is one.
    pub fn function(&self, part: Part) -> Option<Arc<crate::lambda_host::Function>> {
        self.functions.of(part).map(|fleet| Arc::clone(fleet.function()))
    }

    async fn is_running(&self, part: Part) -> bool {
        match part {
            Part::Edge => self.edge.lock().await.is_running(),
            Part::Payments => self.payments.lock().await.is_some(),
            Part::Beacon => self.beacon.lock().await.is_some(),
            function => self.functions.of(function).is_some_and(super::fleet::Fleet::is_running),
        }
    }

    pub fn ready(&self, event: Option<&str>) -> Ready {
        Ready {
            edge: self.addresses.edge.clone(),
            origin: self.addresses.origin.clone(),
            payments: self.addresses.payments.clone(),
            mails: self.addresses.mails.clone(),
            dynamodb: self.addresses.dynamodb.clone(),
            table: self.table.clone(),
            operator_key: self.operator_key().to_owned(),
            event: event.map(str::to_owned),
            state: self.state.folder().to_owned(),
            control: self.addresses.control.clone(),
            pid: std::process::id(),
        }
    }
}

async fn start_dynamo(
    options: &StackOptions,
    state: &mut State,
    addresses: &mut Addresses,
) -> Result<Option<Embedded>, StackError> {
    if let Some(endpoint) = &options.dynamodb_endpoint {
        addresses.dynamodb = endpoint.trim_end_matches('/').to_owned();
        return Ok(None);
    }
    let listener = state::listen(&mut state.ports.dynamodb).await?;
    let embedded = Embedded::start(listener, &state.file("table.db"))?;
    addresses.dynamodb = embedded.url();
    Ok(Some(embedded))
}

/// Where the payment simulator tells what happens.
fn endpoint(addresses: &Addresses, state: &State) -> Result<Endpoint, StackError> {
    let file = || StackError::State(state.file("stack.json"));
    let secrets = Secrets::parse(&state.secrets.webhook).map_err(|_| file())?;
    Ok(Endpoint { url: format!("{}/v1/provider/events", addresses.edge), secrets })
}

fn url(listener: &TcpListener) -> std::io::Result<String> {
    Ok(format!("http://{}", listener.local_addr()?))
}
