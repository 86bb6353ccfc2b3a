#!/usr/bin/env python3
"""Makes the fonts of this folder anew: fetches the pinned packages, checks them, and cuts them down.

    python3 -m venv venv && venv/bin/pip install fonttools==4.68.0
    venv/bin/python booking-lambda/documents/fonts/subset.py

Needs npm. The same packages and the same fonttools give the same bytes.
"""

import base64
import hashlib
import io
import pathlib
import subprocess
import tarfile
import tempfile

from fontTools import subset
from fontTools.ttLib import TTFont

HERE = pathlib.Path(__file__).parent
SCOPE = "@expo-google-fonts"


def double_bytes(encoding, leads, trails):
    """The characters of a range of a two-byte character set."""
    pairs = (bytes([lead, trail]) for lead in leads for trail in trails)
    return {ord(c) for pair in pairs for c in pair.decode(encoding, "ignore") if ord(c) >= 0x2000}


def han():
    """GB 2312 whole, the first level of Big5, and JIS X 0208 with kana and the first level of kanji."""
    trails = range(0xA1, 0xFF)
    big5 = [*range(0x40, 0x7F), *trails]
    return (
        double_bytes("gb2312", range(0xA1, 0xF8), trails)
        | double_bytes("big5", range(0xA4, 0xC7), big5)
        | double_bytes("euc_jp", range(0xA1, 0xD0), trails)
    )


LATIN = {*range(0x20, 0x250), *range(0x2B0, 0x590), *range(0x1E00, 0x2200), *range(0x2C60, 0x2C80)}
SPACE = {0x20}

# Package, font in it, file here, characters.
FONTS = [
    ("noto-sans", "NotoSans_400Regular", "NotoSans", LATIN),
    ("noto-sans", "NotoSans_700Bold", "NotoSans-Bold", LATIN),
    ("noto-sans-arabic", "NotoSansArabic_400Regular", "NotoSansArabic",
     {*range(0x600, 0x700), *range(0x750, 0x780), *range(0x200C, 0x2010)} | SPACE),
    ("noto-sans-hebrew", "NotoSansHebrew_400Regular", "NotoSansHebrew", {*range(0x590, 0x600)} | SPACE),
    ("noto-sans-thai", "NotoSansThai_400Regular", "NotoSansThai", {*range(0xE00, 0xE80)} | SPACE),
    ("noto-sans-devanagari", "NotoSansDevanagari_400Regular", "NotoSansDevanagari",
     {*range(0x900, 0x980), 0x200C, 0x200D} | SPACE),
    ("noto-sans-sc", "NotoSansSC_400Regular", "NotoSansSC", han()),
    ("noto-sans-kr", "NotoSansKR_400Regular", "NotoSansKR",
     double_bytes("euc_kr", range(0xB0, 0xC9), range(0xA1, 0xFF))),
    ("noto-emoji", "NotoEmoji_400Regular", "NotoEmoji", {*range(0x20, 0x110000)}),
]

PINNED = {
    "noto-sans": ("0.4.2", "zYD8G2ijWLxqmquoQgghNh/x9p0yxWwArD0oxO1oXY1qx5vOd4t0Kbhnu/Cx8RTy08OgA8RtxuULZFaXwVPnPw=="),
    "noto-sans-arabic": ("0.4.3", "YvtxyuegxPegu2g5urXJ+gQxRp8i798nQswTmEjwXOWR/fqy0Gvey6h5IoNRBrc43SxRxPezqCiR9ivpfPAXSg=="),
    "noto-sans-hebrew": ("0.4.1", "NR3vP6GT/hSINLrk4JHJBQnuzh/C1mlMrphNlI2dQaO53a3oTjSRoG4JyYb1B6bHadjsGh0wPZbT4kMJBKjT/w=="),
    "noto-sans-thai": ("0.4.2", "PGBBBDGfJJ/5y2hNweLBZWD4YmVT4uOO4chsOPXyl0TktaBJamDKVKv/WbGiDTeBGdkegLiytsWo+lhnkHP5qA=="),
    "noto-sans-devanagari": ("0.4.1", "26boYPNKGP1r4R5MxsMAY/zCQOwiXLOJzX8sh1a2oEWyQurQsyniaCv4992c+9jjwshEEt2NNVv5GcnyzaL7QQ=="),
    "noto-sans-sc": ("0.4.3", "9rAwdFTFHbO/u6Cs0gj2jZbW74TGIiaFNQnXYH2s5wA1bzVkwbaviL4t8YUV642eGYjg86eH6DkAEQmfNHDncQ=="),
    "noto-sans-kr": ("0.4.3", "EVS/uJPcf1TgJtjmQmrFr0oGdcl7ml09CSu0E/AyGzR0UfzdR2pBbzWWPsnuzZiGUl643ODYwYiXK5+B+fLjhQ=="),
    "noto-emoji": ("0.4.7", "Gs7URwtKmCzzdGUTYbG8MIohyaQPgGxIaQG5hvyEAaQiEGJpQy6gyP3NDICE0EJkOJFoe1JFD3Hf1L4a3qe4KA=="),
}


def fetch(package, folder):
    """A package as npm gives it, if it is the pinned one."""
    version, integrity = PINNED[package]
    path = pathlib.Path(folder) / f"expo-google-fonts-{package}-{version}.tgz"
    if not path.exists():
        command = ["npm", "pack", "--silent", "--pack-destination", folder, f"{SCOPE}/{package}@{version}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    found = base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()
    if found != integrity:
        raise SystemExit(f"{path.name} is not the pinned one: {found}")
    return path


def member(package, name):
    """One file of a package."""
    with tarfile.open(package) as tar:
        found = [one for one in tar.getmembers() if one.name == name or one.name.endswith(f"/{name}.ttf")]
        return tar.extractfile(found[0]).read()


def cut(font, file, characters):
    """A font with these characters alone, with all its rules of shaping."""
    options = subset.Options(layout_features=["*"], hinting=False, glyph_names=False, notdef_outline=True)
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    loaded = TTFont(io.BytesIO(font), recalcTimestamp=False)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=characters)
    cutter.subset(loaded)
    loaded.save(HERE / f"{file}.ttf", reorderTables=False)


def main():
    with tempfile.TemporaryDirectory() as folder:
        licences = {}
        for package, name, file, characters in FONTS:
            source = fetch(package, folder)
            cut(member(source, name), file, characters)
            licences[package] = member(source, "package/LICENSE_FONT").decode().strip()
            print(file, (HERE / f"{file}.ttf").stat().st_size)
        text = "\n\n".join(f"{package}\n{'=' * len(package)}\n\n{licence}" for package, licence in licences.items())
        (HERE / "OFL.txt").write_text(text + "\n")


if __name__ == "__main__":
    main()
