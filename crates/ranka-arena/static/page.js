// Every page: language and theme lead back to where they were chosen.
for (const field of document.querySelectorAll("input[data-here]")) {
  field.value = location.pathname + location.search;
}

// Seats have the colours that they have on the board.
for (const mark of document.querySelectorAll(".seat-mark[data-colour]")) {
  mark.style.background = mark.dataset.colour;
}

// Until somebody chooses, the theme is the system's: then the other one is offered.
const theme = document.querySelector(".choices button[name=theme]");
if (document.documentElement.dataset.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches) {
  theme.value = "light";
  theme.textContent = theme.dataset.day;
}

// Going back finds a form as it was filled in.
const back = document.getElementById("go-back");
if (back && history.length > 1) {
  back.hidden = false;
  back.addEventListener("click", () => history.back());
}
