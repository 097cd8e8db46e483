use super::*;
use std::io::Write;
use std::net::TcpListener;

/// All that comes of bytes arriving in the given pieces.
fn cut(ending: Ending, longest: usize, pieces: &[&[u8]]) -> Vec<Result<String, Trouble>> {
    let mut lines = LineBuffer::new(ending, longest);
    let mut out = Vec::new();
    for piece in pieces {
        lines.push(piece);
        out.extend(std::iter::from_fn(|| lines.line()));
        assert!(lines.bytes.len() <= longest + 1, "{pieces:?}: {} bytes are kept", lines.bytes.len());
    }
    out
}

fn good(lines: &[&str]) -> Vec<Result<String, Trouble>> {
    lines.iter().map(|line| Ok((*line).to_owned())).collect()
}

#[test]
fn lines_end_as_the_protocol_says() {
    assert_eq!(cut(Ending::Lf, 9, &[b"a\nb\r\n\n\r\nc\rd\n"]), good(&["a", "b", "", "", "c\rd"]));
    assert_eq!(cut(Ending::CrLf, 9, &[b"a\nb\r\n\r\nc\rd\r\n"]), good(&["a\nb", "", "c\rd"]));
    assert_eq!(cut(Ending::CrLf, 9, &[b"MOV:A,N\n"]), good(&[]));
}

#[test]
fn it_does_not_matter_in_which_pieces_they_arrive() {
    let text: &[u8] = b"ab\r\n\xff\r\nabcdefghijklmnop\r\nc\n\r\r\nabcd\r\nabcde\r\nend\n";
    for ending in [Ending::Lf, Ending::CrLf] {
        let whole = cut(ending, 4, &[text]);
        for size in 1..text.len() {
            assert_eq!(cut(ending, 4, &text.chunks(size).collect::<Vec<_>>()), whole, "pieces of {size}");
        }
    }
    assert_eq!(
        cut(Ending::CrLf, 4, &[text]),
        [
            Ok("ab".to_owned()),
            Err(Trouble::NotText),
            Err(Trouble::TooLong),
            Ok("c\n\r".to_owned()),
            Ok("abcd".to_owned()),
            Err(Trouble::TooLong),
        ]
    );
}

fn pair() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let ours = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    (ours, listener.accept().unwrap().0)
}

#[test]
fn every_trouble_has_its_name() {
    let stop = AtomicBool::new(false);
    let (ours, mut theirs) = pair();
    let mut reader =
        LineReader::new(ours, LineBuffer::new(Ending::CrLf, 8), &stop).at_most(TokenBucket::new(0, 4));
    let soon = || Some(Instant::now() + Duration::from_millis(30));
    assert_eq!(reader.line(soon()), Err(Trouble::Late));
    theirs.write_all(b"hal").unwrap();
    assert_eq!(reader.line(soon()), Err(Trouble::Late));
    theirs.write_all(b"lo\r\n\xfe\r\n0123456789\r\nx\r\ny\r\n").unwrap();
    assert_eq!(reader.line(None), Ok("hallo".to_owned()), "what came before the deadline is not lost");
    assert_eq!(reader.line(None), Err(Trouble::NotText));
    assert_eq!(reader.line(None), Err(Trouble::TooLong));
    assert_eq!(reader.line(None), Ok("x".to_owned()));
    assert_eq!(reader.line(None), Err(Trouble::TooFast));
    stop.store(true, Ordering::Relaxed);
    assert_eq!(reader.line(None), Err(Trouble::Stopped));
    stop.store(false, Ordering::Relaxed);
    drop(theirs);
    assert!(matches!(reader.line(None), Err(Trouble::Gone(_))));
}
