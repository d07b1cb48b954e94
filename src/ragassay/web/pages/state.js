"use strict";
// How far a run is, in words: "running: scoring, 3 of 9, 27 replies, 2 failed, $0.14, 1 min left", "stopped at scoring, 3 of 9".
function stateOf(run) {
  var at = run.progress;
  if (!at) { return run.state; }
  if (at.stopped_by) { return "stopped: " + at.stopped_by; }
  var done = at.total ? at.done + " of " + at.total : at.done || "";
  var replies = at.replies ? at.replies + (at.replies === 1 ? " reply" : " replies") : "";
  var failed = at.failed ? at.failed + " failed" : "";
  var cost = at.cost_usd ? "$" + at.cost_usd.toFixed(2) : "";
  var speed = run.state === "running" ? speedOf(at) : "";
  var far = [at.stage, done, replies, failed, cost, speed].filter(Boolean).join(", ");
  return run.state + (far ? (run.state === "running" ? ": " : " at ") + far : "");
}

// Over the whole stage so far, so that what was kept of an earlier command counts, too; nothing for the first seconds.
function speedOf(at) {
  if (!at.done || at.elapsed_s < 5) { return ""; }
  var rate = at.done / at.elapsed_s;
  var shown = rate < 1 ? +(60 * rate).toPrecision(2) + " a minute" : +rate.toPrecision(2) + " a second";
  var left = at.total > at.done ? (at.total - at.done) / rate : 0;
  if (!left) { return shown; }
  return shown + ", " + (left < 60 ? Math.ceil(left) + " s" : left < 5400 ? Math.round(left / 60) + " min" : (left / 3600).toFixed(1) + " h") + " left";
}

function element(id) { return document.getElementById(id); }

function trouble(text) {
  element("trouble").hidden = !text;
  element("trouble").textContent = text;
}

// A promise of what the server says. query: what URLSearchParams takes.
function get(path, query) {
  return fetch(path + "?" + new URLSearchParams(query || "")).then(function (reply) {
    if (reply.ok) { return /json/.test(reply.headers.get("Content-Type")) ? reply.json() : reply.text(); }
    return reply.json().then(function (found) { throw new Error(found.error || "the address lacks a run"); });
  });
}

// A value with three digits, and the sign for minus.
function figure(number) { return (Math.abs(number) < 100 ? number.toFixed(Math.abs(number) < 10 ? 3 : 1) : String(Math.round(number))).replace("-", "−"); }

// A select with the options, or an input of that type, and its label.
function control(name, kind, value, act) {
  var label = makeElement("label", name + " "), made = makeElement(Array.isArray(kind) ? "select" : "input");
  if (Array.isArray(kind)) { kind.forEach(function (option) { made.add(new Option(option[1], option[0])); }); } else { made.type = kind; }
  if (kind === "checkbox") { made.checked = value; } else { made.value = value; }
  if (kind === "number") { made.step = "any"; made.className = "short"; }
  made.dataset.kept = "field " + name;
  made.addEventListener("input", function () { act(kind === "checkbox" ? made.checked : made.value); });
  label.append(made);
  return label;
}

// Filters and sorting of a table that items.js made go into the address, and come from there: a link opens the same view.
function keepInAddress(root) {
  var asked = new URLSearchParams(location.search), usual = new Map(), wanted = asked.get("sort") || "";
  function fields() { return Array.from(root.querySelectorAll("input[data-kept], select[data-kept]")).filter(function (each) { return !/^choose /.test(each.dataset.kept); }); }
  function nameOf(field) { return field.dataset.kept.replace(/^\S+ /, ""); }
  function valueOf(field) { return field.type === "checkbox" ? String(field.checked) : field.value; }

  fields().forEach(function (field) {
    usual.set(nameOf(field), valueOf(field));
    var value = asked.get(nameOf(field));
    if (value === null || value === valueOf(field)) { return; }
    if (field.type === "checkbox") { field.checked = value === "true"; } else { field.value = value; }
    ["input", "change"].forEach(function (event) { field.dispatchEvent(new Event(event)); });
  });
  for (var tries = 0; wanted && tries < 2; tries += 1) {
    root.querySelectorAll("thead button").forEach(function (head) {
      var isWanted = head.dataset.kept === "sort " + wanted.replace(/^-/, "");
      if (isWanted && head.parentNode.ariaSort !== (wanted[0] === "-" ? "descending" : "ascending")) { head.click(); }
    });
  }

  function keep() {
    var kept = new URLSearchParams(location.search), sorted = root.querySelector("th[aria-sort$=ending]");
    kept.delete("sort");
    if (sorted) { kept.set("sort", (sorted.ariaSort === "descending" ? "-" : "") + sorted.firstChild.dataset.kept.replace("sort ", "")); }
    fields().forEach(function (field) {
      if (valueOf(field) === usual.get(nameOf(field))) { kept.delete(nameOf(field)); } else { kept.set(nameOf(field), valueOf(field)); }
    });
    history.replaceState(null, "", "?" + kept);
  }
  ["input", "change", "click"].forEach(function (event) { root.addEventListener(event, keep); });
}
