use super::*;

fn price(price_minor: i64, fee_minor: i64, fee_ppm: u32) -> Price {
    Price { price_minor, fee_minor, fee_ppm }
}

fn fees(prices: &[Price], step: i64) -> Vec<i64> {
    allot(prices, step).iter().map(|amounts| amounts.fee_minor).collect()
}

#[test]
fn a_third_of_seven_seats_adds_up() {
    // 33.33 % of 10.00 are 3.333; of seven, 23.331.
    let seven = [price(1000, 0, 333_300); 7];
    assert_eq!(fees(&seven, 1), [334, 334, 334, 333, 333, 333, 333]);
    assert_eq!(fees(&seven, 1).iter().sum::<i64>(), 2334);
    assert_eq!((seven[0].shown_fee_minor(1), seven[0].shown_total_minor(1)), (334, 1334));
    // 0.10 + 0.20, at 10 %: 0.01 + 0.02 exactly.
    assert_eq!(fees(&[price(10, 0, 100_000), price(20, 0, 100_000)], 1), [1, 2]);
}

#[test]
fn what_is_missing_goes_to_those_who_lost_most() {
    let mixed = [price(999, 50, 100_000), price(501, 50, 100_000), price(105, 50, 100_000)];
    // 99.9 + 50.1 + 10.5 = 160.5: rounded up 161; two are missing, the first and the last lost most.
    assert_eq!(fees(&mixed, 1), [150, 100, 61]);
}

#[test]
fn yen_have_no_cents_and_dinars_are_charged_in_tens() {
    assert_eq!(fees(&[price(900, 0, 333_300); 2], 1), [300, 300]);
    assert_eq!(fees(&[price(12_340, 0, 100_000); 2], 10), [1240, 1230]);
    assert_eq!(fees(&[], 1), Vec::<i64>::new());
}

/// Fees add up to the exact sum, rounded up once; no place costs more than was shown, a single one exactly that.
#[test]
fn sums_are_exact_and_nobody_pays_more_than_was_shown() {
    let mut state = 7_u64;
    let mut dice = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    for _ in 0..2_000 {
        let step = [1, 10][dice(2) as usize];
        let some = |dice: &mut dyn FnMut(u64) -> u64| {
            price(dice(20_000) as i64 * step, dice(500) as i64 * step, dice(1_000_001) as u32)
        };
        let prices: Vec<Price> = (0..1 + dice(40)).map(|_| some(&mut dice)).collect();
        let exact: i128 = prices.iter().map(|p| i128::from(p.price_minor) * i128::from(p.fee_ppm)).sum();
        let whole = 1_000_000 * i128::from(step);
        let rounded = (exact + whole - 1) / whole * i128::from(step);
        let fixed: i64 = prices.iter().map(|p| p.fee_minor).sum();
        let charged = fees(&prices, step);
        assert_eq!(i128::from(charged.iter().sum::<i64>() - fixed), rounded);
        for (price, fee) in prices.iter().zip(&charged) {
            assert!(*fee <= price.shown_fee_minor(step) && fee % step == 0, "{price:?} {fee}");
        }
        assert_eq!(fees(&prices[..1], step), [prices[0].shown_fee_minor(step)]);
    }
}
