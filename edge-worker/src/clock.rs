//! The runtime's clock and randomness, handed to the rules as arguments. Nothing else in this crate asks for them.

use std::cell::RefCell;
use std::rc::Rc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
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
    static SECOND: RefCell<Option<(i64, Rc<Second>)>> = const { RefCell::new(None) };
    static POOL: RefCell<Vec<[u8; 16]>> = const { RefCell::new(Vec::new()) };
}

/// Wall time; at Cloudflare it moves only with input and output.
pub fn now() -> WallMs {
    // Not by the worker's own date, which is an object of the runtime: this is asked several times in a request.
    WallMs(js_sys::Date::now() as i64)
}

/// What this isolate says alike to all who ask within one second.
pub struct Second {
    /// Wall time as HTTP writes it.
    pub date: String,
    /// A correlation id for reads of copies: they lead nowhere, so one id for all of them tells as much.
    pub readers: String,
}

/// The present second; the runtime is asked for its words once.
pub fn second() -> Rc<Second> {
    let number = now().0.div_euclid(1_000);
    SECOND.with_borrow_mut(|known| match known {
        Some((of, second)) if *of == number => second.clone(),
        _ => known.insert((number, Rc::new(Second::begin()))).1.clone(),
    })
}

impl Second {
    fn begin() -> Self {
        Self { date: js_sys::Date::new_0().to_utc_string().into(), readers: random_id() }
    }
}

/// An id that nobody has had before.
pub fn random_id() -> String {
    URL_SAFE_NO_PAD.encode(random16())
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
