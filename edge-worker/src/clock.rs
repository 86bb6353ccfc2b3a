//! The runtime's clock and randomness, handed to the rules as arguments. Nothing else in this crate asks for them.

use domain::time::WallMs;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues)]
    fn get_random_values(bytes: &js_sys::Uint8Array);
}

/// Wall time; at Cloudflare it moves only with input and output.
pub fn now() -> WallMs {
    WallMs(i64::try_from(worker::Date::now().as_millis()).unwrap_or(i64::MAX))
}

/// Wall time as HTTP writes it.
pub fn http_date() -> String {
    String::from(js_sys::Date::new_0().to_utc_string())
}

/// Sixteen bytes from the runtime's secure generator.
pub fn random16() -> [u8; 16] {
    let array = js_sys::Uint8Array::new_with_length(16);
    get_random_values(&array);
    let mut bytes = [0; 16];
    array.copy_to(&mut bytes);
    bytes
}
