"use strict";
// It is read before the page is drawn, so that no page flashes in the other theme.
const root = document.documentElement, top_ = document.currentScript.dataset.top;
const kept = { // a browser may refuse to keep anything for a file
  get theme() { try { return localStorage.getItem("pawl-theme"); } catch { return null; } },
  set theme(value) { try { localStorage.setItem("pawl-theme", value); } catch { } },
};
root.classList.add("js");
if (kept.theme) root.dataset.theme = kept.theme;

// search gives the sections that have every word, those with words in their headings first.
function search(words) {
  const found = [];
  for (const [title, address, heading, text] of index) {
    const head = (title + " " + heading).toLowerCase(), all = head + " " + text.toLowerCase();
    if (!words.every(word => all.includes(word))) continue;
    found.push({ title, address, heading, text, weight: words.filter(word => head.includes(word)).length + (heading === title ? .5 : 0) });
  }
  return found.sort((a, b) => b.weight - a.weight).slice(0, 20);
}

// marked is a text as nodes, with the words marked.
function marked(text, words) {
  const escaped = words.map(word => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return text.split(new RegExp("(" + escaped.join("|") + ")", "i")).map((part, i) => {
    if (i % 2 === 0) return part;
    const mark = document.createElement("mark");
    mark.textContent = part;
    return mark;
  });
}

function extract(text, words) {
  const at = Math.max(0, ...words.map(word => text.toLowerCase().indexOf(word))), from = at < 60 ? 0 : text.lastIndexOf(" ", at - 40) + 1;
  return (from ? "… " : "") + text.slice(from, from + 150) + (text.length > from + 150 ? " …" : "");
}

document.addEventListener("DOMContentLoaded", () => {
  const find = document.getElementById("find"), list = document.getElementById("found"), count = document.getElementById("count");
  const menu = document.getElementById("menu"), theme = document.getElementById("theme"), pages = document.getElementById("pages");

  const dark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const name = () => theme.textContent = dark() ? "Light" : "Dark";
  theme.addEventListener("click", () => { kept.theme = root.dataset.theme = dark() ? "light" : "dark"; name(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
  name();

  menu.addEventListener("click", () => menu.setAttribute("aria-expanded", pages.classList.toggle("open")));
  pages.addEventListener("click", e => { if (e.target.closest("a")) { pages.classList.remove("open"); menu.setAttribute("aria-expanded", false); } });
  pages.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });

  find.addEventListener("input", () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean), found = words.length ? search(words) : [];
    count.textContent = words.length ? (found.length === 20 ? "20 or more" : found.length) + " found" : "";
    list.replaceChildren(...found.map(one => {
      const item = document.createElement("li"), link = document.createElement("a"), text = document.createElement("small");
      link.href = top_ + one.address;
      link.append(...marked(one.heading === one.title ? one.title : one.title + " · " + one.heading, words), text);
      text.append(...marked(extract(one.text, words), words));
      item.append(link);
      return item;
    }));
    if (words.length && !found.length) list.append(Object.assign(document.createElement("li"), { textContent: "Nothing found." }));
  });
  const close = () => { find.value = ""; list.replaceChildren(); count.textContent = ""; };
  list.addEventListener("click", e => { if (e.target.closest("a")) close(); });
  document.addEventListener("click", e => { if (!e.target.closest("search")) list.replaceChildren(); });
  document.addEventListener("keydown", e => {
    const links = [...list.querySelectorAll("a")], at = links.indexOf(document.activeElement);
    if (e.key === "/" && document.activeElement !== find && !e.ctrlKey && !e.metaKey) { find.focus(); e.preventDefault(); }
    if (e.key === "Escape" && e.target.closest("search")) { close(); find.focus(); }
    if (e.key === "Enter" && e.target === find) links[0]?.click();
    if ((e.key === "ArrowDown" || e.key === "ArrowUp") && e.target.closest("search") && links.length) {
      const to = at + (e.key === "ArrowDown" ? 1 : -1);
      (to < 0 ? find : links[Math.min(to, links.length - 1)]).focus();
      e.preventDefault();
    }
  });
});
