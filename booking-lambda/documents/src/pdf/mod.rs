//! Tickets as a PDF: one page of A5 for each.

mod sheet;
mod text;

use krilla::Document;
use krilla::error::KrillaError;
use krilla::geom::Size;
use krilla::metadata::Metadata;
use krilla::page::PageSettings;

use crate::papers::Papers;
use sheet::Sheet;
use text::Type;

/// Width and height of A5 in points.
const A5: (f32, f32) = (419.53, 595.28);

/// No PDF could be drawn.
#[derive(Debug, thiserror::Error)]
pub enum Undrawn {
    /// The library refused what it was given.
    #[error("the PDF could not be written: {0:?}")]
    Written(KrillaError),
    /// A ticket's payload does not fit a QR code, or the page has no size.
    #[error("a page could not be laid out")]
    Page,
}

/// The tickets as a PDF, with all fonts that it needs.
///
/// # Errors
/// See [`Undrawn`]; nothing that an import lets through leads to one.
pub fn pdf(papers: &Papers) -> Result<Vec<u8>, Undrawn> {
    let mut document = Document::new();
    let mut letters = Type::default();
    let size = Size::from_wh(A5.0, A5.1).ok_or(Undrawn::Page)?;
    for n in 0..papers.tickets.len() {
        let mut page = document.start_page_with(PageSettings::new(size));
        let mut surface = page.surface();
        Sheet { papers, n, letters: &mut letters, surface: &mut surface }.draw().ok_or(Undrawn::Page)?;
        surface.finish();
        page.finish();
    }
    let about = Metadata::new().title(papers.name.clone()).language("en".to_owned()).creator("Onsale".to_owned());
    document.set_metadata(about.document_id(papers.order.to_string()));
    document.finish().map_err(Undrawn::Written)
}
