//! How words are compared: without case, marks and the differences that people do not type.

use icu_normalizer::properties::CanonicalCombiningClassMapBorrowed;
use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};

/// Marks up to this class belong to the letter (dots of Indic letters, voicing of kana, viramas); those above are left out.
const KEPT_CLASS: u8 = 9;

/// A word as it is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// Of a script with spaces: found by its beginning.
    Spaced(String),
    /// A run of a script without spaces: found anywhere, letter by letter.
    Dense(Vec<char>),
}

/// The text as it is compared: `Ångström` is `angstrom`, `ﬁ` is `fi`, `カフェ` is `かふぇ`, `أحمد` is `احمد`.
#[must_use]
pub fn fold(text: &str) -> String {
    let split = DecomposingNormalizerBorrowed::new_nfkd().normalize(&text.to_lowercase()).into_owned();
    let mut plain = String::with_capacity(split.len());
    split.chars().filter(|c| !is_mark(*c) && !is_silent(*c)).for_each(|c| push(c, &mut plain));
    ComposingNormalizerBorrowed::new_nfc().normalize(&plain).into_owned()
}

/// The words of a text, folded, in order.
#[must_use]
pub fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut open = false;
    for c in fold(text).chars() {
        if !is_letter(c) {
            open = false;
            continue;
        }
        match words.last_mut().filter(|_| open) {
            Some(Word::Spaced(word)) if !is_dense(c) => word.push(c),
            Some(Word::Dense(run)) if is_dense(c) => run.push(c),
            _ if is_dense(c) => words.push(Word::Dense(vec![c])),
            _ => words.push(Word::Spaced(c.to_string())),
        }
        open = true;
    }
    words
}

fn class(c: char) -> u8 {
    CanonicalCombiningClassMapBorrowed::new().get_u8(c)
}

fn is_mark(c: char) -> bool {
    class(c) > KEPT_CLASS
}

/// Signs within words that are heard or seen by nobody: soft hyphens, joiners, the Arabic stretch, Thai signs above letters.
fn is_silent(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{feff}' | '\u{640}' | '\u{e47}'..='\u{e4e}')
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || class(c) != 0
}

/// Han, kana, Thai, Lao, Burmese, Khmer: written without spaces.
fn is_dense(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3005}'..='\u{3007}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')
}

/// A letter, or what stands for it where no decomposition says so.
fn push(c: char, to: &mut String) {
    match c {
        'ß' => to.push_str("ss"),
        'æ' => to.push_str("ae"),
        'œ' => to.push_str("oe"),
        'þ' => to.push_str("th"),
        'ø' => to.push('o'),
        'ł' => to.push('l'),
        'đ' | 'ð' => to.push('d'),
        'ı' => to.push('i'),
        'ς' => to.push('σ'),
        'ة' => to.push('ه'),
        'ى' | 'ی' => to.push('ي'),
        'ک' => to.push('ك'),
        // Katakana as hiragana, which lie 0x60 lower.
        '\u{30a1}'..='\u{30f6}' => to.push(u32::from(c).checked_sub(0x60).and_then(char::from_u32).unwrap_or(c)),
        other => to.push(other),
    }
}
