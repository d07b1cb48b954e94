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

// A table that is sorted and turned, put into root. of: title; noun, of its rows; size, how many there are; columns(), each
// {name, text, isNumber}; matches(place); value(place, name), what a row is sorted by; row(place, columns), the elements that it is.
// isDownFirst: whether numbers are sorted from the highest first. Returns where its filters go, and how to draw it anew.
function sortedTable(root, of) {
  var PAGE = 50, make = makeElement, table = make("table", null, "items");
  var tools = make("div", null, "tools"), count = make("p", "", "note"), wide = make("div", null, "wide");
  var head = make("thead"), body = make("tbody"), turning = make("p", null, "turning");
  var state = { sort: null, down: false, page: 0 }, found = [];
  var compare = new Intl.Collator("en", { numeric: true }).compare;
  tools.setAttribute("role", "search");
  tools.setAttribute("aria-label", "Filter: " + of.title);
  count.setAttribute("role", "status");
  wide.tabIndex = 0;
  wide.setAttribute("role", "region");
  wide.setAttribute("aria-label", of.title);
  table.append(make("caption", of.title + "; a column heading sorts"), head, body);
  wide.appendChild(table);
  root.replaceChildren(tools, count, wide, turning);

  function select() {
    found = [];
    for (var place = 0; place < of.size; place += 1) { if (of.matches(place)) { found.push(place); } }
    if (state.sort === null) { return; }
    var keys = new Map(found.map(function (place) { return [place, of.value(place, state.sort)]; })), way = state.down ? -1 : 1;
    found.sort(function (one, other) {
      var a = keys.get(one), b = keys.get(other);
      if (a === null || b === null) { return (a === null) - (b === null); } // what has no value comes last, whichever way
      return way * (typeof a === "string" || typeof b === "string" ? compare(a, b) : a - b);
    });
  }

  function heading(column) {
    var cell = make("th", null, column.isNumber ? "num" : ""), button = make("button", column.text);
    cell.scope = "col";
    button.type = "button";
    button.dataset.kept = "sort " + column.name;
    cell.setAttribute("aria-sort", state.sort === column.name ? (state.down ? "descending" : "ascending") : "none");
    button.addEventListener("click", function () {
      state.down = state.sort === column.name ? !state.down : Boolean(of.isDownFirst && column.isNumber);
      state.sort = column.name;
      refresh();
    });
    cell.appendChild(button);
    return cell;
  }

  function draw() {
    drawKeepingFocus(root, wide, function () {
      var columns = of.columns(), row = make("tr"), pages = Math.max(1, Math.ceil(found.length / PAGE));
      row.append.apply(row, columns.map(heading));
      head.replaceChildren(row);
      state.page = Math.min(state.page, pages - 1);
      body.replaceChildren();
      found.slice(state.page * PAGE, (state.page + 1) * PAGE).forEach(function (place) {
        body.append.apply(body, of.row(place, columns));
      });
      count.textContent = found.length + " of " + of.size + " " + of.noun;
      fillTurning(turning, root, state, pages, draw);
    });
  }

  function refresh() {
    state.page = 0;
    select();
    draw();
  }

  return { tools: tools, refresh: refresh };
}

// A table of single items that is sorted, filtered and opened. Every text is put in as text, never as markup.
// data: systems, system (the one it opens on), metrics, columns, labels, types, rows. loadDetail(place) gives a promise of what opens below a row.
function showItems(root, data, loadDetail) {
  var make = makeElement;
  var state = { words: "", label: "", type: "", system: data.system, metric: "", below: "", everything: false };
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
    select.addEventListener("change", function () { act(select.value); table.refresh(); });
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
    input.addEventListener("input", function () { act(input.value); table.refresh(); });
    label.appendChild(input);
    return label;
  }

  function all(values, none) {
    return [["", none]].concat(values.map(function (value) { return [value, value]; }));
  }

  var table = sortedTable(root, { title: "Single items", noun: "items", size: data.rows.length, columns: columns, matches: matches, value: valueOf, row: rowOf });
  var tools = table.tools;

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

  function columns() {
    var found = [{ name: "question", text: "question" }];
    if (data.labels.length > 1) { found.push({ name: "label", text: "label" }); }
    if (data.types.length) { found.push({ name: "type", text: "type" }); }
    return found.concat(shownMetrics().map(function (name) { return { name: name, text: name.replace(/_/g, " "), isNumber: true }; }));
  }

  function valueOf(place, name) {
    var row = data.rows[place];
    if (name === "question" || name === "label" || name === "type") { return row[name]; }
    var place = data.metrics.indexOf(name);
    return place < 0 || !data.systems.length ? null : row.values[state.system][place];
  }

  function matches(place) {
    var row = data.rows[place];
    if (state.label && row.label !== state.label) { return false; }
    if (state.type && row.type !== state.type) { return false; }
    if (state.words && row.lower.indexOf(state.words.toLowerCase()) < 0) { return false; }
    if (!state.metric) { return true; }
    var value = valueOf(place, state.metric);
    return value !== null && (state.below === "" || value <= Number(state.below));
  }

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
    cell.colSpan = tr.children.length;
    tr.after(below);
    loadDetail(place).then(function (item) { showDetail(cell, data.rows[place], item); })
      .catch(function (error) { cell.textContent = String(error.message || error); });
  }

  function rowOf(place, shown) {
    var row = data.rows[place], tr = make("tr"), first = make("th"), below = opened.get(place);
    var button = make("button", row.question || "(empty question)", "open");
    first.scope = "row";
    button.type = "button";
    button.dir = "auto";
    button.setAttribute("aria-expanded", String(Boolean(below)));
    button.dataset.kept = "open " + place;
    button.addEventListener("click", function () { open(place, tr, button); });
    first.appendChild(button);
    tr.appendChild(first);
    shown.slice(1).forEach(function (column) {
      var value = valueOf(place, column.name);
      tr.appendChild(make("td", column.isNumber ? (value === null ? "–" : value.toFixed(2)) : value, column.isNumber ? "num" : ""));
    });
    if (!below) { return [tr]; }
    below.firstChild.colSpan = shown.length;
    return [tr, below];
  }

  data.rows.forEach(function (row) { row.lower = row.question.toLowerCase(); });
  fillTools();
  table.refresh();
}
