//! An event's definition and layout in the table.

use std::io::{Read, Write};

use domain::ids::EventId;
use domain::items::{Reader, attr, key};
use domain::layout::Layout;
use domain::map::Map;
use domain::plan::{Item, Value};
use domain::plan_import::EventDefinition;
use domain::search::Notice;

use crate::Table;
use crate::error::TableError;

/// Bytes of one chunk of a compressed layout: well below DynamoDB's 400 KB an item.
const CHUNK_BYTES: usize = 300 * 1024;

/// State of a definition that is in force.
const READY: &str = "ready";

impl Table {
    /// The event's definition; `None` as long as it is not, or not completely, imported.
    ///
    /// # Errors
    /// That the table failed or the item is unreadable.
    pub async fn definition(&self, event: &EventId) -> Result<Option<EventDefinition>, TableError> {
        let Some(item) = self.get(&key::meta(event)).await? else { return Ok(None) };
        let reader = Reader::new("meta", &item)?;
        if reader.text(attr::STATE)? != READY {
            return Ok(None);
        }
        let definition = serde_json::from_str(reader.text(attr::BODY)?).map_err(|_| reader.bad(attr::BODY))?;
        Ok(Some(definition))
    }

    /// Every event that was noted, see [`key::noted`].
    ///
    /// # Errors
    /// That the table failed.
    pub async fn noted_events(&self) -> Result<Vec<EventId>, TableError> {
        let items = self.query("EVENTS", "EVENT#").await?;
        let id = |item: &Item| item.get(attr::SK).and_then(Value::as_str)?.strip_prefix("EVENT#")?.parse().ok();
        Ok(items.iter().filter_map(id).collect())
    }

    /// What was last said of the event to the search index.
    ///
    /// # Errors
    /// That the table failed or the item is unreadable.
    pub async fn notice(&self, event: &EventId) -> Result<Option<Notice>, TableError> {
        let item = self.get(&key::notice(event)).await?;
        Ok(item.as_ref().map(Notice::from_item).transpose()?)
    }

    /// The layout's JSON, compressed with gzip; `None` when there is none of this version.
    ///
    /// # Errors
    /// That the table failed or a chunk is unreadable.
    pub async fn layout_gzip(&self, event: &EventId, version: &str) -> Result<Option<Vec<u8>>, TableError> {
        let first = key::layout(event, version, 0);
        let chunks = self.query(&first.pk, first.sk.trim_end_matches("00")).await?;
        let mut bytes = Vec::new();
        for chunk in &chunks {
            bytes.extend_from_slice(Reader::new("layout", chunk)?.bytes(attr::BODY)?);
        }
        Ok((!chunks.is_empty()).then_some(bytes))
    }

    /// The layout itself.
    ///
    /// # Errors
    /// That the table failed or the layout is unreadable.
    pub async fn layout(&self, event: &EventId, version: &str) -> Result<Option<Layout>, TableError> {
        let Some(bytes) = self.layout_gzip(event, version).await? else { return Ok(None) };
        let layout = gunzip(&bytes).and_then(|json| serde_json::from_slice(&json).ok());
        layout.map(Some).ok_or_else(|| TableError::Broken("the stored layout is unreadable".into()))
    }

    /// The map of an event.
    ///
    /// # Errors
    /// That the table failed.
    pub async fn map(&self, event: &EventId) -> Result<Map, TableError> {
        let (map, unreadable) = Map::of(&self.query(&key::map(event), "").await?);
        if unreadable > 0 {
            tracing::error!(%event, unreadable, "map items are unreadable");
        }
        Ok(map)
    }
}

pub(crate) fn meta_item(definition: &EventDefinition) -> Item {
    // A definition is plain data: it always serialises.
    let body = serde_json::to_string(definition).unwrap_or_default();
    let key = key::meta(&definition.id);
    let pairs = [
        (attr::PK, key.pk),
        (attr::SK, key.sk),
        (attr::KIND, "meta".into()),
        (attr::STATE, READY.into()),
        (attr::BODY, body),
    ];
    pairs.into_iter().map(|(name, text)| (name.to_owned(), Value::S(text))).collect()
}

pub(crate) fn layout_items(event: &EventId, layout: &Layout) -> Vec<Item> {
    let bytes = gzip(&serde_json::to_vec(layout).unwrap_or_default());
    let chunk = |(n, part): (usize, &[u8])| {
        let key = key::layout(event, &layout.version, n);
        let texts = [(attr::PK, key.pk), (attr::SK, key.sk), (attr::KIND, "layout".to_owned())];
        let mut item: Item = texts.into_iter().map(|(name, text)| (name.to_owned(), Value::S(text))).collect();
        item.insert(attr::BODY.to_owned(), Value::B(part.to_vec()));
        item
    };
    bytes.chunks(CHUNK_BYTES).enumerate().map(chunk).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    // Writing into memory cannot fail.
    encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_default()
}

fn gunzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).ok()?;
    Some(plain)
}
