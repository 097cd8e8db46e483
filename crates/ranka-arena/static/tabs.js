// Tabs: one is open, the arrow keys go from one to the next.
export function tabs(list) {
  const all = [...list.querySelectorAll("[role=tab]")];
  const open = (tab) => {
    for (const other of all) {
      other.setAttribute("aria-selected", String(other === tab));
      other.tabIndex = other === tab ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls")).hidden = other !== tab;
    }
  };
  list.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) open(tab);
  });
  list.addEventListener("keydown", (event) => {
    const at = all.indexOf(event.target);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: all.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const tab = all[(to + all.length) % all.length];
    open(tab);
    tab.focus();
  });
}
