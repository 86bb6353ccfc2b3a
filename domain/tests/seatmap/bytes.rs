//! How many bytes the stadium takes, and how long.

use std::time::Instant;

use domain::map::code::{Rows, decode, encode};

use crate::{sales, stadium};

/// Bytes that no coder stays below if it knows nothing but how often each state occurs (order-0 entropy).
pub fn entropy(states: &[u8]) -> f64 {
    let counts = states.iter().fold([0_u32; 8], |mut counts, state| {
        counts[usize::from(*state)] += 1;
        counts
    });
    counts.iter().filter(|count| **count > 0).map(|count| bits(*count, &counts)).sum::<f64>() / 8.0
}

fn bits(count: u32, counts: &[u32]) -> f64 {
    let share = f64::from(count) / f64::from(counts.iter().sum::<u32>());
    -f64::from(count) * share.log2()
}

/// Bytes of a plain adaptive coder that knows the seat to the left and the one in front, by the estimator of Krichevsky and
/// Trofimov and without any loss: what the code has to keep up with where sales clump.
fn plain(sections: &[Rows], states: &[u8]) -> f64 {
    let mut counts = vec![[0.5_f64; 4]; 25];
    let (mut bits, mut row) = (0.0, 0);
    for section in sections {
        let mut front: Option<(usize, usize)> = None;
        for len in section {
            for at in 0..*len {
                let left = if at == 0 { 4 } else { states[row + at - 1] };
                let ahead = front.filter(|(_, len)| at < *len).map_or(4, |(first, _)| states[first + at]);
                let known = &mut counts[usize::from(left * 5 + ahead)];
                let state = usize::from(states[row + at]);
                bits -= (known[state] / known.iter().sum::<f64>()).log2();
                known[state] += 1.0;
            }
            (front, row) = (Some((row, *len)), row + len);
        }
    }
    bits / 8.0
}

/// The shortest of ten times, in milliseconds: others work on this machine too.
fn shortest<T>(run: impl Fn() -> T) -> f64 {
    let once = || {
        let start = Instant::now();
        std::hint::black_box(run());
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..10).map(|_| once()).fold(f64::INFINITY, f64::min)
}

/// Prints a line of the table in `docs/figures.md`, and gives the code's length.
fn measure(what: &str, sections: &[Rows], states: &[u8]) -> f64 {
    let code = encode(sections, states);
    assert_eq!(decode(sections, &code).as_deref(), Ok(states), "{what}");
    let (write, read) = (shortest(|| encode(sections, states)), shortest(|| decode(sections, &code)));
    let (bytes, least, plain) = (code.len(), entropy(states), plain(sections, states));
    println!(
        "{what}: {bytes} bytes; order 0 {least:.0}, plain {plain:.0}; written in {write:.1} ms, read in {read:.1} ms"
    );
    f64::from(u32::try_from(bytes).expect("some thousands"))
}

const SHARES: [f64; 3] = [0.02, 0.5, 0.95];

#[test]
fn states_that_do_not_depend_on_each_other_cost_their_entropy() {
    let sections = stadium::rows();
    for share in SHARES {
        let states = sales::independent(&sections, share, 1);
        assert_eq!(states.len(), 39_350);
        let bytes = measure(&format!("independent, {share} taken"), &sections, &states);
        assert!(bytes <= 1.02 * entropy(&states), "{share}: {bytes}");
    }
}

#[test]
fn states_that_clump_cost_less_than_with_a_plain_context() {
    let sections = stadium::rows();
    for share in SHARES {
        let states = sales::clumped(&sections, share, 1);
        let bytes = measure(&format!("clumped, {share} taken"), &sections, &states);
        assert!(bytes <= plain(&sections, &states), "{share}: {bytes}");
        assert!(bytes < 0.7 * entropy(&states), "{share}: {bytes}");
    }
}

/// The ends: nothing to say, one state, eight states, a change late in a long map, and halls of odd shapes.
#[test]
fn every_map_comes_back() {
    let table: [(&[Rows], &[u8]); 6] = [
        (&[], &[]),
        (&[vec![]], &[]),
        (&[vec![3]], &[3, 3, 3]),
        (&[vec![1, 0, 2], vec![], vec![5]], &[7, 6, 5, 4, 3, 2, 1, 0]),
        (&[vec![1, 1, 1, 1]], &[0, 2, 0, 2]),
        (&[vec![40]], &[0; 40]),
    ];
    for (sections, states) in table {
        assert_eq!(decode(sections, &encode(sections, states)).as_deref(), Ok(states), "{sections:?}");
    }
    let long = vec![vec![100; 1_000]];
    let mut states = vec![2; 100_000];
    states[99_999] = 0;
    let code = encode(&long, &states);
    assert!(code.len() < 12, "{}", code.len());
    assert_eq!(decode(&long, &code), Ok(states));
}
