//! How reports look: paper and ink, in both themes and in print.

/// The style sheet.
pub(super) const STYLE: &str = r#"
:root {
  --paper: #faf7f0; --ink: #22201c; --quiet: #6f6a5e; --line: #d9d2c2; --seal: #c8432b;
  --good: #2f7d5b; --bad: #a33b2e; --focus: #2b6cb0;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root:not([data-theme="light"]) { --paper: #14171c; --ink: #e9e4d8; --quiet: #9c978a; --line: #333842; --seal: #e8694f;
    --good: #67b893; --bad: #e0857a; --focus: #7db2f0; }
}
:root[data-theme="dark"] { --paper: #14171c; --ink: #e9e4d8; --quiet: #9c978a; --line: #333842; --seal: #e8694f;
  --good: #67b893; --bad: #e0857a; --focus: #7db2f0; color-scheme: dark; }
@media print { :root { --paper: #fff; --ink: #000; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.55 system-ui, "Hiragino Sans", "Noto Sans JP", "Yu Gothic UI", sans-serif; }
main { max-width: 1100px; margin: 0 auto; padding: 24px 20px 80px; }
header { border-bottom: 1px solid var(--line); padding: 10px 20px; display: flex; gap: 20px; align-items: baseline; }
header .name { font-family: "Hiragino Mincho ProN", "Noto Serif JP", Georgia, serif; font-size: 18px; color: inherit; text-decoration: none; }
h1 { font-size: 30px; line-height: 1.25; margin: 24px 0 4px; max-width: 30em; }
h2 { font-size: 24px; line-height: 1.3; margin: 56px 0 4px; max-width: 32em; }
h3 { font-size: 18px; margin: 32px 0 8px; }
p { max-width: 70ch; }
.quiet, .small { color: var(--quiet); }
.small { font-size: 13px; }
a { color: inherit; text-decoration-color: var(--quiet); text-underline-offset: 3px; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 12px 0; min-width: 60%; }
th, td { text-align: left; padding: 5px 14px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; color: var(--quiet); font-size: 13px; }
td.n, th.n { text-align: right; white-space: nowrap; }
/* Japanese may be broken anywhere: in a narrow window a table is scrolled, and does not stack its letters. */
:lang(ja) :is(td, th) { word-break: keep-all; }
.agrees { color: var(--good); } .differs { color: var(--bad); font-weight: 600; } .too-few { color: var(--quiet); }
.agrees::before { content: "✓ "; } .differs::before { content: "≠ "; } .too-few::before { content: "… "; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 480px), 1fr)); gap: 24px; margin: 16px 0; }
figure { margin: 0; max-width: 640px; } figure svg { width: 100%; height: auto; display: block; }
details { margin: 12px 0; } summary { cursor: pointer; color: var(--quiet); }
pre { background: color-mix(in srgb, var(--line) 35%, transparent); padding: 12px 14px; border-radius: 8px; overflow-x: auto; font-size: 13px; line-height: 1.45; }
code { font-size: 13px; }
"#;
