"use strict";
(() => {
  const $ = id => document.getElementById(id);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  for (const tools of all(".tools")) tools.hidden = false;

  // A place inside what is folded is unfolded before it is shown.
  const reveal = element => {
    for (let at = element; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  };
  const goTo = () => {
    const place = $(location.hash.slice(1));
    if (!place) return;
    reveal(place);
    place.scrollIntoView({ block: "start" });
  };
  addEventListener("hashchange", goTo);
  document.addEventListener("click", event => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.getAttribute("href") === location.hash) goTo();
  });
  goTo();

  // What is folded is printed as well, and folded again afterwards.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all("details.session:not([open]), .session details:not([open])");
    for (const one of folded) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of folded) one.open = false; });

  const picture = $("picture"), pane = $("pane"), hint = $("hint");
  if (picture) {
    let scale = 1;
    const zoom = (to, at = pane.clientWidth / 2) => {
      const middle = (pane.scrollLeft + at) / (pane.clientWidth * scale);
      scale = Math.min(200, Math.max(1, to));
      picture.style.width = 100 * scale + "%";
      pane.scrollLeft = middle * pane.clientWidth * scale - at;
    };
    $("closer").onclick = () => zoom(scale * 1.6);
    $("wider").onclick = () => zoom(scale / 1.6);
    $("whole").onclick = () => zoom(1);
    pane.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(scale * Math.exp(-event.deltaY / 300), event.clientX - pane.getBoundingClientRect().left);
    }, { passive: false });

    let held = null, moved = false;
    pane.addEventListener("pointerdown", event => {
      moved = false;
      if (event.button === 0 && event.pointerType === "mouse") held = { x: event.clientX, left: pane.scrollLeft };
    });
    addEventListener("pointermove", event => {
      if (!held) return;
      if (Math.abs(event.clientX - held.x) > 4) { moved = true; pane.classList.add("held"); }
      if (moved) pane.scrollLeft = held.left - (event.clientX - held.x);
    });
    addEventListener("pointerup", () => { held = null; pane.classList.remove("held"); });
    pane.addEventListener("click", event => { if (moved) event.preventDefault(); }, true);
    pane.addEventListener("dragstart", event => event.preventDefault());

    // One stop of the tab key for the whole picture; in it, arrows go from mark to
    // mark along a lane, and from lane to lane.
    const lanes = all(".lane", picture).map(lane => {
      const left = a => (a.querySelector("rect, svg") || a).getBoundingClientRect().left;
      return all("a", lane).map(a => [left(a), a]).sort((x, y) => x[0] - y[0]).map(pair => pair[1]);
    }).filter(lane => lane.length > 0);
    const marks = lanes.flat();
    for (const mark of marks) mark.setAttribute("tabindex", "-1");
    for (const name of all(".names a")) name.setAttribute("tabindex", "-1"); // the bar beside it leads there too
    if (marks.length > 0) marks[0].setAttribute("tabindex", "0");
    const say = event => {
      const mark = event.target.closest("a");
      hint.textContent = mark ? mark.querySelector("title").textContent : "";
    };
    // On the pane: a picture that listens for keys would be a stop of the tab key.
    pane.addEventListener("pointerover", say);
    pane.addEventListener("focusin", say);
    pane.addEventListener("keydown", event => {
      const mark = event.target.closest("a");
      const y = lanes.findIndex(lane => lane.includes(mark));
      if (y < 0) return;
      const x = lanes[y].indexOf(mark);
      let next;
      switch (event.key) {
        case "ArrowRight": next = lanes[y][x + 1]; break;
        case "ArrowLeft": next = lanes[y][x - 1]; break;
        case "Home": next = lanes[y][0]; break;
        case "End": next = lanes[y][lanes[y].length - 1]; break;
        case "ArrowDown": next = lanes[y + 1]?.[0]; break;
        case "ArrowUp": next = lanes[y - 1]?.[0]; break;
        case "+": zoom(scale * 1.6); break;
        case "-": zoom(scale / 1.6); break;
        case "0": zoom(1); break;
        default: return;
      }
      event.preventDefault();
      if (!next) return;
      mark.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    });
  }

  if (!$("find")) return; // in brief there are no transcripts

  $("open").onclick = () => { for (const one of all(".session, .session details")) one.open = true; };
  $("shut").onclick = () => { for (const one of all(".session, .session details")) one.open = false; };

  // The search looks at whole pieces of a transcript, marks those that have the
  // words, and walks through them with Enter.
  const find = $("find"), found = $("found");
  let hits = [], at = -1;
  const search = () => {
    for (const hit of hits) hit.classList.remove("hit");
    const words = find.value.trim().toLowerCase();
    hits = [];
    at = -1;
    if (words.length > 1) {
      hits = all(".prose, .plain, .session pre, .call > summary, .session > summary").filter(one => one.textContent.toLowerCase().includes(words));
    }
    for (const hit of hits) hit.classList.add("hit");
    found.textContent = words.length > 1 ? (hits.length === 1 ? "1 place" : hits.length + " places") : "";
  };
  const next = by => {
    if (hits.length === 0) return;
    at = (at + by + hits.length) % hits.length;
    reveal(hits[at]);
    hits[at].scrollIntoView({ block: "center" });
    found.textContent = (at + 1) + " of " + hits.length;
  };
  let soon;
  find.addEventListener("input", () => { clearTimeout(soon); soon = setTimeout(search, 150); });
  find.addEventListener("keydown", event => {
    if (event.key === "Enter") {
      event.preventDefault();
      if (at < 0) { clearTimeout(soon); search(); }
      next(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") { find.value = ""; search(); }
  });
})();
