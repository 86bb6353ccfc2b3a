//! Big-endian writing and reading of fixed layouts; the reader refuses instead of panicking.

/// Appends fixed-size values.
#[derive(Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    pub fn u8(&mut self, value: u8) -> &mut Self {
        self.bytes(&[value])
    }
    pub fn u16(&mut self, value: u16) -> &mut Self {
        self.bytes(&value.to_be_bytes())
    }
    pub fn u32(&mut self, value: u32) -> &mut Self {
        self.bytes(&value.to_be_bytes())
    }
    pub fn u64(&mut self, value: u64) -> &mut Self {
        self.bytes(&value.to_be_bytes())
    }
    pub fn i64(&mut self, value: i64) -> &mut Self {
        self.bytes(&value.to_be_bytes())
    }
    pub fn bytes(&mut self, value: &[u8]) -> &mut Self {
        self.0.extend_from_slice(value);
        self
    }
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.0
    }
    pub fn as_slice(&self) -> &[u8] {
        &self.0
    }
}

/// Takes fixed-size values off the front.
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }
    pub fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, tail) = self.0.split_first_chunk::<N>()?;
        self.0 = tail;
        Some(*head)
    }
    pub fn u8(&mut self) -> Option<u8> {
        self.bytes::<1>().map(|[b]| b)
    }
    pub fn u16(&mut self) -> Option<u16> {
        self.bytes().map(u16::from_be_bytes)
    }
    pub fn u32(&mut self) -> Option<u32> {
        self.bytes().map(u32::from_be_bytes)
    }
    pub fn u64(&mut self) -> Option<u64> {
        self.bytes().map(u64::from_be_bytes)
    }
    pub fn i64(&mut self) -> Option<i64> {
        self.bytes().map(i64::from_be_bytes)
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
