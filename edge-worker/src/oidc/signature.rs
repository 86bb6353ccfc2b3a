//! Checking a signature with the runtime's WebCrypto.

use domain::oidc::{Alg, SignedToken};
use js_sys::{JSON, Promise, Uint8Array};
use serde_json::{Value, json};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use wasm_bindgen_futures::JsFuture;

use crate::problem::Problem;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = ["crypto", "subtle"], js_name = importKey)]
    fn import_key(
        format: &str,
        key: &JsValue,
        algorithm: &JsValue,
        extractable: bool,
        uses: &JsValue,
    ) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["crypto", "subtle"], js_name = verify)]
    fn verify(
        algorithm: &JsValue,
        key: &JsValue,
        signature: &Uint8Array,
        signed: &Uint8Array,
    ) -> Result<Promise, JsValue>;
}

/// Whether `key` (a JWK) made the token's signature. A key that cannot be read made none.
pub async fn fits(token: &SignedToken<'_>, key: &Value) -> Result<bool, Problem> {
    let algorithm = object(&match token.alg {
        Alg::Rs256 => json!({ "name": "RSASSA-PKCS1-v1_5", "hash": "SHA-256" }),
        Alg::Es256 => json!({ "name": "ECDSA", "namedCurve": "P-256", "hash": "SHA-256" }),
    })?;
    let imported = settled(import_key("jwk", &object(key)?, &algorithm, false, &object(&json!(["verify"]))?)).await;
    let Some(key) = imported else { return Ok(false) };
    let (signature, signed) = (Uint8Array::from(token.signature.as_slice()), Uint8Array::from(token.signed));
    Ok(settled(verify(&algorithm, &key, &signature, &signed)).await.is_some_and(|fits| fits.is_truthy()))
}

async fn settled(promise: Result<Promise, JsValue>) -> Option<JsValue> {
    JsFuture::from(promise.ok()?).await.ok()
}

fn object(value: &Value) -> Result<JsValue, Problem> {
    let trouble = |_| Problem::from(worker::Error::RustError("JSON that cannot be read".into()));
    JSON::parse(&value.to_string()).map_err(trouble)
}
