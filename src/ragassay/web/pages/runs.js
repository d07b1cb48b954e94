"use strict";
(function () {
  var MOST_CHOSEN = 8, MOST_POINTS = 30, USUAL_METRICS = 3, make = makeElement;
  // sets, counts: the runs on each set from the first to the last, and how many have each metric. metrics: those with a column.
  var state = { runs: [], words: "", set: "", chosen: [], drawn: {}, sets: new Map(), counts: new Map(), metrics: null, seen: "" };
  var of = { title: "Runs", noun: "runs", size: 0, isDownFirst: true, columns: columns, matches: matches, row: rowOf,
    value: function (place, name) { return state.columns.find(function (column) { return column.name === name; }).of(state.runs[place]); } };
  var table = sortedTable(element("runs"), of), compare = make("button");

  function when(seconds) {
    var at = new Date(seconds * 1000);
    return isNaN(at) ? "–" : new Date(at - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16).replace("T", " ");
  }

  function mean(run, metric) { return run.means.has(metric) ? run.means.get(metric)[0] : null; }

  // shown: how a value is written; isOfStages: whether it sums those that were timed.
  function columns() {
    function column(name, of, more) { return Object.assign({ name: name, text: name, of: of, isNumber: Boolean(more) }, more); }
    var found = [column("✓", function (run) { return Number(state.chosen.indexOf(run.id) >= 0); }, {}), column("run", function (run) { return run.name; }),
      column("state", stateOf), column("changed", function (run) { return run.changed_at; }, { shown: when })];
    (state.metrics || []).forEach(function (metric) {
      found.push(column("metric " + metric, function (run) { return mean(run, metric); }, { metric: metric, text: metric.replace(/_/g, " "), shown: figure }));
    });
    found.push(column("examples", function (run) { return run.examples; }, {}), column("about", function (run) { return run.about; }),
      column("system or model", function (run) { return run.model; }),
      column("wall", function (run) { return run.wall_s; }, { isOfStages: true, shown: function (value) { return value.toFixed(1) + " s"; } }));
    var dollars = column("US dollars", function (run) { return run.cost_usd; }, { isOfStages: true, shown: function (value) { return value.toFixed(2); } });
    return state.columns = state.runs.some(function (run) { return run.cost_usd > 0; }) ? found.concat([dollars]) : found;
  }

  function matches(place) {
    var run = state.runs[place];
    return (!state.set || run.examples_id === state.set) && [run.name, run.command, run.state, run.about, run.model].join(" ").toLowerCase().indexOf(state.words) >= 0;
  }

  // A metric of the runs on the same set over time, this one marked; markup made of numbers alone.
  function lineOf(run, metric) {
    var points = (state.sets.get(run.examples_id) || []).filter(function (each) { return mean(each, metric) !== null; }).slice(-MOST_POINTS);
    var values = points.map(function (each) { return mean(each, metric); }), at = points.indexOf(run);
    if (values.length < 2 || at < 0) { return ""; }
    var low = Math.min.apply(null, values), high = Math.max.apply(null, values);
    function x(place) { return (3 + 54 * place / (values.length - 1)).toFixed(1); }
    function y(value) { return (high > low ? 13 - 10 * (value - low) / (high - low) : 8).toFixed(1); }
    return '<svg viewBox="0 0 60 16" class="line" aria-hidden="true"><polyline points="' + values.map(function (value, place) { return x(place) + "," + y(value); }).join(" ") +
      '"/><circle cx="' + x(at) + '" cy="' + y(values[at]) + '" r="2.5"/></svg>';
  }

  function cellOf(run, column, line) {
    var value = column.of(run), text = value === null || value === "" ? "–" : column.shown ? column.shown(value) : value;
    var cell = make("td", text, column.name === "state" ? "state-" + run.state : column.isNumber ? "num" : "clip"), found = run.means.get(column.metric);
    cell.title = column.isOfStages ? run.stages.length ? "of " + run.stages.join(", ") : "" : column.isNumber ? "" : value;
    if (found && found.every(Number.isFinite)) { cell.append(" ", make("small", found[1].toFixed(2) + "–" + found[2].toFixed(2))); }
    if (line) { cell.insertAdjacentHTML("beforeend", line); }
    return cell;
  }

  // The row of a run that did not change is the same element as before.
  function rowOf(place, shown) {
    var run = state.runs[place], lines = shown.map(function (column) { return column.metric ? lineOf(run, column.metric) : ""; });
    var told = JSON.stringify([run, shown, lines]), known = state.drawn["run " + run.id];
    if (!known || known.told !== told) { known = state.drawn["run " + run.id] = { told: told, row: newRow(run, shown, lines) }; }
    var box = known.row.querySelector("input");
    box.checked = state.chosen.indexOf(run.id) >= 0;
    box.disabled = !run.has_scores;
    box.title = run.has_scores ? "" : "has no scores to compare";
    return [known.row];
  }

  function newRow(run, shown, lines) {
    var row = make("tr"), box = make("input"), link = make("a");
    box.type = "checkbox";
    box.dataset.kept = "choose " + run.id;
    box.setAttribute("aria-label", "Compare " + run.name);
    box.addEventListener("change", function () {
      state.chosen = state.chosen.filter(function (id) { return id !== run.id; }).concat(box.checked ? [run.id] : []).slice(-MOST_CHOSEN);
      element("runs").querySelectorAll("tbody input").forEach(function (each) { each.checked = state.chosen.indexOf(each.dataset.kept.slice(7)) >= 0; });
      showCompare();
    });
    row.insertCell().append(box);
    run.name.split("/").forEach(function (part, place) { link.append.apply(link, place ? ["/", make("wbr"), part] : [part]); });
    link.href = "/run?run=" + encodeURIComponent(run.id);
    link.dataset.kept = "open " + run.id;
    link.title = run.name;
    row.insertCell().append(link, " ", make("small", run.command));
    row.append.apply(row, shown.slice(2).map(function (column, place) { return cellOf(run, column, lines[place + 2]); }));
    return row;
  }

  // The chosen runs, else the latest ones of the set that is shown.
  function showCompare() {
    var isLatest = state.set && !state.chosen.length, latest = (state.sets.get(state.set) || []).filter(function (run) { return run.has_scores; });
    var ids = isLatest ? latest.slice(-MOST_CHOSEN).map(function (run) { return run.id; }) : state.chosen;
    compare.disabled = ids.length < 2;
    compare.textContent = "Compare " + (ids.length < 2 ? "runs" : ids.length + (isLatest ? " runs on this set" : " chosen runs"));
    compare.onclick = function () { location.href = "/compare?" + new URLSearchParams(ids.map(function (id) { return ["run", id]; })); };
  }

  function fillTools() {
    var sets = Array.from(state.sets).filter(function (each) { return each[1].length > 1; }), list = make("details"), boxes = make("div");
    var names = sets.map(function (each) { return [each[0], (each[1][each[1].length - 1].about || "a set").slice(-40) + ", " + each[1].length + " runs"]; });
    boxes.append.apply(boxes, Array.from(state.counts.keys()).map(function (metric) {
      return control(metric, "checkbox", state.metrics.indexOf(metric) >= 0, function (isShown) {
        state.metrics = state.metrics.filter(function (each) { return each !== metric; }).concat(isShown ? [metric] : []);
        table.refresh();
      });
    }));
    list.append(make("summary", "Metrics"), boxes);
    table.tools.replaceChildren(control("Words", "search", state.words, function (words) { state.words = words.toLowerCase(); table.refresh(); }),
      control("Set", [["", "all"]].concat(names), state.set, function (set) { state.set = set; showCompare(); table.refresh(); }), list, compare);
  }

  function take(runs) {
    state.runs = runs;
    state.counts = new Map();
    state.sets = new Map();
    of.size = runs.length;
    runs.forEach(function (run) {
      run.means = new Map(Object.entries(run.metrics)); // as keys of an object names such as __proto__ would be lost
      run.means.forEach(function (_, metric) { state.counts.set(metric, (state.counts.get(metric) || 0) + 1); });
      if (run.examples_id) { state.sets.set(run.examples_id, [run].concat(state.sets.get(run.examples_id) || [])); }
    });
    var common = Array.from(state.counts.keys()).sort(function (a, b) { return state.counts.get(b) - state.counts.get(a); });
    state.metrics = state.metrics || (common.length ? common.slice(0, USUAL_METRICS) : null);
    var keys = JSON.stringify([Array.from(state.counts.keys()), Array.from(state.sets.keys())]);
    if (keys !== state.keys) { state.keys = keys; fillTools(); }
    showCompare();
    table.refresh();
  }

  // Who has turned the page sees newer runs when back on the first: they would be thrown there.
  function look() {
    get("/api/runs").then(function (found) {
      var text = JSON.stringify(found), isFirst = !state.seen;
      trouble("");
      if (text === state.seen || / page (?!1 )/.test(element("runs").lastChild.textContent)) { return; }
      state.seen = text;
      element("folder").textContent = found.folder;
      drawKeepingFocus(element("runs"), element("runs"), function () { take(found.runs); });
      if (isFirst) { keepInAddress(element("runs")); }
    }).catch(function (error) { trouble(error instanceof TypeError ? "The server does not answer. Trying again." : error.message); }).then(function () { setTimeout(look, 3000); });
  }
  look();
})();
