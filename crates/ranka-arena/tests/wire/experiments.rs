//! Experiments and their reports say whose figures ours are compared with.

use crate::client::Server;
use ranka_arena::ServerLimits;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn pages_and_reports_call_reference_figures_by_their_origin() {
    let server = Server::start(ServerLimits::default()).await;
    let (_, page) = server.get("/experiments/kalah/table-1-n3m3").await;
    assert!(page.contains("Compared with: independent solver, independent trial"), "{page}");
    assert!(!page.contains("published"));
    let (_, page) = server.get("/experiments/geister-2021/table-2").await;
    assert!(page.contains("Compared with: paper<"), "{page}");
    let (_, page) = server.get("/experiments/labyrinth-2024/presets").await;
    assert!(page.contains("Compared with: independent trial<"), "{page}");
    let (_, page) = server.get("/experiments/labyrinth-2024/budget").await;
    assert!(!page.contains("Compared with"), "it compares with nobody");
    let head = format!(
        "GET /experiments/kalah/table-1-n3m3 HTTP/1.1\r\nHost: {}\r\nAccept-Language: ja",
        server.host
    );
    let (_, _, page) = server.request(&head, "").await;
    assert!(page.contains("独立したソルバー, 独立した試行"), "{page}");
    assert!(page.contains("論文の数値は失われており"), "its note: {page}");

    let form = [("experiment", "kalah/table-1-n3m3"), ("size", "quick")];
    assert_eq!(server.post("/experiments", &form).await.0, 303);
    let mut report = String::new();
    for _ in 0..600 {
        let (status, page) = server.get("/report/kalah/table-1-n3m3").await;
        if status == 200 {
            report = page;
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    for cell in ["<th>origin</th>", "<td>independent solver</td>", "<td>independent trial</td>"] {
        assert!(report.contains(cell), "{cell} in {report}");
    }
    assert!(!report.contains("published") && !report.contains("<th class=\"n\">paper</th>"));

    let head =
        format!("GET /report/kalah/table-1-n3m3 HTTP/1.1\r\nHost: {}\r\nAccept-Language: ja", server.host);
    let (_, _, report) = server.request(&head, "").await;
    for part in
        ["<html lang=\"ja\"", "<th>出典</th>", "<td>独立したソルバー</td>", "論文の数値は失われており"]
    {
        assert!(report.contains(part), "{part} in {report}");
    }
}
