//! Prints what the QR codes in grey pictures say (PGM, as `pdftoppm -gray` draws them), one a line.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    for path in std::env::args().skip(1) {
        let file = std::fs::read(&path)?;
        let (width, height, pixels) = picture(&file).ok_or("not a PGM of 8 bits")?;
        let mut image = rqrr::PreparedImage::prepare_from_greyscale(width, height, |x, y| pixels[y * width + x]);
        for grid in image.detect_grids() {
            println!("{}", grid.decode()?.1);
        }
    }
    Ok(())
}

/// Width, height and pixels of `P5 width height 255`.
fn picture(file: &[u8]) -> Option<(usize, usize, &[u8])> {
    let mut at = 0;
    let mut words = Vec::new();
    while words.len() < 4 {
        let end = at + file.get(at..)?.iter().position(u8::is_ascii_whitespace)?;
        words.push(std::str::from_utf8(&file[at..end]).ok()?);
        at = end + 1;
    }
    let (width, height) = (words[1].parse::<usize>().ok()?, words[2].parse::<usize>().ok()?);
    let pixels = file.get(at..at + width * height)?;
    (words[0] == "P5" && words[3] == "255").then_some((width, height, pixels))
}
