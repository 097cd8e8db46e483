/// Copies a text and says on the button how it went. A page that did not come by HTTPS, as in a class room, has no clipboard
/// of its own and uses what browsers had before.
export async function copy(text, button, { done, failed }) {
  const written = navigator.clipboard?.writeText(text).then(() => true).catch(() => false);
  button.textContent = (await written) || chosen(text, button) ? done : failed;
}

function chosen(text, button) {
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.className = "unseen";
  button.after(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  button.focus();
  return copied;
}
