//! Where messages may go: to public addresses only, or an organiser could have our functions knock at doors inside.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

/// Networks of IPv4 that are not public: this host, private, shared, loopback, link-local (where clouds keep their metadata),
/// protocols, documentation, relays, benchmarks, multicast and reserved.
const NOT_PUBLIC: [(Ipv4Addr, u8); 15] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];
/// What of IPv6 is global unicast.
const GLOBAL: (Ipv6Addr, u8) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);
/// Networks of that which are not public: protocols and Teredo, documentation, 6to4 (which hides an IPv4 address).
const NOT_GLOBAL: [(Ipv6Addr, u8); 4] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Whether an address belongs to the public internet. Of an IPv4 address in the clothes of an IPv6 one, the IPv4 address counts.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => !NOT_PUBLIC.iter().any(|net| in_v4(*net, v4)),
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => is_public(IpAddr::V4(v4)),
            None => in_v6(GLOBAL, v6) && !NOT_GLOBAL.iter().any(|net| in_v6(*net, v6)),
        },
    }
}

fn in_v4((net, bits): (Ipv4Addr, u8), address: Ipv4Addr) -> bool {
    Ipv4Net::new(net, bits).is_ok_and(|net| net.contains(&address))
}

fn in_v6((net, bits): (Ipv6Addr, u8), address: Ipv6Addr) -> bool {
    Ipv6Net::new(net, bits).is_ok_and(|net| net.contains(&address))
}

/// Where an address leads: a name that is looked up, or an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// A name.
    Name(String),
    /// An address.
    Address(IpAddr),
}

/// An address that messages are sent to, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Whether it is https.
    pub is_secure: bool,
    /// Its host.
    pub host: Host,
}

/// Why messages are not sent to an address, in order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTarget {
    /// Not an address of the web.
    #[error("not an address like https://example.org/path, without a name and password in it")]
    Shape,
    /// Anybody on the way could read it.
    #[error("only https")]
    Insecure,
    /// Not on the public internet.
    #[error("not a public address")]
    Private,
}

impl Target {
    /// Reads an address.
    ///
    /// # Errors
    /// [`BadTarget::Shape`].
    pub fn parse(text: &str) -> Result<Self, BadTarget> {
        let (scheme, rest) = text.split_once("://").ok_or(BadTarget::Shape)?;
        let is_secure = match scheme {
            "https" => true,
            "http" => false,
            _ => return Err(BadTarget::Shape),
        };
        let is_plain = text.len() <= 200 && text.bytes().all(|b| b.is_ascii_graphic() && !b"\\@\"<>#".contains(&b));
        let authority = rest.split(['/', '?']).next().filter(|_| is_plain).ok_or(BadTarget::Shape)?;
        Ok(Self { is_secure, host: host(authority).ok_or(BadTarget::Shape)? })
    }

    /// Whether messages may be sent there, as far as the address itself tells. Names are looked up when something is sent.
    ///
    /// # Errors
    /// [`BadTarget::Insecure`], [`BadTarget::Private`].
    pub fn check(&self) -> Result<(), BadTarget> {
        if !self.is_secure {
            return Err(BadTarget::Insecure);
        }
        let is_public = match &self.host {
            Host::Address(address) => is_public(*address),
            Host::Name(name) => !is_local(name),
        };
        if is_public { Ok(()) } else { Err(BadTarget::Private) }
    }

    /// Whether it is this very machine, as it is where everything runs on one.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        match &self.host {
            Host::Address(address) => address.is_loopback(),
            Host::Name(name) => name == "localhost",
        }
    }
}

/// Names that no public server answers to.
fn is_local(name: &str) -> bool {
    let endings = [".localhost", ".local", ".internal", ".home.arpa"];
    !name.contains('.') || endings.iter().any(|ending| name.ends_with(ending))
}

fn host(authority: &str) -> Option<Host> {
    if let Some(rest) = authority.strip_prefix('[') {
        let (address, port) = rest.split_once(']')?;
        let is_port = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
        return is_port.then(|| address.parse().ok().map(|v6| Host::Address(IpAddr::V6(v6))))?;
    }
    let (name, port) = authority.split_once(':').map_or((authority, None), |(name, port)| (name, Some(port)));
    if port.is_some_and(|port| !is_port(port)) {
        return None;
    }
    match name.parse::<Ipv4Addr>() {
        Ok(v4) => Some(Host::Address(IpAddr::V4(v4))),
        Err(_) => is_name(name).then(|| Host::Name(name.to_ascii_lowercase())),
    }
}

fn is_port(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit()) && text.parse::<u16>().is_ok_and(|port| port > 0)
}

/// Labels of letters, digits and hyphens, the last of which does not begin with a digit: browsers and clients read `2130706433` and
/// `0x7f.1` as addresses of IPv4.
fn is_name(name: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty() && label.len() <= 63 && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    let last = name.rsplit('.').next().unwrap_or_default();
    name.split('.').all(is_label) && !last.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_public() {
        let private = "127.0.0.1 127.255.255.255 0.0.0.0 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 \
            192.0.2.1 198.18.0.1 224.0.0.1 255.255.255.255 ::1 :: fe80::1 fc00::1 fdff::1 ff02::1 ::ffff:10.0.0.1 ::ffff:127.0.0.1 \
            64:ff9b::a00:1 2002:7f00:1:: 2001:0:1:: 2001:db8::1 fd00:ec2::254 ::127.0.0.1";
        for text in private.split_whitespace() {
            assert!(!is_public(text.parse().expect("an address")), "{text}");
        }
        for text in "1.1.1.1 8.8.8.8 172.15.0.1 172.32.0.1 100.128.0.1 2606:4700:4700::1111 2a00:1450::1 ::ffff:8.8.8.8"
            .split(' ')
        {
            assert!(is_public(text.parse().expect("an address")), "{text}");
        }
    }

    #[test]
    fn targets_are_checked_before_anything_is_sent() {
        let check = |text: &str| Target::parse(text).and_then(|target| target.check());
        for good in [
            "https://example.org",
            "https://hooks.example.org:8443/a/b?c=d",
            "https://8.8.8.8/",
            "https://[2a00:1450::1]:443/x",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        let shapes = [
            "",
            "example.org",
            "ftp://example.org",
            "https://",
            "https://user@example.org",
            "https://a b.org",
            "https://example.org/#x",
            "https://example.org\\@evil.org",
            "https://2130706433/",
            "https://0x7f.1/",
            "https://127.1/",
            "https://exa_mple.org",
            "https://[::1",
            "https://[127.0.0.1]/",
            "https://example.org:0/",
            "https://example.org:x/",
            "https://.org",
            "https://example..org",
            "https://[::1]x",
        ];
        for bad in shapes {
            assert_eq!(check(bad), Err(BadTarget::Shape), "{bad}");
        }
        assert_eq!(check("http://example.org"), Err(BadTarget::Insecure));
        let private = [
            "https://127.0.0.1/",
            "https://169.254.169.254/latest",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://localhost/",
            "https://db.internal/",
            "https://printer.local/",
            "https://intranet/",
        ];
        for bad in private {
            assert_eq!(check(bad), Err(BadTarget::Private), "{bad}");
        }
        let local = |text: &str| Target::parse(text).expect("an address").is_loopback();
        assert_eq!(
            [local("http://127.0.0.1:9/"), local("http://localhost/"), local("https://10.0.0.1/")],
            [true, true, false]
        );
    }
}
