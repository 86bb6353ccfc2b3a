//! Mail addresses, as far as the door looks at them.

/// Longest address, in bytes (RFC 5321).
const LONGEST: usize = 254;

/// The address to send to, or `None` if this cannot be one. Not a full grammar: the mail that arrives is the proof.
pub fn address(text: &str) -> Option<String> {
    let text = text.trim();
    let (name, domain) = text.split_once('@')?;
    let plain = |c: char| !c.is_control() && !c.is_whitespace() && !"@<>()[],;:\\\"".contains(c);
    let labels =
        domain.split('.').all(|label| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-'));
    let good = text.len() <= LONGEST && (1..=64).contains(&name.len()) && name.chars().all(plain);
    (good && labels && domain.contains('.')).then(|| format!("{name}@{}", domain.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_other_texts() {
        assert_eq!(address(" Ada@Example.ORG ").as_deref(), Some("Ada@example.org"));
        assert!(address("a.b+c@mail.example.org").is_some());
        let long = format!("{}@example.org", "a".repeat(65));
        for bad in
            ["", "ada", "@example.org", "ada@", "ada@org", "a@b@c.d", "a b@c.d", "a\n@c.d", "a@c..d", "<a@c.d>", &long]
        {
            assert_eq!(address(bad), None, "{bad:?}");
        }
    }
}
