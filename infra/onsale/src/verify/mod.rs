//! Verifying a draw from outside: what was published about an on-sale is fetched or read, and handed to `domain::draw::check`.
//!
//! It knows the published files only: no key, no table, no operator's route.

mod source;

use anyhow::{Context, ensure};
use domain::draw::{Checked, DrawFile, EntryProof, EventFacts, Fault, Refused, Verdict, check_line};
use domain::lane::{self, MAIN, REGISTRATION};
use domain::status::Status;

pub use source::Source;

/// Everything that was published about the draws of an on-sale.
pub struct Published {
    /// The event's detail.
    pub event: EventFacts,
    /// The draw files from cohort 0 on.
    pub files: Vec<DrawFile>,
    /// The status file's bytes.
    pub status: Vec<u8>,
    /// Which line's draws these are.
    pub line: u8,
}

/// A fan's own entry: its proof, and the place that the line told, if it was asked.
pub struct Own {
    /// The proof.
    pub proof: EntryProof,
    /// The place told.
    pub told: Option<u64>,
}

impl Published {
    /// Reads all of a line's, the main one's or that of a lane or `registration`: the status first, then draw files until every place that it counts is drawn, then the event, which has
    /// the secret once the on-sale is over.
    ///
    /// # Errors
    /// A file is missing or is not what it should be.
    pub async fn read(source: &Source, lane: Option<&str>) -> anyhow::Result<Self> {
        let (line, folder) = find(source, lane).await?;
        let status = source.need("status.json").await?;
        let given = given(&Status::parse_unverified(&status).context("status.json")?, line);
        let mut files: Vec<DrawFile> = Vec::new();
        while files.last().is_none_or(|file| file.row().given() < given) {
            let name = format!("{folder}draw/{}.json", files.len());
            let Some(bytes) = source.read(&name).await? else { break };
            files.push(DrawFile::parse(&bytes).with_context(|| name)?);
        }
        let event = serde_json::from_slice(&source.need("event.json").await?).context("event.json")?;
        Ok(Self { event, files, status, line })
    }

    /// Recomputes everything.
    ///
    /// # Errors
    /// The first thing that is wrong, by name.
    pub fn check(&self) -> Result<Checked, Refused> {
        check_line(&self.event, self.line, &self.files, &self.status)
    }

    /// What a verdict means here.
    #[must_use]
    pub fn says(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Verified => "verified: nobody could choose this draw",
            Verdict::DrawnByOrganiser if self.line != MAIN => {
                "drawn by the organiser, as every lane is: nothing is wrong, but no public randomness entered"
            }
            Verdict::DrawnByOrganiser if self.event.beacon.is_some() => {
                "drawn by the organiser, without the beacon that the event had named"
            }
            Verdict::DrawnByOrganiser => "drawn by the organiser: nothing is wrong, but no public randomness entered",
            Verdict::SecretNotPublished => "nothing is wrong so far; verify again when the on-sale is over",
        }
    }

    /// The place that follows for a fan's entry.
    ///
    /// # Errors
    /// The entry is not proved to be in the draw, or another place was told.
    pub fn place_of(&self, own: &Own) -> Result<u64, Refused> {
        let refused = |fault| Refused { k: Some(own.proof.k), fault };
        let file = self.files.get(own.proof.k as usize).ok_or(refused(Fault::Proof))?;
        let place = own.proof.place(file).map_err(refused)?;
        if own.told.is_some_and(|told| told != place) {
            return Err(refused(Fault::Place));
        }
        Ok(place)
    }
}

/// The number of a line, and the folder that its files are published in.
async fn find(source: &Source, lane: Option<&str>) -> anyhow::Result<(u8, String)> {
    let Some(id) = lane else { return Ok((MAIN, String::new())) };
    let event: EventFacts = serde_json::from_slice(&source.need("event.json").await?).context("event.json")?;
    let number = match id {
        "registration" => REGISTRATION,
        id => lane::find(&event.lanes, id).with_context(|| format!("the event has no lane {id}"))?.0,
    };
    Ok((number, format!("lanes/{id}/")))
}

/// How many places a status counts in a line; of a registration it tells nothing, and there is one file.
fn given(status: &Status, line: u8) -> u64 {
    match line {
        MAIN => status.given,
        REGISTRATION => 0,
        lane => status.lanes.get(usize::from(lane) - 1).map_or(0, |(_, given)| *given),
    }
}

impl Own {
    /// Asks the line for the proof and the number of a place token.
    ///
    /// # Errors
    /// The line does not know the token, or has no number for it yet.
    pub async fn ask(source: &Source, token: &str) -> anyhow::Result<Self> {
        let ask = async |name: &str| source.with_token(name, token).await;
        let line: serde_json::Value = serde_json::from_slice(&ask("line").await?)?;
        let told = line["place"].as_u64();
        ensure!(told.is_some(), "the place has no number yet");
        Ok(Self { proof: serde_json::from_slice(&ask("line/proof").await?)?, told })
    }
}
