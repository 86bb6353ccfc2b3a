//! The runtime's clock and randomness, handed to the rules as arguments. Nothing else in this crate asks for them.

use std::cell::RefCell;

use domain::time::WallMs;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues)]
    fn get_random_values(bytes: &js_sys::Uint8Array);
}

/// Draws of sixteen bytes that are fetched at once; each is used once.
const POOLED: u32 = 64;

thread_local! {
    static DATE: RefCell<(i64, String)> = const { RefCell::new((0, String::new())) };
    static POOL: RefCell<Vec<[u8; 16]>> = const { RefCell::new(Vec::new()) };
}

/// Wall time; at Cloudflare it moves only with input and output.
pub fn now() -> WallMs {
    WallMs(i64::try_from(worker::Date::now().as_millis()).unwrap_or(i64::MAX))
}

/// Wall time as HTTP writes it; the runtime is asked for the words once a second.
pub fn http_date() -> String {
    let second = now().0.div_euclid(1_000);
    DATE.with_borrow_mut(|(known, words)| {
        if *known != second {
            (*known, *words) = (second, String::from(js_sys::Date::new_0().to_utc_string()));
        }
        words.clone()
    })
}

/// Sixteen bytes from the runtime's secure generator, which is asked for many at once.
pub fn random16() -> [u8; 16] {
    POOL.with_borrow_mut(|pool| {
        pool.pop().unwrap_or_else(|| {
            *pool = random(16 * POOLED).to_vec().as_chunks().0.to_vec();
            let mut bytes = [0; 16];
            random(16).copy_to(&mut bytes);
            bytes
        })
    })
}

fn random(len: u32) -> js_sys::Uint8Array {
    let array = js_sys::Uint8Array::new_with_length(len);
    get_random_values(&array);
    array
}

/// Thirty-two bytes from it.
pub fn random32() -> [u8; 32] {
    let mut bytes = [0; 32];
    random(32).copy_to(&mut bytes);
    bytes
}
