//! Roles, and the one table that says what each may do.

use serde::{Deserialize, Serialize};

/// What an operator may do; each role may do what the ones before it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Look.
    View,
    /// Run the on-sale on the day: pause, resume, rate, message, emergency stop.
    Run,
    /// Change what was announced, end it, and name operators.
    Admin,
}

impl Role {
    /// Every role, the least first.
    pub const ALL: [Self; 3] = [Self::View, Self::Run, Self::Admin];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::View => "view",
            Self::Run => "run",
            Self::Admin => "admin",
        }
    }
}

impl std::str::FromStr for Role {
    type Err = String;
    fn from_str(word: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|role| role.word() == word);
        found.ok_or_else(|| format!("{word:?} is not a role; there are view, run and admin"))
    }
}

/// Everything an operator can do over HTTP, below `/v1/operator/events/{id}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// See the on-sale live.
    Look,
    /// Read the journal.
    Log,
    /// See how the line moved.
    Course,
    /// Create or change the event.
    Define,
    /// See who the operators are.
    Operators,
    /// Name an operator, or give one a new key and role.
    AddOperator,
    /// Withdraw an operator's key.
    RemoveOperator,
    /// [`super::Command::Pause`].
    Pause,
    /// [`super::Command::Resume`].
    Resume,
    /// [`super::Command::Rate`].
    Rate,
    /// [`super::Command::Message`].
    Message,
    /// [`super::Command::Stop`].
    Stop,
    /// [`super::Command::Lift`].
    Lift,
    /// [`super::Command::OpenEarly`].
    OpenEarly,
    /// [`super::Command::Postpone`].
    Postpone,
    /// [`super::Command::DrawWithoutBeacon`].
    DrawWithoutBeacon,
    /// [`super::Command::Revoke`].
    Revoke,
    /// [`super::Command::Close`].
    Close,
    /// [`super::Command::Invite`].
    Invite,
    /// Import presale codes.
    ImportCodes,
    /// Say of an account that was taken for a bot that it is none.
    Appeal,
    /// Erase an account from the lines of a closed on-sale.
    Erase,
    /// See which seats are blocked, kept for the house or a channel's.
    Seats,
    /// [`crate::allot::Change::Block`].
    BlockSeats,
    /// [`crate::allot::Change::House`].
    HouseSeats,
    /// [`crate::allot::Change::Release`].
    ReleaseSeats,
    /// [`crate::allot::Change::Assign`].
    AssignSeats,
    /// Make a key of a channel.
    ChannelKey,
    /// Get an access token in the name of a buyer at the box office.
    BoxOffice,
    /// Mint accounts for a rehearsal.
    Accounts,
    /// Inject a fault; only where faults are switched on.
    Fault,
}

impl Action {
    /// Every action.
    pub const ALL: [Self; 31] = [
        Self::Look,
        Self::Log,
        Self::Course,
        Self::Define,
        Self::Operators,
        Self::AddOperator,
        Self::RemoveOperator,
        Self::Pause,
        Self::Resume,
        Self::Rate,
        Self::Message,
        Self::Stop,
        Self::Lift,
        Self::OpenEarly,
        Self::Postpone,
        Self::DrawWithoutBeacon,
        Self::Revoke,
        Self::Close,
        Self::Invite,
        Self::ImportCodes,
        Self::Appeal,
        Self::Erase,
        Self::Seats,
        Self::BlockSeats,
        Self::HouseSeats,
        Self::ReleaseSeats,
        Self::AssignSeats,
        Self::ChannelKey,
        Self::BoxOffice,
        Self::Accounts,
        Self::Fault,
    ];

    /// Method, path below the event (`*` stands for a name), and the least role.
    pub const fn route(self) -> (&'static str, &'static str, Role) {
        match self {
            Self::Look => ("GET", "", Role::View),
            Self::Log => ("GET", "/log", Role::View),
            Self::Course => ("GET", "/course", Role::View),
            Self::Define => ("PUT", "", Role::Admin),
            Self::Operators => ("GET", "/operators", Role::Admin),
            Self::AddOperator => ("PUT", "/operators/*", Role::Admin),
            Self::RemoveOperator => ("DELETE", "/operators/*", Role::Admin),
            Self::Pause => ("POST", "/pause", Role::Run),
            Self::Resume => ("POST", "/resume", Role::Run),
            Self::Rate => ("POST", "/rate", Role::Run),
            Self::Message => ("POST", "/message", Role::Run),
            Self::Stop => ("POST", "/stop", Role::Run),
            Self::Lift => ("POST", "/lift", Role::Run),
            Self::OpenEarly => ("POST", "/open-early", Role::Admin),
            Self::Postpone => ("POST", "/postpone", Role::Admin),
            Self::DrawWithoutBeacon => ("POST", "/draw-without-beacon", Role::Admin),
            Self::Revoke => ("POST", "/revoke", Role::Admin),
            Self::Close => ("POST", "/close", Role::Admin),
            Self::Invite => ("POST", "/invite", Role::Admin),
            Self::ImportCodes => ("POST", "/codes", Role::Admin),
            Self::Appeal => ("POST", "/appeal", Role::Run),
            Self::Erase => ("POST", "/erasure", Role::Admin),
            Self::Seats => ("GET", "/seats", Role::View),
            Self::BlockSeats => ("POST", "/seats/block", Role::Run),
            Self::HouseSeats => ("POST", "/seats/house", Role::Run),
            Self::ReleaseSeats => ("POST", "/seats/release", Role::Run),
            Self::AssignSeats => ("POST", "/seats/assign", Role::Run),
            Self::ChannelKey => ("POST", "/channels/*", Role::Admin),
            Self::BoxOffice => ("POST", "/box-office", Role::Run),
            Self::Accounts => ("POST", "/rehearsal-accounts", Role::Admin),
            Self::Fault => ("POST", "/faults", Role::Admin),
        }
    }

    /// The least role that may do it.
    pub const fn least(self) -> Role {
        self.route().2
    }

    /// The action of a request, and the name in its path if it has one.
    pub fn of<'a>(method: &str, path: &[&'a str]) -> Option<(Self, Option<&'a str>)> {
        Self::ALL.into_iter().find_map(|action| {
            let (wanted, pattern, _) = action.route();
            let name = fits(pattern, path).filter(|_| wanted == method)?;
            Some((action, name))
        })
    }

    /// The word for it in the journal and the live view.
    pub fn word(self) -> String {
        serde_json::to_value(self).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
    }
}

/// Whether a path has the pattern's form, and what stands for its `*`.
fn fits<'a>(pattern: &str, path: &[&'a str]) -> Option<Option<&'a str>> {
    let wanted: Vec<&str> = pattern.split('/').skip(1).collect();
    let same = wanted.len() == path.len() && wanted.iter().zip(path).all(|(want, is)| *want == "*" || want == is);
    same.then(|| wanted.iter().zip(path).find(|(want, _)| **want == "*").map(|(_, is)| *is))
}
