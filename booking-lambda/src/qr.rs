//! QR codes as SVG.

use qrcode::render::svg;
use qrcode::{EcLevel, QrCode};

/// A QR code of `payload` as an SVG document, dark on white with the quiet zone that scanners need.
/// `None`: the payload does not fit a QR code, which tickets never come near.
#[must_use]
pub fn svg(payload: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(payload, EcLevel::M).ok()?;
    Some(code.render::<svg::Color<'_>>().min_dimensions(240, 240).quiet_zone(true).build())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_code_is_drawn_with_its_quiet_zone() {
        let svg = super::svg("ONSALE1.example").expect("short enough");
        assert!(svg.contains("<svg") && svg.contains("viewBox"));
        assert_eq!(super::svg(&"x".repeat(5_000)), None);
    }
}
