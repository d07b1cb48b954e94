"use strict";
(function () {
  var PAGE = 100;
  var state = { runs: [], words: "", page: 0, chosen: [], drawn: {} };

  function element(id) { return document.getElementById(id); }

  function cell(row, text, name) {
    var made = row.insertCell();
    made.textContent = text;
    if (name) { made.className = name; }
    return made;
  }

  function when(seconds) {
    var at = new Date(seconds * 1000);
    if (isNaN(at)) { return "–"; }
    var here = new Date(at - at.getTimezoneOffset() * 60000);
    return here.toISOString().slice(0, 16).replace("T", " ");
  }

  function choose(run, box) {
    state.chosen = state.chosen.filter(function (id) { return id !== run.id; });
    if (box.checked) { state.chosen.push(run.id); }
    if (state.chosen.length > 2) { state.chosen.shift(); }
    draw();
  }

  // The row of a run that did not change is the same element as before.
  function rowOf(run) {
    var told = JSON.stringify(run), known = state.drawn["run " + run.id];
    if (!known || known.told !== told) { known = state.drawn["run " + run.id] = { told: told, row: newRow(run) }; }
    var box = known.row.querySelector("input");
    box.checked = state.chosen.indexOf(run.id) >= 0;
    box.disabled = !run.has_scores;
    box.title = run.has_scores ? "" : "has no scores to compare";
    return known.row;
  }

  function newRow(run) {
    var row = document.createElement("tr");
    var box = document.createElement("input");
    box.type = "checkbox";
    box.dataset.kept = "choose " + run.id;
    box.setAttribute("aria-label", "Compare " + run.name);
    box.addEventListener("change", function () { choose(run, box); });
    cell(row, "").appendChild(box);
    var link = document.createElement("a");
    run.name.split("/").forEach(function (part, place) {
      if (place) { link.append("/", document.createElement("wbr")); }
      link.append(part);
    });
    link.href = "/run?run=" + encodeURIComponent(run.id);
    link.dataset.kept = "open " + run.id;
    cell(row, "").appendChild(link);
    cell(row, run.command || "–");
    cell(row, stateOf(run), "state-" + run.state);
    cell(row, when(run.changed_at));
    cell(row, run.about || "–", "clip").title = run.about;
    cell(row, run.examples === null ? "–" : run.examples, "num");
    cell(row, run.model || "–", "clip").title = run.model;
    var of = run.stages.length ? "of " + run.stages.join(", ") : "";
    cell(row, run.wall_s === null ? "–" : run.wall_s.toFixed(1) + " s", "num").title = of;
    cell(row, run.cost_usd === null ? "–" : run.cost_usd.toFixed(4), "num").title = of;
    return row;
  }

  function draw() { drawKeepingFocus(document.body, element("words"), drawAll); }

  function drawAll() {
    var found = state.runs.filter(function (run) {
      return [run.name, run.command, run.state, run.about, run.model].join(" ").toLowerCase().indexOf(state.words) >= 0;
    });
    var pages = Math.max(1, Math.ceil(found.length / PAGE));
    state.page = Math.min(state.page, pages - 1);
    var rows = element("rows");
    rows.replaceChildren.apply(rows, found.slice(state.page * PAGE, (state.page + 1) * PAGE).map(rowOf));
    element("count").textContent = found.length + " of " + state.runs.length + " runs";
    element("compare").disabled = state.chosen.length !== 2;
    fillTurning(element("turning"), document.body, state, pages, draw);
  }

  function look() {
    fetch("/api/runs").then(function (reply) { return reply.json(); }).then(function (found) {
      var text = JSON.stringify(found);
      element("trouble").hidden = !found.error;
      element("trouble").textContent = found.error || "";
      if (found.error || text === state.seen) { return; }
      state.seen = text;
      state.runs = found.runs;
      element("folder").textContent = found.folder;
      draw();
    }).catch(function () {
      element("trouble").hidden = false;
      element("trouble").textContent = "The server does not answer. Trying again.";
    }).then(function () { setTimeout(look, 3000); });
  }

  element("words").addEventListener("input", function () { state.words = element("words").value.toLowerCase(); state.page = 0; draw(); });
  element("compare").addEventListener("click", function () {
    location.href = "/compare?a=" + encodeURIComponent(state.chosen[0]) + "&b=" + encodeURIComponent(state.chosen[1]);
  });
  look();
})();
