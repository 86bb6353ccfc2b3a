//! Text in any script on a page: direction, fonts and glyphs are found by the layout library, and drawn so that it can be
//! copied out again.

use std::borrow::Cow;
use std::collections::HashMap;

use krilla::color::rgb;
use krilla::geom::Point;
use krilla::num::NormalizedF32;
use krilla::paint::Fill;
use krilla::surface::Surface;
use krilla::text::{Font, GlyphId, KrillaGlyph};
use parley::layout::{Alignment, Layout, Run};
use parley::style::{FontFamily, FontFamilyName, FontWeight, LineHeight, OverflowWrap, StyleProperty};
use parley::{FontContext, LayoutContext};

use crate::fonts;

type Laid = Layout<[u8; 4]>;

/// From line to line, by size.
const LINE_HEIGHT: f32 = 1.25;

/// How a text looks and how much room it has, in points.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Sizes to try, the largest first; what does not fit in the last is cut.
    pub sizes: &'static [f32],
    /// Whether it is bold, in scripts that have a bold font here.
    pub bold: bool,
    /// Grey, from 0 (black) to 255.
    pub grey: u8,
    /// Most width.
    pub width: f32,
    /// Most height.
    pub height: f32,
    /// Where its lines stand.
    pub lines: Lines,
}

/// Where lines stand in their room.
#[derive(Clone, Copy, Debug)]
pub enum Lines {
    /// Where their script begins.
    Start,
    /// At the left, whatever the script: under a label that is there.
    Left,
    /// In the middle.
    Middle,
}

/// Fonts and what was found out about them; one for a document, so that each font is in it once.
pub struct Type {
    fonts: FontContext,
    layouts: LayoutContext<[u8; 4]>,
    drawn: HashMap<(u64, u32), Font>,
}

impl Default for Type {
    fn default() -> Self {
        Self { fonts: fonts::context(), layouts: LayoutContext::new(), drawn: HashMap::new() }
    }
}

impl Type {
    /// Draws a text with its upper left corner at `at`; answers its height.
    pub fn draw(&mut self, surface: &mut Surface<'_>, text: &str, at: (f32, f32), look: Look) -> Option<f32> {
        let (text, laid) = self.fitting(text, look);
        surface.set_fill(Some(Fill {
            paint: rgb::Color::new(look.grey, look.grey, look.grey).into(),
            opacity: NormalizedF32::ONE,
            rule: Default::default(),
        }));
        for line in laid.lines() {
            let mut x = at.0 + line.metrics().offset;
            let y = at.1 + line.metrics().baseline;
            for run in line.runs() {
                let font = self.font(&run)?;
                let glyphs = glyphs(&run);
                surface.draw_glyphs(Point::from_xy(x, y), &glyphs, font, &text, run.font_size(), false);
                x += run.advance();
            }
        }
        Some(laid.height())
    }

    /// The text in the largest size that fits: with whole words, else with words that are broken, else without its end. Nothing runs
    /// over what stands beside or below it.
    fn fitting<'a>(&mut self, text: &'a str, look: Look) -> (Cow<'a, str>, Laid) {
        for wrap in [OverflowWrap::Normal, OverflowWrap::Anywhere] {
            for size in look.sizes {
                let laid = self.lay(text, *size, wrap, look);
                if laid.height() <= look.height && laid.width() <= look.width {
                    return (text.into(), laid);
                }
            }
        }
        let (cut, laid) = self.cut(text, look);
        (cut.into(), laid)
    }

    /// As many lines of the smallest size as there is room for, and a mark that there was more.
    fn cut(&mut self, text: &str, look: Look) -> (String, Laid) {
        let size = look.sizes.last().copied().unwrap_or(1.0);
        let all = self.lay(text, size, OverflowWrap::Anywhere, look);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a few lines
        let room = (look.height / (size * LINE_HEIGHT)) as usize;
        let end = all.lines().take(room).next_back().map_or(0, |line| line.text_range().end);
        let mut kept = text.get(..end).unwrap_or_default().trim_end().to_owned();
        loop {
            let shown = format!("{kept}…");
            let laid = self.lay(&shown, size, OverflowWrap::Anywhere, look);
            if laid.height() <= look.height || kept.pop().is_none() {
                return (shown, laid);
            }
        }
    }

    fn lay(&mut self, text: &str, size: f32, wrap: OverflowWrap, look: Look) -> Laid {
        let families = fonts::FAMILIES.map(|name| FontFamilyName::Named(name.into()));
        let mut builder = self.layouts.ranged_builder(&mut self.fonts, text, 1.0, false);
        builder.push_default(StyleProperty::FontFamily(FontFamily::List(families.to_vec().into())));
        builder.push_default(StyleProperty::FontSize(size));
        builder.push_default(StyleProperty::LineHeight(LineHeight::FontSizeRelative(LINE_HEIGHT)));
        builder.push_default(StyleProperty::OverflowWrap(wrap));
        builder.push_default(StyleProperty::FontWeight(if look.bold { FontWeight::BOLD } else { FontWeight::NORMAL }));
        let mut laid = builder.build(text);
        laid.break_all_lines(Some(look.width));
        let alignment = match look.lines {
            Lines::Start => Alignment::Start,
            Lines::Left => Alignment::Left,
            Lines::Middle => Alignment::Center,
        };
        laid.align(alignment, Default::default());
        laid
    }

    fn font(&mut self, run: &Run<'_, [u8; 4]>) -> Option<Font> {
        let font = run.font().clone();
        let index = font.index;
        let (data, id) = font.data.into_raw_parts();
        if let Some(known) = self.drawn.get(&(id, index)) {
            return Some(known.clone());
        }
        let new = Font::new(data.into(), index)?;
        self.drawn.insert((id, index), new.clone());
        Some(new)
    }
}

/// A run's glyphs from left to right, each with the part of the text that it stands for.
fn glyphs(run: &Run<'_, [u8; 4]>) -> Vec<KrillaGlyph> {
    let size = run.font_size();
    let mut glyphs: Vec<KrillaGlyph> = Vec::new();
    for cluster in run.visual_clusters() {
        if cluster.is_ligature_continuation() {
            if let Some(glyph) = glyphs.last_mut() {
                let part = cluster.text_range();
                glyph.text_range = glyph.text_range.start.min(part.start)..glyph.text_range.end.max(part.end);
            }
            continue;
        }
        for glyph in cluster.glyphs() {
            glyphs.push(KrillaGlyph::new(
                GlyphId::new(glyph.id),
                glyph.advance / size,
                glyph.x / size,
                -glyph.y / size, // the page's y runs down, the font's up
                0.0,
                cluster.text_range(),
                None,
            ));
        }
    }
    glyphs
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELL: Look =
        Look { sizes: &[20.0, 7.0], bold: true, grey: 0, width: 110.0, height: 44.0, lines: Lines::Left };

    #[test]
    fn nothing_runs_over_what_stands_beside_it() {
        let mut letters = Type::default();
        let long = [
            "W".repeat(200),
            "長い名前 ".repeat(60),
            "شارع البحر ".repeat(60),
            "e\u{301}\u{323}".repeat(300),
            "🎟".repeat(200),
        ];
        for text in &long {
            let (shown, laid) = letters.fitting(text, CELL);
            assert!(laid.height() <= CELL.height && laid.width() <= CELL.width, "{text}");
            let kept = shown.strip_suffix('…').unwrap_or_else(|| panic!("{shown} does not show that it was cut"));
            assert!(text.starts_with(kept) && kept.chars().count() >= 20, "{shown}");
        }
        // The twin: with whole words only, and without an end, both are wider or higher than their room.
        assert!(letters.lay(&long[0], 7.0, OverflowWrap::Normal, CELL).width() > CELL.width);
        assert!(letters.lay(&long[2], 7.0, OverflowWrap::Anywhere, CELL).height() > CELL.height);
        for (text, size) in [("12", 20.0), ("Donaudampfschifffahrt", 7.0)] {
            let (shown, laid) = letters.fitting(text, CELL);
            let drawn = laid.lines().next().and_then(|line| Some(line.runs().next()?.font_size()));
            assert_eq!((shown.as_ref(), drawn), (text, Some(size)), "whole, as large as it fits");
        }
    }
}
