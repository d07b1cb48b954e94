"use strict";
(function () {
  var id = new URLSearchParams(location.search).get("run") || "";
  var shown = "", MOST_MEANS = 4; // in the line above the items

  // Pairs of name and value: as a key of an object a name such as __proto__ would be lost.
  function pairs(list, given) {
    list.replaceChildren();
    given.forEach(function (pair) {
      var both = makeElement("div");
      if (pair[1] === "" || pair[1] === null) { return; }
      both.append(makeElement("dt", pair[0].replace(/_/g, " ")), makeElement("dd", pair[1]));
      list.append(both);
    });
  }

  function showRun(run) {
    document.title = run.name;
    element("name").textContent = run.name;
    element("state").textContent = stateOf(run);
    element("state").className = "state-" + run.state;
    element("command").textContent = [run.command, run.about].filter(Boolean).join(": ");
    element("items").hidden = run.examples === null;
    var means = Object.entries(run.metrics).map(function (metric) {
      var value = metric[1][0], low = metric[1][1], high = metric[1][2];
      var interval = low === null || high === null ? "" : " (" + figure(low) + "–" + figure(high) + ")";
      return [metric[0], value === null ? "none" : figure(value) + interval];
    });
    var first = [["examples", run.examples], ["answers", run.predictions]];
    var work = [["wall time", run.wall_s === null ? null : run.wall_s.toFixed(1) + " s"], ["US dollars", run.cost_usd > 0 ? run.cost_usd.toFixed(4) : null],
      ["of the stages", run.stages.length ? run.stages.join(", ") : null]];
    pairs(element("figures"), first.concat(means.slice(0, MOST_MEANS)));
    pairs(element("settings"), first.concat(means, work, Object.entries(run.settings)));
    element("more").open = element("more").open || run.examples === null;
    element("report").hidden = !run.has_report;
    element("report").href = "/report?run=" + encodeURIComponent(id);
    var bar = element("bar"), at = run.state === "running" ? run.progress : null;
    bar.hidden = !at || !at.total;
    if (!bar.hidden) { Object.assign(bar, { max: at.total, value: at.done }); }
  }

  function showAll(now) {
    shown = now;
    element("newer").hidden = true;
    get("/api/items", { run: id }).then(function (data) {
      showItems(element("items-table"), data, function (place) { return get("/api/item", { run: id, place: place }); });
      keepInAddress(element("items-table"));
    }).catch(function (error) { trouble(error.message); });
  }

  // What somebody filtered and opened stays until newer items are asked for.
  function look() {
    get("/api/run", { run: id }).then(function (run) {
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
