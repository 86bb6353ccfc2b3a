//! One ticket on its page.

use krilla::color::rgb;
use krilla::geom::{PathBuilder, Rect};
use krilla::num::NormalizedF32;
use krilla::paint::Fill;
use krilla::surface::Surface;

use super::A5;
use super::text::{Lines, Look, Type};
use crate::papers::{Paper, Papers};
use crate::qr;

const MARGIN: f32 = 34.0;
const WIDTH: f32 = A5.0 - 2.0 * MARGIN;
/// Edge of the code, 62 mm: read from an arm's length.
const CODE: f32 = 176.0;
/// Top of the code.
const CODE_TOP: f32 = 336.0;

const NAME: Look = Look {
    sizes: &[24.0, 20.0, 16.0, 13.0, 11.0, 9.0],
    bold: true,
    grey: 0,
    width: WIDTH,
    height: 80.0,
    lines: Lines::Start,
};
const LINE: Look =
    Look { sizes: &[11.0, 10.0, 9.0, 8.0], bold: false, grey: 40, width: WIDTH, height: 30.0, lines: Lines::Start };
const LABEL: Look = Look { sizes: &[8.0], bold: false, grey: 100, width: WIDTH, height: 12.0, lines: Lines::Left };
const VALUE: Look = Look {
    sizes: &[20.0, 16.0, 13.0, 11.0, 9.0, 7.0],
    bold: true,
    grey: 0,
    width: WIDTH,
    height: 44.0,
    lines: Lines::Left,
};
const SMALL: Look =
    Look { sizes: &[8.0, 7.0], bold: false, grey: 80, width: WIDTH, height: 12.0, lines: Lines::Middle };

/// A page being drawn.
pub(super) struct Sheet<'a, 'b> {
    pub papers: &'a Papers,
    pub n: usize,
    pub letters: &'a mut Type,
    pub surface: &'a mut Surface<'b>,
}

impl Sheet<'_, '_> {
    /// Draws all of it.
    pub fn draw(&mut self) -> Option<()> {
        let papers = self.papers;
        let ticket = papers.tickets.get(self.n)?;
        let y = self.head(papers)?;
        self.rule(y);
        let y = self.boxes(&ticket.position, y + 12.0)?;
        let entrance = ticket.entrance.clone().map(|entrance| ("Entrance", entrance));
        let price = (!ticket.level.is_empty()).then(|| ("Category", ticket.level.clone()));
        let second: Vec<_> = entrance.into_iter().chain(price).collect();
        self.boxes(&second, y + 8.0)?;
        self.code(&ticket.payload)?;
        self.foot(ticket)
    }

    /// Name, venue and times; answers where they end.
    fn head(&mut self, papers: &Papers) -> Option<f32> {
        let mut y = MARGIN;
        y += self.text(&papers.name, y, NAME)? + 6.0;
        y += self.text(&papers.whereabouts(), y, LINE)?;
        for (what, text) in papers.times() {
            y += self.text(&format!("{what}: {text}"), y, LINE)?;
        }
        Some(y + 10.0)
    }

    fn text(&mut self, text: &str, y: f32, look: Look) -> Option<f32> {
        self.letters.draw(self.surface, text, (MARGIN, y), look)
    }

    /// Words under their labels, side by side; answers where they end.
    fn boxes(&mut self, boxes: &[(&'static str, String)], y: f32) -> Option<f32> {
        let gap = 10.0;
        #[allow(clippy::cast_precision_loss)] // Three at most.
        let width = (WIDTH + gap) / boxes.len().max(1) as f32;
        let (mut x, mut end) = (MARGIN, y);
        for (label, value) in boxes {
            let narrow = |look: Look| Look { width: width - gap, ..look };
            let label = self.letters.draw(self.surface, label, (x, y), narrow(LABEL))?;
            let value = self.letters.draw(self.surface, value, (x, y + label), narrow(VALUE))?;
            end = end.max(y + label + value);
            x += width;
        }
        Some(end)
    }

    fn rule(&mut self, y: f32) {
        let mut path = PathBuilder::new();
        if let Some(line) = Rect::from_xywh(MARGIN, y, WIDTH, 0.8) {
            path.push_rect(line);
        }
        self.fill(path, 160);
    }

    /// The code, dark on the page's white, with nothing near it.
    fn code(&mut self, payload: &str) -> Option<()> {
        let (modules, runs) = qr::runs(payload)?;
        #[allow(clippy::cast_precision_loss)] // A code has at most 177 modules.
        let (unit, left) = (CODE / modules as f32, (A5.0 - CODE) / 2.0);
        let mut path = PathBuilder::new();
        for (x, y, len) in runs {
            #[allow(clippy::cast_precision_loss)]
            let (x, y, len) = (x as f32 * unit, y as f32 * unit, len as f32 * unit);
            path.push_rect(Rect::from_xywh(left + x, CODE_TOP + y, len, unit)?);
        }
        self.fill(path, 0);
        Some(())
    }

    fn fill(&mut self, path: PathBuilder, grey: u8) {
        let paint = rgb::Color::new(grey, grey, grey).into();
        self.surface.set_fill(Some(Fill { paint, opacity: NormalizedF32::ONE, rule: Default::default() }));
        if let Some(path) = path.finish() {
            self.surface.draw_path(&path);
        }
    }

    fn foot(&mut self, ticket: &Paper) -> Option<()> {
        let (n, all) = (self.n + 1, self.papers.tickets.len());
        let order = format!(
            "Order {} · ticket {n} of {all} · {} · revision {}",
            self.papers.order, ticket.place, ticket.revision
        );
        let mut y = CODE_TOP + CODE + 16.0;
        y += self.text(&order, y, SMALL)?;
        self.text("This code opens the gate once. Whoever has it can use it: keep it to yourself.", y, SMALL)?;
        Some(())
    }
}
