//! Curves and bars as SVG, by `plotters`.
//!
//! Its colours are written out; the page's style sheet gives each its meaning in light and dark ([`Tone`]). A chart is a
//! picture with a sentence for those who do not see it; its figures stand in a table beside it.

use std::error::Error;

use domain::report::Grid;
use plotters::prelude::*;

use super::words::number;

/// Size of a chart in its own units.
const SIZE: (u32, u32) = (760, 260);
/// Most labels below a chart.
const LABELS: usize = 7;
/// Letters' size.
const LETTERS: u32 = 14;

/// Colours by meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// What the chart is about.
    First,
    /// What stands beside it.
    Second,
    /// A third thing.
    Third,
}

impl Tone {
    /// As it is written in the SVG; the style sheet knows these.
    const fn colour(self) -> RGBColor {
        match self {
            Self::First => RGBColor(0x25, 0x63, 0xEB),
            Self::Second => RGBColor(0xB4, 0x53, 0x09),
            Self::Third => RGBColor(0x04, 0x78, 0x57),
        }
    }

    /// The class of its mark in a legend.
    pub const fn class(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
            Self::Third => "third",
        }
    }
}

/// The horizontal axis: bins of time or of something else, and how their starts are told.
pub(super) struct Axis<'a> {
    /// The bins.
    pub grid: Grid,
    /// The label of a value and the width of what it stands for.
    pub label: &'a dyn Fn(i64, i64) -> String,
}

/// One curve: a value at the end of each bin.
pub(super) struct Curve {
    /// Its colour.
    pub tone: Tone,
    /// Its values, one a bin.
    pub values: Vec<u64>,
}

/// Bars, one a bin.
pub(super) fn bars(says: &str, axis: &Axis<'_>, values: &[u64]) -> String {
    let top = values.iter().copied().max().unwrap_or(0);
    let gap = axis.grid.width_ms / 12;
    drawn(says, axis, top, |chart| {
        let filled = Tone::First.colour().filled();
        let each = values.iter().enumerate().filter(|(_, value)| **value > 0);
        chart.draw_series(each.map(|(bin, value)| {
            let (start, end) = (axis.grid.start(bin), axis.grid.start(bin + 1));
            Rectangle::new([(start + gap, 0.0), (end - gap, *value as f64)], filled)
        }))?;
        Ok(())
    })
}

/// Curves, the first one with its area.
pub(super) fn curves(says: &str, axis: &Axis<'_>, all: &[Curve]) -> String {
    let top = all.iter().flat_map(|curve| &curve.values).copied().max().unwrap_or(0);
    drawn(says, axis, top, |chart| {
        for (nth, Curve { tone, values }) in all.iter().enumerate() {
            let colour = tone.colour();
            if nth == 0 {
                chart.draw_series(AreaSeries::new(steps(axis, values), 0.0, colour.mix(0.15)))?;
            }
            chart.draw_series(LineSeries::new(steps(axis, values), colour.stroke_width(2)))?;
        }
        Ok(())
    })
}

/// Values hold for their bin, so a curve is a stair.
fn steps(axis: &Axis<'_>, values: &[u64]) -> Vec<(i64, f64)> {
    let stair = |(bin, value): (usize, &u64)| {
        let value = *value as f64;
        [(axis.grid.start(bin), value), (axis.grid.start(bin + 1), value)]
    };
    values.iter().enumerate().flat_map(stair).collect()
}

type Chart<'a, 'b> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<
        plotters::coord::combinators::WithKeyPoints<plotters::coord::types::RangedCoordi64>,
        plotters::coord::types::RangedCoordf64,
    >,
>;

/// The frame of a chart, and in it what `fill` draws. Nothing here can fail but for writing into a string, which cannot.
fn drawn(
    says: &str,
    axis: &Axis<'_>,
    top: u64,
    fill: impl FnOnce(&mut Chart<'_, '_>) -> Result<(), Box<dyn Error>>,
) -> String {
    let mut svg = String::new();
    match draw(&mut svg, axis, top, fill) {
        Ok(()) => svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", super::html::escape(says)), 1),
        Err(error) => format!("<p>{}</p>", super::html::escape(&error.to_string())),
    }
}

fn draw(
    svg: &mut String,
    axis: &Axis<'_>,
    top: u64,
    fill: impl FnOnce(&mut Chart<'_, '_>) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let Grid { from, bins, .. } = axis.grid;
    let end = axis.grid.start(bins);
    let ticks = Grid::over(from, end, LABELS);
    let starts = (0..ticks.bins).map(|bin| ticks.start(bin));
    let points: Vec<i64> = starts.filter(|at| (from..=end).contains(at)).collect();
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    let across = (from..end).with_key_points(points);
    let mut chart = ChartBuilder::on(&root)
        .margin(10)
        .margin_right(28)
        .x_label_area_size(28)
        .y_label_area_size(64)
        .build_cartesian_2d(across, 0.0..(top.max(1) as f64 * 1.05))?;
    let (faint, ink) = (BLACK.mix(0.12), BLACK.mix(0.45));
    chart
        .configure_mesh()
        .disable_x_mesh()
        .y_max_light_lines(1)
        .light_line_style(TRANSPARENT)
        .bold_line_style(faint)
        .axis_style(ink)
        .y_labels(5)
        .label_style(("sans-serif", LETTERS).into_font().color(&BLACK))
        .x_label_formatter(&|at: &i64| (axis.label)(*at, ticks.width_ms))
        .y_label_formatter(&|value: &f64| whole(*value))
        .draw()?;
    fill(&mut chart)?;
    root.present()?;
    Ok(())
}

/// People and seats are whole.
fn whole(value: f64) -> String {
    if value.fract() == 0.0 { number(value as u64) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(label: &dyn Fn(i64, i64) -> String) -> Axis<'_> {
        Axis { grid: Grid::over(0, 9_000, 60), label }
    }

    #[test]
    fn a_bar_stands_for_each_value_that_is_none_of_nought() {
        let svg = bars("five <of> them", &axis(&|at, _| format!("{}s", at / 1_000)), &[0, 3, 0, 7, 1]);
        assert_eq!(svg.matches("fill=\"#2563EB\"").count(), 3);
        assert!(svg.contains("aria-label=\"five &lt;of> them\"") && svg.contains("4s"), "{svg}");
    }

    #[test]
    fn nothing_and_huge_numbers_can_be_drawn() {
        for values in [vec![], vec![0], vec![u64::MAX, 1]] {
            let curve = || Curve { tone: Tone::Second, values: values.clone() };
            let svg = curves("x", &axis(&|_, _| String::new()), &[curve()]);
            assert!(svg.starts_with("<svg role=\"img\"") && svg.trim_end().ends_with("</svg>"), "{svg}");
        }
    }
}
