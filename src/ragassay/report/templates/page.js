// A table that is sorted and filtered. Every text is put in as text, never as markup.
// data: title, columns [name, is number], rows of cells [text, smaller text below, what it is sorted by].
function showTable(root, data) {
  var make = makeElement, words = make("input"), chosen = {};
  var table = sortedTable(root, {
    title: data.title, noun: "rows", size: data.rows.length, isDownFirst: true, matches: matches,
    columns: function () { return data.columns.map(function (each, place) { return { name: place, text: each[0], isNumber: each[1] }; }); },
    value: function (place, column) { return data.rows[place][column][2]; },
    row: function (place) {
      var tr = make("tr");
      data.rows[place].forEach(function (each, column) {
        var cell = make(column ? "td" : "th", each[0], data.columns[column][1] ? "num" : "");
        if (!column) { cell.scope = "row"; }
        if (each[1]) { cell.append(" ", make("small", each[1])); }
        tr.appendChild(cell);
      });
      return [tr];
    }
  });

  function labelled(name, element, event) {
    var label = make("label", name + " ");
    label.appendChild(element);
    element.addEventListener(event, table.refresh);
    table.tools.appendChild(label);
  }

  words.type = "search";
  labelled("Words", words, "input");
  data.columns.forEach(function (column, place) {
    var values = Array.from(new Set(data.rows.map(function (row) { return row[place][0]; })));
    if (column[1] || place === 0 || values.length < 2 || values.length > 40) { return; }
    chosen[place] = make("select");
    chosen[place].append(new Option("all", ""));
    values.forEach(function (value) { chosen[place].append(new Option(value, value)); });
    labelled(column[0], chosen[place], "change");
  });

  function matches(place) {
    var row = data.rows[place], texts = row[0][0].toLowerCase().split(/\s+/);
    for (var column in chosen) {
      if (chosen[column].value && row[column][0] !== chosen[column].value) { return false; }
    }
    return words.value.toLowerCase().split(/\s+/).filter(Boolean).every(function (word) { // a number is meant as a whole: 128 is not in 1280
      return texts.some(function (each) { return /^\d+$/.test(word) ? each === word : each.indexOf(word) >= 0; });
    });
  }

  table.refresh();
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
