//! BLS signatures over round numbers: keys in G2, signatures in G1.

use bls12_381::hash_to_curve::{ExpandMsgXmd, HashToCurve};
use bls12_381::{G1Affine, G1Projective, G2Affine, Scalar, pairing};
use sha2_for_bls::{Digest, Sha256};

/// Domain separation of drand's scheme.
const DOMAIN: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

/// The point that is signed for a round.
fn message(round: u64) -> G1Projective {
    let digest = Sha256::digest(round.to_be_bytes());
    <G1Projective as HashToCurve<ExpandMsgXmd<Sha256>>>::hash_to_curve([digest.as_slice()], DOMAIN)
}

/// A point of the right subgroup that is not the identity.
fn key(bytes: &[u8; 96]) -> Option<G2Affine> {
    Option::<G2Affine>::from(G2Affine::from_compressed(bytes)).filter(|key| !bool::from(key.is_identity()))
}

/// Whether these bytes are a public key.
pub(super) fn is_key(bytes: &[u8; 96]) -> bool {
    key(bytes).is_some()
}

/// e(signature, g2) = e(message, key).
pub(super) fn verify(public_key: &[u8; 96], round: u64, signature: &[u8; 48]) -> bool {
    let signature = Option::<G1Affine>::from(G1Affine::from_compressed(signature));
    let (Some(signature), Some(key)) = (signature, key(public_key)) else { return false };
    pairing(&signature, &G2Affine::generator()) == pairing(&message(round).into(), &key)
}

/// Signs a round with a secret key (64 uniformly random bytes, reduced). For stand-ins of a beacon: not in constant time.
pub fn sign(secret: &[u8; 64], round: u64) -> [u8; 48] {
    G1Affine::from(message(round) * Scalar::from_bytes_wide(secret)).to_compressed()
}

/// The public half of such a secret key.
pub fn public_key(secret: &[u8; 64]) -> [u8; 96] {
    G2Affine::from(G2Affine::generator() * Scalar::from_bytes_wide(secret)).to_compressed()
}
