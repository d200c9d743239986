// How often heed suggested something and what became of it, as plots; every plot's numbers are its table too.

import { get } from "./api.js";
import { el, fill, fold, svg, t, times } from "./dom.js";

const ENDINGS = ["accepted", "declined", "no_answer"];
const HEIGHT = 150, BASE = 20, TOP = 12, LABEL = 75;
const NARROW = matchMedia("(max-width: 34rem)");

export async function statistics(place) {
  const found = await get("statistics");
  if (!found.weeks.length) return fill(place, el("p.empty", {}, t("timeline_empty")));
  fill(place,
    el("p.lead", {}, t("statistics_more")),
    el("ul.figures", {}, ["offered", ...ENDINGS, "silent"].map((name) => figure(name, found.total))),
    plot(t("by_week"), found.weeks.map((week) => ({ name: times.short(week.begins), counts: week.counts }))),
    subjects(found.subjects),
    plot(t("by_hour"), found.hours.map((counts, hour) => ({ name: `${hour}:00`, counts }))));
}

const offered = (counts) => ENDINGS.reduce((sum, ending) => sum + counts[ending], 0);
const number = (name, counts) => name === "offered" ? offered(counts) : counts[name];

const figure = (name, counts) => el("li", { "data-ending": name },
  el("strong", {}, String(number(name, counts))), el("span.note", {}, t(`stat_${name}`)));

/** Bars over time: what was suggested, stacked by what became of it. As many have their names as fit. */
function plot(title, bars) {
  const wide = NARROW.matches ? 330 : 640;
  const most = Math.max(1, ...bars.map((bar) => offered(bar.counts)));
  const step = wide / bars.length, width = Math.min(step * .62, 44);
  const scale = (HEIGHT - BASE - TOP) / most;
  const every = Math.ceil(bars.length * LABEL / wide);
  const drawing = svg("svg", { viewBox: `0 0 ${wide} ${HEIGHT}`, "aria-hidden": "true", class: "plot" },
    svg("line.axis", { x1: 0, x2: wide, y1: HEIGHT - BASE, y2: HEIGHT - BASE }),
    bars.map((bar, index) => stacked(bar, { x: index * step + (step - width) / 2, width, scale, name: index % every ? "" : bar.name })));
  return section(title, drawing, bars, t("stat_when"));
}

function stacked({ counts, name: whole }, { x, width, scale, name }) {
  let y = HEIGHT - BASE;
  const parts = ENDINGS.filter((ending) => counts[ending]).map((ending) => {
    const height = counts[ending] * scale;
    y -= height;
    return svg("rect", { x, y, width, height, "data-ending": ending, rx: 2 });
  });
  return svg("g", {}, svg("title", {}, `${whole}: ${offered(counts)}`), parts,
    offered(counts) ? svg("text", { x: x + width / 2, y: y - 3 }, String(offered(counts))) : null,
    name ? svg("text", { x: x + width / 2, y: HEIGHT - 5 }, name) : null);
}

function subjects(found) {
  if (!found.length) return null;
  const most = Math.max(...found.map((one) => offered(one.counts)));
  const bars = found.map((one) => el("li", {}, el("span", {}, one.name), el("span.note", {}, String(offered(one.counts))), strip(one.counts, most)));
  return section(t("by_subject"), el("ul.strips", { "aria-hidden": "true" }, bars), found, t("stat_what"));
}

function strip(counts, most) {
  let x = 0;
  return svg("svg", { viewBox: "0 0 100 2", preserveAspectRatio: "none", class: "strip" }, ENDINGS.map((ending) => {
    const width = 100 * counts[ending] / most;
    x += width;
    return width ? svg("rect", { x: x - width, y: 0, width, height: 2, "data-ending": ending }) : null;
  }));
}

const section = (title, drawing, rows, what) => el("section.card", { "aria-label": title },
  el("h3", {}, title), legend(), drawing, fold(t("numbers"), table(rows, what)));

const legend = () => el("ul.legend", { "aria-hidden": "true" },
  ENDINGS.map((ending) => el("li", { "data-ending": ending }, t(`stat_${ending}`))));

const table = (rows, what) => el("div.scrolls", { tabindex: "0", role: "group", "aria-label": t("numbers") }, el("table", {},
  el("thead", {}, el("tr", {}, el("th", { scope: "col" }, what),
    [...ENDINGS, "silent"].map((ending) => el("th", { scope: "col" }, t(`stat_${ending}`))))),
  el("tbody", {}, rows.map((row) => el("tr", {}, el("th", { scope: "row" }, row.name),
    [...ENDINGS, "silent"].map((ending) => el("td", {}, String(row.counts[ending]))))))));
