//! Writes the documents of a sample order into a folder, for eyes and for tools that read them.

#[path = "../tests/sample/mod.rs"]
mod sample;

use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: sample FOLDER")?);
    std::fs::create_dir_all(&folder)?;
    let papers = sample::papers();
    let began = std::time::Instant::now();
    let pdf = documents::pdf(&papers)?;
    println!("{} tickets, {} bytes of PDF in {} ms", papers.tickets.len(), pdf.len(), began.elapsed().as_millis());
    std::fs::write(folder.join("tickets.pdf"), pdf)?;
    std::fs::write(folder.join("tickets.html"), documents::page(&papers))?;
    std::fs::write(folder.join("tickets.ics"), documents::calendar(&papers).unwrap_or_default())?;
    let payloads: Vec<&str> = papers.tickets.iter().map(|ticket| ticket.payload.as_str()).collect();
    std::fs::write(folder.join("payloads.txt"), payloads.join("\n") + "\n")?;
    // Words that a reader of the PDF must find. Order within a line of two directions is that reader's own guess.
    let words = [
        "Zoe\u{308}\u{301}",
        "Ferry",
        "夜航船",
        "الليل",
        "🎟",
        "live",
        "مسرح",
        "الميناء",
        "القديم",
        "西门",
        "西看台",
        "Q\u{303}\u{323}",
        "Взрослый",
        "ילד",
        "ลานยืน",
        "हिन्दी",
        "서울",
        "A-1-2",
    ];
    std::fs::write(folder.join("words.txt"), words.join("\n") + "\n")?;
    Ok(())
}
