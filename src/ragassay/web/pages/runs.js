"use strict";
(function () {
  var PAGE = 100;
  var state = { runs: [], words: "", page: 0, chosen: [], drawn: new Map() };

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

  function whyNot(run) {
    return run.has_scores ? "" : "has no scores to compare";
  }

  function rowOf(run) {
    var told = JSON.stringify(run), known = state.drawn.get(run.id);
    return known && known.told === told ? known : { told: told, row: newRow(run) };
  }

  function newRow(run) {
    var row = document.createElement("tr");
    var box = document.createElement("input");
    box.type = "checkbox";
    box.dataset.run = run.id;
    box.setAttribute("aria-label", "Compare " + run.name);
    box.addEventListener("change", function () { choose(run, box); });
    cell(row, "").appendChild(box);
    var link = document.createElement("a");
    run.name.split("/").forEach(function (part, place) {
      if (place) { link.append("/", document.createElement("wbr")); }
      link.append(part);
    });
    link.href = "/run?run=" + encodeURIComponent(run.id);
    link.dataset.link = run.id;
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

  // The row of a run that did not change stays where it is: it is not taken away below a click.
  function drawRows(runs) {
    var drawn = new Map(), body = element("rows");
    runs.forEach(function (run) {
      var made = rowOf(run), box = made.row.querySelector("input");
      drawn.set(run.id, made);
      box.checked = state.chosen.indexOf(run.id) >= 0;
      box.title = whyNot(run);
      box.disabled = box.title !== "";
    });
    state.drawn.forEach(function (known, id) { if (drawn.get(id) !== known) { known.row.remove(); } });
    state.drawn = drawn;
    Array.from(drawn.values()).forEach(function (made, place) {
      if (body.rows[place] !== made.row) { body.insertBefore(made.row, body.rows[place] || null); }
    });
  }

  // What is drawn anew takes the focus along.
  function draw() {
    var at = document.activeElement, kept = at && (at.dataset.run || at.dataset.way || at.dataset.link);
    drawAll();
    if (!kept) { return; }
    document.querySelectorAll("#rows input, #rows a, #turning button").forEach(function (each) {
      if (each.tagName === at.tagName && (each.dataset.run || each.dataset.way || each.dataset.link) === kept) { each.focus({ preventScroll: true }); }
    });
  }

  function drawAll() {
    var found = state.runs.filter(function (run) {
      return [run.name, run.command, run.state, run.about, run.model].join(" ").toLowerCase().indexOf(state.words) >= 0;
    });
    var pages = Math.max(1, Math.ceil(found.length / PAGE));
    state.page = Math.min(state.page, pages - 1);
    drawRows(found.slice(state.page * PAGE, (state.page + 1) * PAGE));
    element("count").textContent = found.length + " of " + state.runs.length + " runs";
    element("compare").disabled = state.chosen.length !== 2;
    var turning = element("turning");
    turning.replaceChildren();
    if (pages > 1) {
      [["Previous", -1], ["Next", 1]].forEach(function (way) {
        var button = document.createElement("button");
        button.type = "button";
        button.textContent = way[0];
        button.dataset.way = way[0];
        button.disabled = state.page + way[1] < 0 || state.page + way[1] >= pages;
        button.addEventListener("click", function () { state.page += way[1]; draw(); });
        turning.appendChild(button);
      });
      turning.append(" page " + (state.page + 1) + " of " + pages);
    }
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
