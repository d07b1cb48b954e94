"use strict";
// What the tables that are drawn anew have in common: making elements, turning pages, keeping the focus.
function makeElement(tag, text, name) {
  var element = document.createElement(tag);
  if (text !== undefined && text !== null) { element.textContent = text; }
  if (name) { element.className = name; }
  return element;
}

// Fills turning with buttons where there are several pages. state.page: the one that is shown.
function fillTurning(turning, root, state, pages, draw) {
  function turn(text, page, possible) {
    var button = makeElement("button", text);
    button.type = "button";
    button.disabled = !possible;
    button.dataset.kept = "turn " + text;
    button.addEventListener("click", function () { state.page = page; draw(); root.scrollIntoView(); });
    return button;
  }

  turning.replaceChildren();
  if (pages > 1) {
    turning.appendChild(turn("Previous", state.page - 1, state.page > 0));
    turning.appendChild(makeElement("span", " page " + (state.page + 1) + " of " + pages + " "));
    turning.appendChild(turn("Next", state.page + 1, state.page < pages - 1));
  }
}

// What is drawn anew takes the focus along: who sorts or turns by keyboard goes on from there.
function drawKeepingFocus(root, wide, drawAll) {
  var focused = document.activeElement && root.contains(document.activeElement) ? document.activeElement.dataset.kept : "";
  drawAll();
  if (!focused) { return; }
  root.querySelectorAll("[data-kept]").forEach(function (each) {
    if (each.dataset.kept === focused) { (each.disabled ? wide : each).focus({ preventScroll: true }); }
  });
}

// The parts of a table that is drawn anew, put into root.
function tableFrame(root, title, label) {
  var make = makeElement, table = make("table", null, "items");
  var parts = { tools: make("div", null, "tools"), count: make("p", "", "note"), wide: make("div", null, "wide"),
    head: make("thead"), body: make("tbody"), turning: make("p", null, "turning") };
  parts.tools.setAttribute("role", "search");
  parts.tools.setAttribute("aria-label", label);
  parts.count.setAttribute("role", "status");
  parts.wide.tabIndex = 0;
  parts.wide.setAttribute("role", "region");
  parts.wide.setAttribute("aria-label", title);
  table.append(make("caption", title + "; a column heading sorts"), parts.head, parts.body);
  parts.wide.appendChild(table);
  root.replaceChildren(parts.tools, parts.count, parts.wide, parts.turning);
  return parts;
}

// A head of a column that sorts by it: once up, again down; the other way round where isDownFirst.
function sortHeading(row, state, name, text, isNumber, isDownFirst, act) {
  var cell = makeElement("th", null, isNumber ? "num" : ""), button = makeElement("button", text);
  cell.scope = "col";
  button.type = "button";
  button.dataset.kept = "sort " + name;
  cell.setAttribute("aria-sort", state.sort === name ? (state.down ? "descending" : "ascending") : "none");
  button.addEventListener("click", function () {
    state.down = state.sort === name ? !state.down : isDownFirst;
    state.sort = name;
    state.page = 0;
    act();
  });
  cell.appendChild(button);
  row.appendChild(cell);
}

// A table of single items that is sorted, filtered and opened. Every text is put in as text, never as markup.
// data: systems, system (the one it opens on), metrics, columns, labels, types, rows. loadDetail(place) gives a promise of what opens below a row.
function showItems(root, data, loadDetail) {
  var PAGE = 50;
  var make = makeElement;
  var state = { words: "", label: "", type: "", system: data.system, metric: "", below: "", sort: "", down: false, page: 0, everything: false };
  var found = [];
  var opened = new Map(); // place of a row to what is open below it

  function choice(name, options, value, act) {
    var label = make("label", name + " ");
    var select = make("select");
    select.dataset.kept = "choice " + name;
    options.forEach(function (option) {
      var made = make("option", option[1]);
      made.value = option[0];
      made.selected = option[0] === value;
      select.appendChild(made);
    });
    select.addEventListener("change", function () { act(select.value); state.page = 0; refresh(); });
    label.appendChild(select);
    return label;
  }

  function field(name, type, value, act) {
    var label = make("label", name + " ");
    var input = make("input");
    input.type = type;
    input.dataset.kept = "field " + name;
    if (type === "checkbox") { input.checked = value; } else { input.value = value; }
    if (type === "number") { input.step = "0.05"; input.className = "short"; }
    input.addEventListener("input", function () { act(input.value); state.page = 0; refresh(); });
    label.appendChild(input);
    return label;
  }

  function all(values, none) {
    return [["", none]].concat(values.map(function (value) { return [value, value]; }));
  }

  var parts = tableFrame(root, "Single items", "Filter the items");
  var tools = parts.tools, count = parts.count, wide = parts.wide, head = parts.head, body = parts.body, turning = parts.turning;

  function fillTools() {
    tools.replaceChildren(field("Words", "search", state.words, function (value) { state.words = value; }));
    if (data.labels.length > 1) { tools.appendChild(choice("Label", all(data.labels, "all"), state.label, function (value) { state.label = value; })); }
    if (data.types.length > 1) { tools.appendChild(choice("Type", all(data.types, "all"), state.type, function (value) { state.type = value; })); }
    if (data.systems.length > 1) {
      var systems = data.systems.map(function (name, place) { return [String(place), name]; });
      tools.appendChild(choice("System", systems, String(state.system), function (value) { state.system = Number(value); }));
    }
    if (data.metrics.length) {
      tools.appendChild(choice("With", all(data.metrics, "any score"), state.metric, function (value) { state.metric = value; }));
      tools.appendChild(field("at most", "number", state.below, function (value) { state.below = value; }));
    }
    if (data.columns.length < data.metrics.length) {
      var box = field("All scores", "checkbox", state.everything, function () { state.everything = !state.everything; });
      box.classList.add("box");
      tools.appendChild(box);
    }
  }

  function shownMetrics() {
    if (!data.systems.length) { return []; }
    return (state.everything ? data.metrics : data.columns).filter(function (metric) {
      var place = data.metrics.indexOf(metric);
      return data.rows.some(function (row) { return row.values[state.system][place] !== null; });
    });
  }

  function valueOf(row, metric) {
    var place = data.metrics.indexOf(metric);
    return place < 0 || !data.systems.length ? null : row.values[state.system][place];
  }

  function matches(row, words) {
    if (state.label && row.label !== state.label) { return false; }
    if (state.type && row.type !== state.type) { return false; }
    if (state.words && row.lower.indexOf(words) < 0) { return false; }
    if (state.metric) {
      var value = valueOf(row, state.metric);
      if (value === null || (state.below !== "" && value > Number(state.below))) { return false; }
    }
    return true;
  }

  function key(row) {
    if (state.sort === "question") { return row.lower; }
    if (state.sort === "label") { return row.label; }
    if (state.sort === "type") { return row.type; }
    return valueOf(row, state.sort);
  }

  function select() {
    found = [];
    var words = state.words.toLowerCase();
    data.rows.forEach(function (row, place) { if (matches(row, words)) { found.push(place); } });
    if (!state.sort) { return; }
    var keys = data.rows.map(key);
    var way = state.down ? -1 : 1;
    found.sort(function (a, b) {
      var one = keys[a], other = keys[b];
      if (one === other) { return a - b; }
      if (one === null) { return 1; } // what has no value comes last, whichever way
      if (other === null) { return -1; }
      return (one < other ? -1 : 1) * way;
    });
  }

  function heading(row, name, text, isNumber) { sortHeading(row, state, name, text, isNumber, false, refresh); }

  function term(list, name) {
    list.appendChild(make("dt", name));
    var given = make("dd");
    given.dir = "auto";
    list.appendChild(given);
    return given;
  }

  function listOf(place, texts) {
    var list = make("ul");
    texts.forEach(function (text) {
      var item = make("li", text);
      item.dir = "auto";
      list.appendChild(item);
    });
    place.appendChild(list);
  }

  function showPieces(place, source, pieces) {
    var text = make("span");
    text.dir = "auto";
    pieces.forEach(function (piece) { text.appendChild(make(piece[1] ? "mark" : "span", piece[0])); });
    place.appendChild(make("bdi", source, "gap"));
    place.appendChild(text);
  }

  function showAnswer(place, answer) {
    place.appendChild(make("h3", answer.system || "answer"));
    var list = make("dl");
    if (answer.error) { term(list, "error").textContent = answer.error; }
    if (answer.standalone) { term(list, "asked as").textContent = answer.standalone; }
    if (answer.answer) { term(list, answer.abstained ? "declined" : "answer").textContent = answer.answer; }
    if (answer.chunks.length) {
      var chunks = make("ol", null, "chunks");
      answer.chunks.forEach(function (chunk) {
        var item = make("li");
        showPieces(item, chunk[0], chunk.slice(1));
        chunks.appendChild(item);
      });
      term(list, "retrieved").appendChild(chunks);
    }
    answer.verdicts.forEach(function (verdict) {
      var given = term(list, verdict[0]);
      given.appendChild(make("b", verdict[1] === null ? "none: " + verdict[2] : String(verdict[1])));
      if (verdict[3].length) { listOf(given, verdict[3]); }
    });
    place.appendChild(list);
  }

  function showDetail(place, row, item) {
    var list = make("dl");
    if (item.turns.length) { listOf(term(list, "earlier turns"), item.turns); }
    if (item.alone) { term(list, "standalone question").textContent = item.alone; }
    term(list, "answer").textContent = item.answer || "none: the " + (item.unanswerable_in || "context") + " does not answer it";
    if (item.keypoints.length) { listOf(term(list, "keypoints"), item.keypoints); }
    if (item.context.length) { showPieces(term(list, "context"), item.source, item.context); }
    if (item.references.length) {
      var references = make("ul");
      item.references.forEach(function (reference) {
        var made = make("li");
        made.appendChild(make("bdi", reference[0], "gap"));
        made.appendChild(make("span", reference[1]));
        references.appendChild(made);
      });
      term(list, "references").appendChild(references);
    }
    if (item.requested !== item.verified) {
      term(list, "label").textContent = (item.requested ? "asked for " + item.requested : "none asked for") +
        (item.verified ? ", labelled " + item.verified : ", no labeller has run");
    }
    if (item.critiques.length) {
      listOf(term(list, "critiques"), item.critiques.map(function (each) {
        return each[0].replace(/_/g, " ") + " " + (each[1] === null ? "not rated" : each[1]) + (each[2] ? ": " + each[2] : "");
      }));
    }
    term(list, "id").textContent = row.id;
    place.replaceChildren(list);
    item.answers.forEach(function (answer) { showAnswer(place, answer); });
  }

  function open(place, tr, button) {
    var below = opened.get(place);
    button.setAttribute("aria-expanded", String(!below));
    if (below) {
      below.remove();
      opened.delete(place);
      return;
    }
    below = make("tr", null, "opened");
    var cell = make("td");
    below.appendChild(cell);
    opened.set(place, below);
    showBelow(tr, below);
    loadDetail(place).then(function (item) { showDetail(cell, data.rows[place], item); })
      .catch(function (error) { cell.textContent = String(error.message || error); });
  }

  function showBelow(tr, below) {
    below.firstChild.colSpan = tr.children.length;
    tr.after(below);
  }

  function addRow(place, metrics) {
    var row = data.rows[place];
    var tr = make("tr");
    var first = make("th");
    first.scope = "row";
    var button = make("button", row.question || "(empty question)", "open");
    button.type = "button";
    button.dir = "auto";
    var below = opened.get(place);
    button.setAttribute("aria-expanded", String(Boolean(below)));
    button.dataset.kept = "open " + place;
    button.addEventListener("click", function () { open(place, tr, button); });
    first.appendChild(button);
    tr.appendChild(first);
    if (data.labels.length > 1) { tr.appendChild(make("td", row.label)); }
    if (data.types.length) { tr.appendChild(make("td", row.type)); }
    metrics.forEach(function (metric) {
      var value = valueOf(row, metric);
      tr.appendChild(make("td", value === null ? "–" : value.toFixed(2), "num"));
    });
    body.appendChild(tr);
    if (below) { showBelow(tr, below); }
  }

  function draw() { drawKeepingFocus(root, wide, drawAll); }

  function drawAll() {
    var metrics = shownMetrics();
    var row = make("tr");
    heading(row, "question", "question", false);
    if (data.labels.length > 1) { heading(row, "label", "label", false); }
    if (data.types.length) { heading(row, "type", "type", false); }
    metrics.forEach(function (metric) { heading(row, metric, metric.replace(/_/g, " "), true); });
    head.replaceChildren(row);
    body.replaceChildren();
    var pages = Math.max(1, Math.ceil(found.length / PAGE));
    state.page = Math.min(state.page, pages - 1);
    var begin = state.page * PAGE;
    found.slice(begin, begin + PAGE).forEach(function (place) { addRow(place, metrics); });
    count.textContent = found.length + " of " + data.rows.length + " items";
    fillTurning(turning, root, state, pages, draw);
  }

  function refresh() {
    select();
    draw();
  }

  data.rows.forEach(function (row) { row.lower = row.question.toLowerCase(); });
  fillTools();
  refresh();
}
