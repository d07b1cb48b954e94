"use strict";
(function () {
  var id = new URLSearchParams(location.search).get("run") || "";
  var of = "run=" + encodeURIComponent(id);
  var shown = "";

  function element(id) { return document.getElementById(id); }

  function get(path) {
    return fetch(path).then(function (reply) {
      return reply.json().then(function (found) {
        if (!reply.ok) { throw new Error(found.error || found.detail || "refused"); }
        return found;
      });
    });
  }

  function trouble(text) {
    element("trouble").hidden = !text;
    element("trouble").textContent = text;
  }

  function signed(digits) { return digits.replace("-", "−"); }

  // Pairs of name and value: as a key of an object a name such as __proto__ would be lost.
  function pairs(list, given) {
    list.replaceChildren();
    given.forEach(function (pair) {
      var name = pair[0], value = pair[1];
      if (value === "" || value === null) { return; }
      var term = document.createElement("dt");
      term.textContent = name.replace(/_/g, " ");
      var said = document.createElement("dd");
      said.textContent = value;
      list.append(term, said);
    });
  }

  function showRun(run) {
    document.title = run.name;
    element("name").textContent = run.name;
    element("state").textContent = stateOf(run);
    element("state").className = "state-" + run.state;
    element("command").textContent = [run.command, run.about].filter(Boolean).join(": ");
    element("items").hidden = run.examples === null;
    var figures = [["examples", run.examples], ["answers", run.predictions]];
    Object.entries(run.metrics).forEach(function (metric) { figures.push([metric[0], metric[1] === null ? "none" : signed(metric[1].toFixed(3))]); });
    if (run.wall_s !== null) { figures.push(["wall time", run.wall_s.toFixed(1) + " s"]); }
    if (run.cost_usd !== null) { figures.push(["US dollars", run.cost_usd.toFixed(4)]); }
    figures.push(["of the stages", run.stages.length ? run.stages.join(", ") : null]);
    element("figures").parentElement.hidden = !figures.some(function (pair) { return pair[1] !== null; });
    pairs(element("figures"), figures);
    pairs(element("settings"), Object.entries(run.settings));
    element("links").replaceChildren();
    if (run.has_report) {
      var link = document.createElement("a");
      link.href = "/report?" + of;
      link.textContent = "The report of this run";
      element("links").appendChild(link);
    }
    var bar = element("bar");
    var at = run.state === "running" ? run.progress : null;
    bar.hidden = !at || !at.total;
    if (!bar.hidden) {
      bar.max = at.total;
      bar.value = at.done;
    }
  }

  function showAll(now) {
    shown = now;
    element("newer").hidden = true;
    get("/api/items?" + of).then(function (data) {
      showItems(element("items-table"), data, function (place) { return get("/api/item?" + of + "&place=" + place); });
    }).catch(function (error) { trouble(error.message); });
  }

  // What somebody filtered and opened stays until newer items are asked for.
  function look() {
    get("/api/run?" + of).then(function (run) {
      showRun(run);
      trouble("");
      var now = run.examples + "/" + run.predictions + "/" + run.has_scores;
      if (run.examples !== null && !shown) { showAll(now); }
      element("newer").hidden = !shown || now === shown;
      element("newer").onclick = function () { showAll(now); };
      if (run.state === "running") { setTimeout(look, 2000); }
    }).catch(function (error) {
      trouble(error.message);
      setTimeout(look, 5000);
    });
  }
  look();
})();
