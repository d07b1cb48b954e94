// A table that is sorted and filtered. Every text is put in as text, never as markup.
// data: title, columns [name, is number], rows of cells [text, smaller text below, what it is sorted by].
function showTable(root, data) {
  var PAGE = 50, make = makeElement;
  var state = { words: "", chosen: {}, sort: -1, down: false, page: 0 };
  var compare = new Intl.Collator("en", { numeric: true }).compare;
  var parts = tableFrame(root, data.title, "Filter: " + data.title);

  function labelled(name, element) {
    var label = make("label", name + " ");
    label.appendChild(element);
    parts.tools.appendChild(label);
    return element;
  }

  var words = labelled("Words", make("input"));
  words.type = "search";
  words.addEventListener("input", function () { state.words = words.value; state.page = 0; draw(); });
  data.columns.forEach(function (column, place) {
    var values = Array.from(new Set(data.rows.map(function (row) { return row[place][0]; })));
    if (column[1] || place === 0 || values.length < 2 || values.length > 40) { return; }
    var choice = labelled(column[0], make("select"));
    choice.appendChild(new Option("all", ""));
    values.forEach(function (value) { choice.appendChild(new Option(value, value)); });
    choice.addEventListener("change", function () { state.chosen[place] = choice.value; state.page = 0; draw(); });
  });

  function isShown(row, wanted) {
    for (var place in state.chosen) {
      if (state.chosen[place] && row[place][0] !== state.chosen[place]) { return false; }
    }
    var texts = row[0][0].toLowerCase().split(/\s+/);
    return wanted.every(function (word) { // a number is meant as a whole: 128 is not in 1280
      return texts.some(function (each) { return /^\d+$/.test(word) ? each === word : each.indexOf(word) >= 0; });
    });
  }

  function ordered(one, other) {
    var a = one[state.sort][2], b = other[state.sort][2], way = state.down ? -1 : 1;
    if (a === null || b === null) { return (a === null) - (b === null); } // what has no value comes last, whichever way
    return way * (typeof a === "string" || typeof b === "string" ? compare(a, b) : a - b);
  }

  function draw() {
    drawKeepingFocus(root, parts.wide, function () {
      var wanted = state.words.toLowerCase().split(/\s+/).filter(Boolean);
      var found = data.rows.filter(function (row) { return isShown(row, wanted); });
      if (state.sort >= 0) { found.sort(ordered); }
      var heads = make("tr");
      data.columns.forEach(function (column, place) { sortHeading(heads, state, place, column[0], column[1], column[1], draw); });
      parts.head.replaceChildren(heads);
      var pages = Math.max(1, Math.ceil(found.length / PAGE));
      state.page = Math.min(state.page, pages - 1);
      parts.body.replaceChildren.apply(parts.body, found.slice(state.page * PAGE, (state.page + 1) * PAGE).map(function (row) {
        var tr = make("tr");
        row.forEach(function (each, place) {
          var cell = make(place ? "td" : "th", each[0], data.columns[place][1] ? "num" : "");
          if (!place) { cell.scope = "row"; }
          if (each[1]) { cell.append(" ", make("small", each[1])); }
          tr.appendChild(cell);
        });
        return tr;
      }));
      parts.count.textContent = found.length + " of " + data.rows.length + " rows";
      fillTurning(parts.turning, root, state, pages, draw);
    });
  }

  draw();
}

(function () {
  var root = document.documentElement;
  var tools = document.getElementById("tools");

  function button(text, act) {
    var element = document.createElement("button");
    element.type = "button";
    element.textContent = text;
    element.addEventListener("click", function () { act(element); });
    return element;
  }

  function isDark() {
    var chosen = root.getAttribute("data-theme");
    return chosen ? chosen === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
  }

  tools.appendChild(button(isDark() ? "Light page" : "Dark page", function (element) {
    root.setAttribute("data-theme", isDark() ? "light" : "dark");
    element.textContent = isDark() ? "Light page" : "Dark page";
  }));

  // What stands in an element as deflated JSON in base64.
  function unpack(id) {
    if (!window.DecompressionStream) { return Promise.reject(new Error("This browser is too old; open the page in one from 2023 or later.")); }
    var letters = atob(document.getElementById(id).textContent);
    var bytes = Uint8Array.from(letters, function (letter) { return letter.charCodeAt(0); });
    var stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).text().then(JSON.parse);
  }

  var unpacked = null; // promise of all details, once one was asked for

  // Answers name chunks by number: a chunk that several share is there once.
  function detail(place) {
    unpacked = unpacked || unpack("items-details");
    return unpacked.then(function (all) {
      var item = all.details[place];
      var answers = item.answers.map(function (answer) {
        return Object.assign({}, answer, { chunks: answer.chunks.map(function (number) { return all.chunks[number]; }) });
      });
      return Object.assign({}, item, { answers: answers });
    });
  }

  var data = document.getElementById("items-data"); // many pages have none
  if (data) {
    showItems(document.getElementById("items-table"), JSON.parse(data.textContent), detail);
  }

  document.querySelectorAll(".searched").forEach(function (root) {
    unpack(root.dataset.from).then(function (found) { showTable(root, found); }).catch(function (error) {
      root.textContent = String(error.message || error);
    });
  });

  var closed = [];
  window.addEventListener("beforeprint", function () {
    closed = Array.prototype.slice.call(document.querySelectorAll("details:not([open])"));
    closed.forEach(function (item) { item.open = true; });
  });
  window.addEventListener("afterprint", function () {
    closed.forEach(function (item) { item.open = false; });
  });
})();
