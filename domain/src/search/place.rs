//! Places and distances: cells that a search can name, and points whose true distance is checked afterwards.

use serde::{Deserialize, Serialize};

/// Sides of cells, in degrees, the finest first.
const SIDES: [f64; 5] = [0.1, 0.5, 2.0, 8.0, 30.0];
/// Most cells that a search names.
const CELLS_MAX: u32 = 36;
/// Mean radius of the earth, in kilometres.
const EARTH_KM: f64 = 6371.0;
/// Kilometres of a degree of latitude.
const DEGREE_KM: f64 = 111.0;

/// A place on earth, in degrees.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Latitude, -90 to 90.
    pub latitude: f64,
    /// Longitude, -180 to 180.
    pub longitude: f64,
}

impl Point {
    /// A place that exists.
    #[must_use]
    pub fn new(latitude: f64, longitude: f64) -> Option<Self> {
        let exists = (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude);
        exists.then_some(Self { latitude, longitude })
    }

    /// The place on a sphere of radius 1: distances there need neither angles nor care at the date line.
    #[must_use]
    pub fn vector(&self) -> [f64; 3] {
        let (latitude, longitude) = (self.latitude.to_radians(), self.longitude.to_radians());
        [latitude.cos() * longitude.cos(), latitude.cos() * longitude.sin(), latitude.sin()]
    }

    /// The cells that hold it, one of each size, as words of the index.
    #[must_use]
    pub fn cells(&self) -> Vec<String> {
        let at = |(level, side): (usize, &f64)| {
            let column = self.column(*side, self.longitude).rem_euclid(columns(*side));
            word(level, column, row(*side, self.latitude))
        };
        SIDES.iter().enumerate().map(at).collect()
    }

    /// The cells around it that a circle of this radius touches: of the finest size that needs few of them.
    #[must_use]
    pub fn around(&self, km: f64) -> Vec<String> {
        let last = SIDES.len() - 1;
        let fine = (0..last).find(|level| SIDES.get(*level).is_some_and(|side| self.count(*side, km) <= CELLS_MAX));
        let level = fine.unwrap_or(last);
        let side = SIDES.get(level).copied().unwrap_or(30.0);
        let (rows, (from, to)) = (self.rows(side, km), self.columns_around(side, km));
        let of_row = |row: i32| (from..=to).map(move |column| word(level, column.rem_euclid(columns(side)), row));
        (rows.0..=rows.1).flat_map(of_row).collect()
    }

    fn count(&self, side: f64, km: f64) -> u32 {
        let (rows, columns) = (self.rows(side, km), self.columns_around(side, km));
        rows.0.abs_diff(rows.1).saturating_add(1).saturating_mul(columns.0.abs_diff(columns.1).saturating_add(1))
    }

    fn rows(&self, side: f64, km: f64) -> (i32, i32) {
        let span = km / DEGREE_KM;
        (row(side, (self.latitude - span).max(-90.0)), row(side, (self.latitude + span).min(90.0)))
    }

    /// Degrees of longitude are short far north and south: there a circle spans many, beside a pole all.
    fn columns_around(&self, side: f64, km: f64) -> (i32, i32) {
        let farthest = (self.latitude.abs() + km / DEGREE_KM).to_radians();
        let span = km / DEGREE_KM / farthest.cos();
        if farthest >= std::f64::consts::FRAC_PI_2 || span >= 180.0 {
            return (0, columns(side) - 1);
        }
        (self.column(side, self.longitude - span), self.column(side, self.longitude + span))
    }

    /// Not yet within 0 and [`columns`].
    #[allow(clippy::cast_possible_truncation, clippy::unused_self)]
    fn column(&self, side: f64, longitude: f64) -> i32 {
        ((longitude + 180.0) / side).floor() as i32
    }
}

/// The square of the straight way between two points of a sphere of radius 1 that are `km` apart on earth.
#[must_use]
pub(super) fn chord_squared(km: f64) -> f64 {
    let half = (km / EARTH_KM / 2.0).sin();
    4.0 * half * half
}

/// The way over the ground that belongs to such a square, in kilometres.
#[must_use]
pub(super) fn kilometres(chord_squared: f64) -> f64 {
    2.0 * EARTH_KM * (chord_squared.max(0.0).sqrt() / 2.0).min(1.0).asin()
}

#[allow(clippy::cast_possible_truncation)]
fn columns(side: f64) -> i32 {
    (360.0 / side).round() as i32
}

#[allow(clippy::cast_possible_truncation)]
fn row(side: f64, latitude: f64) -> i32 {
    ((latitude + 90.0) / side).floor() as i32
}

fn word(level: usize, column: i32, row: i32) -> String {
    format!("g{level}x{column}y{row}")
}
