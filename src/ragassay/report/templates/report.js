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

  document.querySelectorAll(".examples").forEach(function (group) {
    var all = group.querySelectorAll("details");
    var examples = group.querySelectorAll("details.example").length;
    if (all.length < 3) { return; }
    var open = false;
    var toggle = button("Open all " + examples, function (element) {
      open = !open;
      all.forEach(function (item) { item.open = open; });
      element.textContent = (open ? "Close all " : "Open all ") + examples;
    });
    toggle.className = "all";
    group.insertBefore(toggle, group.firstChild);
  });

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

  var data = document.getElementById("items-data"); // pages of experiments have none
  if (data) {
    showItems(document.getElementById("items-table"), JSON.parse(data.textContent), detail);
  }

  var results = document.getElementById("results-table"); // of settings that were compared
  if (results) {
    unpack("results-data").then(function (found) { showResults(results, found); }).catch(function (error) {
      results.textContent = String(error.message || error);
    });
  }

  var closed = [];
  window.addEventListener("beforeprint", function () {
    closed = Array.prototype.slice.call(document.querySelectorAll("details:not([open])"));
    closed.forEach(function (item) { item.open = true; });
  });
  window.addEventListener("afterprint", function () {
    closed.forEach(function (item) { item.open = false; });
  });
})();
