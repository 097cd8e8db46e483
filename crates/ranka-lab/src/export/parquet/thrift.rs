//! Thrift's compact protocol, in which a Parquet file describes itself: as much of it as a writer needs.

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// Appends a struct, whose fields `fill` writes.
pub(super) fn write_struct(out: &mut Vec<u8>, fill: impl FnOnce(&mut Fields<'_>)) {
    fill(&mut Fields { out, last: 0 });
    out.push(0);
}

/// The fields of a struct, to be written in the order of their ids.
pub(super) struct Fields<'a> {
    out: &'a mut Vec<u8>,
    last: u8,
}

impl Fields<'_> {
    pub(super) fn bool(&mut self, id: u8, yes: bool) {
        self.header(id, if yes { TRUE } else { FALSE });
    }

    pub(super) fn byte(&mut self, id: u8, n: u8) {
        self.header(id, BYTE);
        self.out.push(n);
    }

    pub(super) fn i32(&mut self, id: u8, n: i32) {
        self.header(id, I32);
        zigzag(self.out, n.into());
    }

    pub(super) fn i64(&mut self, id: u8, n: i64) {
        self.header(id, I64);
        zigzag(self.out, n);
    }

    pub(super) fn text(&mut self, id: u8, text: &str) {
        self.header(id, BINARY);
        write_text(self.out, text);
    }

    pub(super) fn nested(&mut self, id: u8, fill: impl FnOnce(&mut Fields<'_>)) {
        self.header(id, STRUCT);
        write_struct(self.out, fill);
    }

    pub(super) fn i32s(&mut self, id: u8, numbers: &[i32]) {
        self.list(id, I32, numbers, |out, &n| zigzag(out, n.into()));
    }

    pub(super) fn texts(&mut self, id: u8, texts: &[&str]) {
        self.list(id, BINARY, texts, |out, text| write_text(out, text));
    }

    pub(super) fn structs<T>(&mut self, id: u8, items: &[T], fill: impl Fn(&mut Fields<'_>, &T)) {
        self.list(id, STRUCT, items, |out, item| write_struct(out, |fields| fill(fields, item)));
    }

    fn list<T>(&mut self, id: u8, kind: u8, items: &[T], write: impl Fn(&mut Vec<u8>, &T)) {
        self.header(id, LIST);
        match u8::try_from(items.len()) {
            Ok(few @ ..15) => self.out.push(few << 4 | kind),
            _ => {
                self.out.push(0xf0 | kind);
                write_varint(self.out, items.len() as u64);
            }
        }
        items.iter().for_each(|item| write(self.out, item));
    }

    fn header(&mut self, id: u8, kind: u8) {
        self.out.push((id - self.last) << 4 | kind);
        self.last = id;
    }
}

/// Seven bits a byte, the lowest first.
pub(super) fn write_varint(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Signed numbers with the sign in the lowest bit, so that small ones stay short.
fn zigzag(out: &mut Vec<u8>, n: i64) {
    write_varint(out, (n << 1 ^ n >> 63) as u64);
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    write_varint(out, text.len() as u64);
    out.extend(text.as_bytes());
}
