// What is wrong in a file is shown where it is.
const source = document.getElementById("source");
const line = Number(source?.dataset.line);
if (line > 0) {
  const lines = source.value.split("\n");
  const from = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  source.focus();
  source.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
  const height = parseFloat(getComputedStyle(source).lineHeight) || 20;
  source.scrollTop = Math.max(0, (line - 6) * height);
}
