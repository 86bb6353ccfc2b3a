//! QR codes: as SVG, and as dark runs for other drawings.

use qrcode::render::svg;
use qrcode::{Color, EcLevel, QrCode};

/// A QR code of `payload` as an SVG document, dark on white with the quiet zone that scanners need.
/// `None`: the payload does not fit a QR code, which tickets never come near.
#[must_use]
pub fn svg(payload: &str) -> Option<String> {
    let code = code(payload)?;
    Some(code.render::<svg::Color<'_>>().min_dimensions(240, 240).quiet_zone(true).build())
}

/// A horizontal run of dark modules: column, row and length, in modules.
pub(crate) type Run = (usize, usize, usize);

/// Width of the code in modules, and its dark runs; the quiet zone is not part of it.
pub(crate) fn runs(payload: &str) -> Option<(usize, Vec<Run>)> {
    let code = code(payload)?;
    let width = code.width();
    let mut runs: Vec<Run> = Vec::new();
    for (y, row) in code.to_colors().chunks(width).enumerate() {
        for (x, _) in row.iter().enumerate().filter(|(_, color)| **color == Color::Dark) {
            match runs.last_mut() {
                Some((from, at, len)) if *at == y && *from + *len == x => *len += 1,
                _ => runs.push((x, y, 1)),
            }
        }
    }
    Some((width, runs))
}

fn code(payload: &str) -> Option<QrCode> {
    QrCode::with_error_correction_level(payload, EcLevel::M).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_drawn_with_its_quiet_zone() {
        let drawn = svg("ONSALE1.example").expect("short enough");
        assert!(drawn.contains("<svg") && drawn.contains("viewBox"));
        assert_eq!(svg(&"x".repeat(5_000)), None);
    }

    #[test]
    fn runs_cover_the_dark_modules() {
        let (width, runs) = runs("ONSALE1.example").expect("short enough");
        let code = code("ONSALE1.example").expect("short enough");
        let dark = code.to_colors().iter().filter(|color| **color == Color::Dark).count();
        assert_eq!(runs.iter().map(|(_, _, len)| len).sum::<usize>(), dark);
        assert_eq!(runs[0], (0, 0, 7), "the finder's upper edge");
        assert!(runs.iter().all(|(x, y, len)| x + len <= width && *y < width));
    }

    /// What a scanner reads where these runs are drawn, four pixels a module, with a quiet zone.
    fn scanned(width: usize, runs: &[Run]) -> Option<String> {
        let side = (width + 8) * 4;
        let dark = |x: usize, y: usize| {
            let (x, y) = ((x / 4).checked_sub(4)?, (y / 4).checked_sub(4)?);
            runs.iter().find(|(from, at, len)| *at == y && (*from..from + len).contains(&x))
        };
        let grey = |x: usize, y: usize| if dark(x, y).is_some() { 0 } else { 255 };
        let mut image = rqrr::PreparedImage::prepare_from_greyscale(side, side, grey);
        Some(image.detect_grids().first()?.decode().ok()?.1)
    }

    #[test]
    fn a_scanner_reads_the_payload() {
        let payload = "ONSALE1.AQEAAAACCQkJCQkJCQkJCQkJCQkJCQ1zdGFkaXVtLW5pZ2h0B1cwMS0xLTc";
        let (width, runs) = runs(payload).expect("short enough");
        assert_eq!(scanned(width, &runs).as_deref(), Some(payload));
        assert_eq!(scanned(width, &runs[..runs.len() / 2]), None, "the twin: half a code is none");
    }
}
