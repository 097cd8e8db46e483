const film = JSON.parse(document.getElementById("film").textContent);
const $ = (id) => document.getElementById(id);
projector($, film.parts, (at) => ($("says").textContent = film.says[at])).load(film.frames);
