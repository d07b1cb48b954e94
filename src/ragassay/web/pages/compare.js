"use strict";
// Questions by runs: a row a question, a column a run, whether it passes in each; of two runs also their differences, tested.
(function () {
  var asked = new URLSearchParams(location.search), make = makeElement, NAME_CHARS = 24, DIFFER = "those that differ";
  var runs = (asked.has("a") ? [asked.get("a"), asked.get("b") || ""] : asked.getAll("run")).slice(0, 8), columns = [], rows = [], bar = 0, isUp = true, opened = new Map();
  var filters = { words: "", label: "", shown: "all" };

  // The end of a name tells it from others as often as its beginning.
  function short(name) { return name.length > NAME_CHARS ? name.slice(0, 8) + "…" + name.slice(8 - NAME_CHARS) : name; }

  function pairs(names) { return Array.from(names).map(function (name) { return [name, name]; }); }

  function columnOf(run, number, data) {
    var key = "system_" + number, name = asked.has(key) ? asked.get(key) : data.systems[data.system];
    if (data.systems.length > 1) {
      element("choices").append(control(short(run), pairs(data.systems), name, function (chosen) {
        var now = new URLSearchParams(location.search);
        now.set(key, chosen);
        location.search = now;
      }));
    }
    var places = new Map(data.rows.map(function (row, place) { return [row.id, place]; }));
    return { run: run, data: data, places: places, system: Math.max(0, data.systems.indexOf(name)) };
  }

  function valuesIn(column, row) {
    var place = column.places.get(row.id), isThere = place !== undefined && column.data.systems.length;
    return isThere ? column.data.rows[place].values[column.system] : [];
  }

  // What rows are filtered and sorted by, once for a metric and a bar.
  function judge() {
    columns.forEach(function (column) { column.passed = column.judged = 0; });
    rows.forEach(function (row) {
      row.passed = row.failed = 0;
      row.values = columns.map(function (column) {
        var value = valuesIn(column, row)[column.at];
        if (value === undefined || value === null) { return null; }
        var isPassed = passes(value);
        row.passed += isPassed;
        row.failed += !isPassed;
        column.passed += isPassed;
        column.judged += 1;
        return value;
      });
    });
  }

  function passes(value) { return isUp ? value >= bar : value <= bar; }

  function answerIn(column, row, item) {
    var part = make("section"), list = make("dl"), values = valuesIn(column, row);
    part.append(make("h3", column.run), list);
    function term(name, text) {
      list.append(make("dt", name), make("dd", text));
      list.lastChild.dir = "auto";
    }
    item.answers.filter(function (each) { return each.system === column.data.systems[column.system]; }).forEach(function (answer) {
      if (answer.error) { term("error", answer.error); }
      if (answer.answer) { term(answer.abstained ? "declined" : "answer", answer.answer); }
      column.data.metrics.forEach(function (name, at) { if (values[at] !== null) { term(name.replace(/_/g, " "), figure(values[at])); } });
      answer.verdicts.forEach(function (each) { term("why " + each[0].replace(/_/g, " "), each[3].join("\n") || each[2]); });
      answer.chunks.forEach(function (chunk) { term("from " + chunk[0], chunk.slice(1).map(function (piece) { return piece[0]; }).join("")); });
    });
    return part;
  }

  function open(row, tr, button) {
    var below = opened.get(row);
    button.setAttribute("aria-expanded", String(!below));
    if (below) { below.remove(); opened.delete(row); return; }
    below = make("tr", null, "opened");
    var cell = make("td"), side = make("div", null, "side"), having = columns.filter(function (column) { return column.places.has(row.id); });
    cell.colSpan = tr.children.length;
    cell.append(side);
    below.append(cell);
    opened.set(row, below);
    tr.after(below);
    Promise.all(having.map(function (column) { return get("/api/item", { run: column.run, place: column.places.get(row.id) }); })).then(function (items) {
      side.before(make("p", "Reference answer: " + (items[0].answer || "none")));
      side.append.apply(side, items.map(function (item, at) { return answerIn(having[at], row, item); }));
    }).catch(function (error) { cell.textContent = error.message; });
  }

  function rowOf(place) {
    var row = rows[place], tr = make("tr"), first = make("th"), button = make("button", row.question || "(empty question)", "open");
    first.scope = "row";
    button.type = "button";
    button.dir = "auto";
    button.dataset.kept = "open " + place;
    button.setAttribute("aria-expanded", String(opened.has(row)));
    button.addEventListener("click", function () { open(row, tr, button); });
    first.append(button);
    tr.append(first, make("td", row.label), make("td", row.passed + "/" + (row.passed + row.failed), "num"));
    row.values.forEach(function (value) {
      tr.append(value === null ? make("td", "–", "num") : make("td", (passes(value) ? "✓ " : "✗ ") + figure(value), passes(value) ? "num pass" : "num fail"));
    });
    return opened.has(row) ? [tr, opened.get(row)] : [tr];
  }

  function headings() {
    return [{ name: "question", text: "question" }, { name: "label", text: "label" }, { name: "passed", text: "passed", isNumber: true }].concat(
      columns.map(function (column, at) { return { name: String(at), text: short(column.run) + " " + column.passed + "/" + column.judged, isNumber: true }; }));
  }

  function matches(place) {
    var row = rows[place];
    return (!filters.label || row.label === filters.label) && (filters.shown === "all" || row.failed && (row.passed || filters.shown !== DIFFER)) && row.question.toLowerCase().indexOf(filters.words) >= 0;
  }

  function showMatrix() {
    var known = new Map(), metrics = new Set();
    columns.forEach(function (column) {
      column.data.metrics.forEach(metrics.add, metrics);
      column.data.rows.forEach(function (row) { if (!known.has(row.id)) { known.set(row.id, { id: row.id, question: row.question, label: row.label }); } });
    });
    rows = Array.from(known.values());
    var table = sortedTable(element("matrix"), { title: "Questions by runs", noun: "questions", size: rows.length, columns: headings, matches: matches, row: rowOf,
      value: function (place, name) { return name in rows[place] ? rows[place][name] : rows[place].values[name]; } });
    var barField = control("Passes", "number", "", function (value) { bar = Number(value); judge(); table.refresh(); });
    function measure(name) {
      columns.forEach(function (column) {
        column.at = column.data.metrics.indexOf(name);
        if (column.at >= 0) { bar = column.data.bars[column.at][0]; isUp = column.data.bars[column.at][1]; }
      });
      barField.firstChild.textContent = isUp ? "Passes from " : "Passes up to ";
      barField.lastChild.value = bar;
      judge();
      table.refresh();
    }
    function filter(name) { return function (value) { filters[name] = name === "words" ? value.toLowerCase() : value; table.refresh(); }; }
    var labels = new Set(rows.map(function (row) { return row.label; }));
    var isEverywhere = function (name) { return columns.every(function (column) { return column.data.metrics.indexOf(name) >= 0; }); };
    var first = columns[0].data.columns.concat(Array.from(metrics)).find(isEverywhere) || Array.from(metrics)[0] || "";
    table.tools.append(control("Metric", pairs(metrics), first, measure), barField, control("Show", pairs(["all", "failed by some", DIFFER]), "all", filter("shown")),
      control("Words", "search", "", filter("words")), control("Label", [["", "all"]].concat(pairs(labels)), "", filter("label")));
    measure(first);
    keepInAddress(element("matrix"));
  }

  Promise.all(runs.map(function (run) { return get("/api/items", { run: run }); })).then(function (found) {
    if (!found.length) { throw new Error("the address names no runs; choose some on the page of all runs"); }
    columns = found.map(function (data, number) { return columnOf(runs[number], number, data); });
    document.title = runs.join(", ");
    if (runs.length === 2) { document.querySelector("h1").textContent = "A: " + runs[0] + ", B: " + runs[1]; }
    showMatrix();
    if (runs.length !== 2) { return null; }
    var query = { a: runs[0], b: runs[1] };
    columns.forEach(function (column, at) { if (column.data.systems.length) { query[at ? "system_b" : "system_a"] = column.data.systems[column.system]; } });
    return get("/api/compare", query).then(function (text) {
      var parsed = new DOMParser().parseFromString(text, "text/html"); // all of it escaped by the server
      element("tested").before(parsed.querySelector('.wide:not([aria-label="Changed most"])') || "");
      element("found").append.apply(element("found"), Array.from(parsed.body.childNodes));
      element("tested").hidden = false;
    });
  }).catch(function (error) { trouble(error.message); });
})();
