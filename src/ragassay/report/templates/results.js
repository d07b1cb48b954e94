"use strict";
// The values of compared settings as a table that is sorted and filtered. Every text is put in as text, never as markup.
// data: metrics [name, whether it is a price], decides, rising, settings [name, short name], groups [by, name, is headline],
// rows [setting, group, for each metric [value, low, high, n, total] or null].
function showResults(root, data) {
  var PAGE = 50;
  var make = makeElement;
  var decides = data.metrics.findIndex(function (metric) { return metric[0] === data.decides; });
  var headline = Math.max(0, data.groups.findIndex(function (group) { return group[2]; }));
  var state = { words: "", group: String(headline), sort: decides, down: !data.rising, intervals: true, page: 0 };
  var compare = new Intl.Collator("en", { numeric: true }).compare;

  function labelled(name, element, event, act) {
    var label = make("label", name + " ");
    element.addEventListener(event, function () { act(element); state.page = 0; draw(); });
    label.appendChild(element);
    return label;
  }

  function groupName(group) { return group[1] === "und" ? "undetermined" : group[1]; }

  function fillTools(tools) {
    var words = make("input");
    words.type = "search";
    tools.appendChild(labelled("Words", words, "input", function () { state.words = words.value; }));
    var groups = make("select");
    groups.appendChild(new Option("all groups", ""));
    Array.from(new Set(data.groups.map(function (group) { return group[0]; }))).forEach(function (by) {
      var part = make("optgroup");
      part.label = "by " + by;
      groups.appendChild(part);
      part.appendChild(new Option("every " + by, "by " + by));
      data.groups.forEach(function (group, place) {
        if (group[0] === by) { part.appendChild(new Option(groupName(group), String(place))); }
      });
    });
    groups.value = state.group;
    tools.appendChild(labelled("Questions", groups, "change", function () { state.group = groups.value; }));
    var box = make("input");
    box.type = "checkbox";
    box.checked = state.intervals;
    var boxed = labelled("95 % intervals", box, "change", function () { state.intervals = box.checked; });
    boxed.className = "box";
    tools.appendChild(boxed);
  }

  var tools = make("div", null, "tools");
  tools.setAttribute("role", "search");
  tools.setAttribute("aria-label", "Filter the results");
  var count = make("p", "", "note");
  count.setAttribute("role", "status");
  var wide = make("div", null, "wide");
  wide.tabIndex = 0;
  wide.setAttribute("role", "region");
  wide.setAttribute("aria-label", "All results");
  var table = make("table", null, "items metrics");
  var head = make("thead"), body = make("tbody");
  table.appendChild(make("caption", "All results by setting and group of questions; click a column head to sort"));
  table.appendChild(head);
  table.appendChild(body);
  wide.appendChild(table);
  var turning = make("p", null, "turning");

  function isShown(row, words) {
    var group = data.groups[row[1]];
    if (state.group.indexOf("by ") === 0 ? "by " + group[0] !== state.group : state.group && String(row[1]) !== state.group) { return false; }
    var name = data.settings[row[0]][0].toLowerCase().split(/\s+/);
    return words.every(function (word) { // a number is meant as a whole: 128 is not in 1280
      return name.some(function (each) { return /^\d+$/.test(word) ? each === word : each.indexOf(word) >= 0; });
    });
  }

  function valueOf(row, metric) { return row[2][metric] ? row[2][metric][0] : null; }

  function selected() {
    var words = state.words.toLowerCase().split(/\s+/).filter(Boolean);
    var found = data.rows.filter(function (row) { return isShown(row, words); });
    var way = state.down ? -1 : 1;
    return found.sort(function (a, b) {
      if (state.sort === "setting") { return way * compare(data.settings[a[0]][1], data.settings[b[0]][1]) || a[1] - b[1]; }
      if (state.sort === "group") { return way * (a[1] - b[1]) || a[0] - b[0]; }
      var one = valueOf(a, state.sort), other = valueOf(b, state.sort);
      if (one === other) { return a[1] - b[1] || a[0] - b[0]; }
      if (one === null) { return 1; } // what has no value comes last, whichever way
      if (other === null) { return -1; }
      return (one - other) * way;
    });
  }

  function written(number, metric) {
    if (metric[0] === "cost_usd") { return number === 0 ? "0" : number.toPrecision(3); }
    if (metric[1]) { return Math.round(number).toLocaleString("en").replace(/,/g, "\u202f"); }
    return number.toFixed(3).replace("-", "\u2212");
  }

  function valueCell(estimate, metric) {
    if (!estimate || estimate[0] === null) {
      return make("td", estimate && estimate[4] ? "– none of " + estimate[4] : "–", "num missing");
    }
    var cell = make("td", written(estimate[0], metric), "num");
    if (state.intervals && estimate[1] !== null) {
      var between = estimate[1] < 0 ? " to " : "–", places = metric[1] ? null : 2;
      var ends = [estimate[1], estimate[2]].map(function (end) { return places ? end.toFixed(2).replace("-", "\u2212") : written(end, metric); });
      cell.appendChild(make("small", ends.join(between)));
    }
    if (estimate[3] !== estimate[4]) { cell.appendChild(make("small", estimate[3] + " of " + estimate[4], "part")); }
    return cell;
  }

  function heading(row, sort, text, isNumber, firstDown) {
    var cell = make("th", null, isNumber ? "num" : "");
    cell.scope = "col";
    cell.setAttribute("aria-sort", state.sort === sort ? (state.down ? "descending" : "ascending") : "none");
    var button = make("button", text);
    button.type = "button";
    button.dataset.kept = "sort " + sort;
    button.addEventListener("click", function () {
      state.down = state.sort === sort ? !state.down : firstDown;
      state.sort = sort;
      state.page = 0;
      draw();
    });
    cell.appendChild(button);
    row.appendChild(cell);
  }

  function draw() { drawKeepingFocus(root, wide, drawAll); }

  function drawAll() {
    var found = selected();
    var shown = data.metrics.map(function (_, place) { return place; }).filter(function (place) {
      // what nothing takes, as dollars where no server is asked, has no column
      return found.some(function (row) { return row[2][place] !== null && !(data.metrics[place][1] && row[2][place][0] === 0); });
    });
    var row = make("tr");
    heading(row, "setting", "setting", false, false);
    heading(row, "group", "questions", false, false);
    row.appendChild(make("th", "n", "num")).scope = "col";
    shown.forEach(function (place) {
      heading(row, place, data.metrics[place][0].replace(/_/g, " "), true, !data.metrics[place][1]);
    });
    head.replaceChildren(row);
    var pages = Math.max(1, Math.ceil(found.length / PAGE));
    state.page = Math.min(state.page, pages - 1);
    body.replaceChildren.apply(body, found.slice(state.page * PAGE, (state.page + 1) * PAGE).map(function (each) {
      var tr = make("tr"), name = make("th", data.settings[each[0]][1]);
      name.scope = "row";
      name.title = data.settings[each[0]][0];
      tr.appendChild(name);
      tr.appendChild(make("td", groupName(data.groups[each[1]])));
      tr.appendChild(make("td", String(questions(each)), "num"));
      shown.forEach(function (place) { tr.appendChild(valueCell(each[2][place], data.metrics[place])); });
      return tr;
    }));
    count.textContent = found.length + " of " + data.rows.length + " rows";
    fillTurning(turning, root, state, pages, draw);
  }

  // The questions that a row is about: metrics of refusals may be over more of them.
  function questions(row) {
    var place = row[2][decides] ? decides : row[2].findIndex(Boolean);
    return place < 0 ? 0 : row[2][place][4];
  }

  fillTools(tools);
  root.replaceChildren(tools, count, wide, turning);
  draw();
}
