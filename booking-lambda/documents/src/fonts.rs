//! The fonts that PDFs carry: subsets of Noto, see `fonts/README.md`.

use std::sync::Arc;

use parley::FontContext;
use parley::fontique::{Blob, Collection, CollectionOptions, SourceCache};

/// Each font; the first that has a character draws it.
const FONTS: [&[u8]; 9] = [
    include_bytes!("../fonts/NotoSans.ttf"),
    include_bytes!("../fonts/NotoSans-Bold.ttf"),
    include_bytes!("../fonts/NotoSansArabic.ttf"),
    include_bytes!("../fonts/NotoSansHebrew.ttf"),
    include_bytes!("../fonts/NotoSansThai.ttf"),
    include_bytes!("../fonts/NotoSansDevanagari.ttf"),
    include_bytes!("../fonts/NotoSansSC.ttf"),
    include_bytes!("../fonts/NotoSansKR.ttf"),
    include_bytes!("../fonts/NotoEmoji.ttf"),
];

/// The families in the order in which they are asked.
pub const FAMILIES: [&str; 8] = [
    "Noto Sans",
    "Noto Sans Arabic",
    "Noto Sans Hebrew",
    "Noto Sans Thai",
    "Noto Sans Devanagari",
    "Noto Sans SC",
    "Noto Sans KR",
    "Noto Emoji",
];

/// These fonts and no others: the machine's own are not asked.
pub fn context() -> FontContext {
    let mut collection = Collection::new(CollectionOptions { shared: false, system_fonts: false });
    for font in FONTS {
        collection.register_fonts(Blob::new(Arc::new(font)), None);
    }
    FontContext { collection, source_cache: SourceCache::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_is_there() {
        let mut fonts = context();
        for family in FAMILIES {
            assert!(fonts.collection.family_by_name(family).is_some(), "{family}");
        }
    }
}
