// A file of records, chosen or dropped, is read here and pasted as a whole.
const form = document.getElementById("paste");
const choice = form?.querySelector("input[type=file]");

async function take(file) {
  const long = document.getElementById("too-long");
  // Forms write a quote as three characters, and records have many.
  const text = file.size > Number(form.dataset.most) ? null : await file.text();
  long.hidden = text !== null && encodeURIComponent(text).length <= Number(form.dataset.most);
  if (!long.hidden) return;
  form.querySelector("textarea").value = text;
  form.requestSubmit();
}

if (choice) {
  document.getElementById("from-file").hidden = false;
  choice.addEventListener("change", () => choice.files[0] && take(choice.files[0]));
  form.addEventListener("dragover", (event) => event.preventDefault());
  form.addEventListener("drop", (event) => {
    const file = event.dataTransfer.files[0];
    if (!file) return;
    event.preventDefault();
    take(file);
  });
}
