//! An address of this server as a code that phones read.

use super::{Answer, Failure};
use crate::visit::Visit;
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_TYPE, HOST};
use axum::response::{IntoResponse, Response};
use qrcodegen::{QrCode, QrCodeEcc};
use std::fmt::Write as _;

/// The page at this path, under the name by which the server is called now.
pub(crate) async fn show(visit: Visit, headers: HeaderMap, Path(path): Path<String>) -> Answer<Response> {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or("");
    let code = QrCode::encode_text(&format!("http://{host}/{path}"), QrCodeEcc::Medium);
    let code = code.map_err(|_| Failure::missing(visit, "There is no such page."))?;
    let (size, quiet) = (code.size(), 4);
    let mut dark = String::new();
    for (x, y) in
        (0..size).flat_map(|y| (0..size).map(move |x| (x, y))).filter(|&(x, y)| code.get_module(x, y))
    {
        let _ = write!(dark, "M{} {}h1v1h-1z", x + quiet, y + quiet);
    }
    let side = size + 2 * quiet;
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" shape-rendering=\"crispEdges\">\
         <rect width=\"{side}\" height=\"{side}\" fill=\"#fff\"/><path d=\"{dark}\" fill=\"#000\"/></svg>"
    );
    Ok(([(CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}
