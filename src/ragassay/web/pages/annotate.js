"use strict";
(function () {
  var parts = location.hash.slice(1).split("/");
  var annotator = parts[0], key = parts[1] || "";
  var base = "/api/annotators/" + annotator;
  var state = { total: 0, done: 0, turn: 0, item: null, marked: 0, unsaved: [], saving: false };

  function element(id) { return document.getElementById(id); }

  function trouble(text) {
    element("trouble").hidden = !text;
    element("trouble").textContent = text;
  }

  function ask(path, options) {
    var given = Object.assign({ headers: {} }, options);
    given.headers = Object.assign({ "X-Ragassay-Key": key }, given.headers);
    return fetch(base + path, given).then(function (reply) {
      return reply.json().then(function (found) {
        if (reply.ok) { return found; }
        var refusal = new Error(typeof found.detail === "string" ? found.detail : found.error || "refused");
        refusal.isRefusal = true;
        throw refusal;
      });
    });
  }

  // Answers go to the server one after the other, in the order in which they were given, until each is there.
  function save() {
    if (state.saving || !state.unsaved.length) { return; }
    state.saving = true;
    var next = state.unsaved[0];
    ask("/items/" + next.turn + "/" + encodeURIComponent(next.task), {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ value: next.value, note: next.note })
    }).then(function (found) {
      state.unsaved.shift();
      state.done = found.done;
      state.saving = false;
      trouble("");
      count();
      save();
    }).catch(function (error) {
      state.saving = false;
      if (error.isRefusal) {
        state.unsaved.shift();
        trouble("Not saved: " + error.message);
        return;
      }
      trouble("The server does not answer. " + state.unsaved.length + " answers are not saved yet; keep this page open.");
      setTimeout(save, 1000);
    });
  }

  function count() {
    element("count").textContent = state.done + " of " + state.total + " done; item " + (state.turn + 1) +
      (state.unsaved.length ? "; saving" : "");
    element("bar").max = Math.max(state.total, 1);
    element("bar").value = state.done;
  }

  function text(tag, words, name) {
    var made = document.createElement(tag);
    made.textContent = words;
    if (name) { made.className = name; }
    return made;
  }

  function showTexts(shown) {
    var place = element("texts");
    place.replaceChildren();
    shown.forEach(function (each) {
      var section = document.createElement("section");
      if (each.is_answer) { section.className = "answer"; }
      section.appendChild(text("h2", each.heading));
      var words = text("div", each.text, "words");
      words.dir = "auto";
      words.tabIndex = each.text.length > 1500 ? 0 : -1;
      section.appendChild(words);
      place.appendChild(section);
    });
  }

  function showQuestions(asked) {
    var form = element("questions");
    form.replaceChildren();
    asked.forEach(function (each, number) {
      var set = document.createElement("fieldset");
      set.appendChild(text("legend", each.ask));
      var options = document.createElement("div");
      options.className = "options" + (each.options[0].text.length < 3 ? " row" : "");
      each.options.forEach(function (option, place) {
        var label = document.createElement("label");
        var input = document.createElement("input");
        input.type = "radio";
        input.name = each.name;
        input.value = option.value;
        input.checked = each.value === option.value;
        input.addEventListener("change", function () { answer(number, option.value); });
        input.addEventListener("focus", function () { mark(number); });
        label.appendChild(input);
        label.appendChild(text("kbd", keyOf(each.options, place)));
        label.appendChild(text("span", option.text));
        options.appendChild(label);
      });
      set.appendChild(options);
      form.appendChild(set);
    });
  }

  // Numbers are chosen by themselves, other options by their place from 1 on.
  function keyOf(options, place) {
    return options.every(function (each) { return /^[0-9]$/.test(each.value); })
      ? options[place].value : String(place + 1);
  }

  function mark(number) {
    var sets = element("questions").querySelectorAll("fieldset");
    state.marked = Math.max(0, Math.min(number, sets.length - 1));
    sets.forEach(function (set, place) { set.classList.toggle("marked", place === state.marked); });
    if (sets[state.marked]) { sets[state.marked].scrollIntoView({ block: "nearest" }); }
  }

  function answer(number, value) {
    var asked = state.item.asked[number];
    asked.value = value;
    var inputs = element("questions").querySelectorAll("fieldset")[number].querySelectorAll("input");
    inputs.forEach(function (input) { input.checked = input.value === value; });
    state.unsaved.push({ turn: state.turn, task: asked.name, value: value, note: element("note").value });
    count();
    save();
    if (number + 1 < state.item.asked.length) { mark(number + 1); }
  }

  function show(turn) {
    if (turn < 0 || turn >= state.total) { return; }
    state.turn = turn;
    ask("/items/" + turn).then(function (item) {
      if (state.turn !== turn) { return; }
      state.unsaved.forEach(function (waiting) {
        item.asked.forEach(function (each) {
          if (waiting.turn === turn && waiting.task === each.name) { each.value = waiting.value; }
        });
      });
      state.item = item;
      showTexts(item.shown);
      showQuestions(item.asked);
      element("note").value = item.note;
      var first = item.asked.findIndex(function (each) { return !each.value; });
      mark(Math.max(first, 0));
      count();
      window.scrollTo(0, 0);
    }).catch(function (error) {
      if (error.isRefusal) { trouble(error.message); return; }
      trouble("The server does not answer. Trying again.");
      setTimeout(function () { if (state.turn === turn) { trouble(""); show(turn); } }, 1000);
    });
  }

  function undone() {
    ask("").then(function (found) {
      state.done = found.done;
      var after = found.undone.filter(function (turn) { return turn > state.turn; });
      if (found.undone.length) { show(after.length ? after[0] : found.undone[0]); } else { count(); trouble("All items have an answer. Thank you."); }
    }).catch(function (error) { trouble(error.isRefusal ? error.message : "The server does not answer."); });
  }

  function noteChanged() {
    var said = state.item && state.item.asked.filter(function (each) { return each.value; });
    if (said && said.length) {
      var last = said[said.length - 1];
      state.unsaved.push({ turn: state.turn, task: last.name, value: last.value, note: element("note").value });
      save();
    } else {
      trouble("The note is saved with your first answer to this item.");
    }
  }

  function theme() {
    var root = document.documentElement;
    var chosen = root.getAttribute("data-theme");
    var dark = chosen ? chosen === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
    root.setAttribute("data-theme", dark ? "light" : "dark");
    element("theme").firstChild.textContent = dark ? "Dark page " : "Light page ";
  }

  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) { return; }
    if (event.target === element("note")) {
      if (event.key === "Escape") { element("note").blur(); }
      return;
    }
    var acts = {
      ArrowRight: function () { show(state.turn + 1); },
      Enter: function () { show(state.turn + 1); },
      ArrowLeft: function () { show(state.turn - 1); },
      ArrowDown: function () { mark(state.marked + 1); },
      ArrowUp: function () { mark(state.marked - 1); },
      u: undone,
      n: function () { element("note").focus(); },
      d: theme
    };
    if (event.target.tagName === "BUTTON" && event.key === "Enter") { return; }
    if (state.item && /^[0-9]$/.test(event.key)) {
      var options = state.item.asked[state.marked].options;
      var chosen = options.findIndex(function (_, place) { return keyOf(options, place) === event.key; });
      if (chosen >= 0) { answer(state.marked, options[chosen].value); event.preventDefault(); }
    } else if (Object.prototype.hasOwnProperty.call(acts, event.key)) {
      acts[event.key]();
      event.preventDefault();
    }
  });
  element("questions").addEventListener("submit", function (event) { event.preventDefault(); });
  element("previous").addEventListener("click", function () { show(state.turn - 1); });
  element("next").addEventListener("click", function () { show(state.turn + 1); });
  element("undone").addEventListener("click", undone);
  element("theme").addEventListener("click", theme);
  element("note").addEventListener("change", noteChanged);
  window.addEventListener("beforeunload", function (event) {
    if (state.unsaved.length) { event.preventDefault(); }
  });

  ask("").then(function (found) {
    state.total = found.total;
    state.done = found.done;
    element("who").textContent = found.name + ", task: " + found.task;
    document.title = found.done + "/" + found.total + " " + found.task;
    show(found.undone.length ? found.undone[0] : 0);
  }).catch(function (error) { trouble(error.isRefusal ? error.message : "The server does not answer. Load the page again."); });
})();
