"use strict";
(function () {
  var parts = location.hash.slice(1).split("/");
  var isOverseer = parts.length === 1, key = parts[isOverseer ? 0 : 1];
  var base = isOverseer ? "/api/progress" : "/api/annotators/" + parts[0];
  // open: turns without an answer. turn: that was asked for last; shown: of what is on the page. They differ, and item is null, while it is on its way.
  var state = { total: 0, done: 0, task: "", open: [], turn: 0, shown: 0, item: null, marked: 0, drafts: {},
    unsaved: [], fault: "", saving: false, request: null };

  function ask(path, options) {
    var given = Object.assign({ headers: {} }, options);
    given.headers = Object.assign({ "X-Ragassay-Key": key }, given.headers);
    return fetch(base + path, given).then(function (reply) {
      return reply.json().then(function (found) {
        if (reply.ok) { return found; }
        var refusal = new Error(typeof found.detail === "string" ? found.detail : found.error || "refused");
        refusal.isRefusal = reply.status < 500;
        refusal.isWrong = [400, 404, 411, 413, 422].indexOf(reply.status) >= 0;
        throw refusal;
      });
    });
  }

  // Answers go to the server one after the other, in the order in which they were given, until each is there. One that
  // the server calls wrong is given up, and what is kept is shown again; after any other trouble it is sent once more.
  function save() {
    if (state.saving) { return; }
    if (!state.unsaved.length) { return; }
    state.saving = true;
    var next = state.unsaved[0];
    ask("/items/" + next.turn + "/" + encodeURIComponent(next.task), {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      // The coder puts a replacement for half a character, which no server takes.
      body: JSON.stringify({ value: next.value, note: new TextDecoder().decode(new TextEncoder().encode(next.note)) })
    }).then(function (found) {
      state.unsaved.shift();
      state.done = found.done;
      state.saving = false;
      trouble(state.fault); // of what was typed meanwhile
      count();
      save();
    }).catch(function (error) {
      state.saving = false;
      if (error.isWrong) {
        state.unsaved.shift();
        state.open = state.open.concat([next.turn]);
        show(next.turn, "Not saved: " + error.message);
        save();
        return;
      }
      trouble((error.isRefusal ? "The server says: " + error.message + ". " : "The server does not answer. ") +
        state.unsaved.length + (state.unsaved.length === 1 ? " answer is" : " answers are") + " not saved yet; keep this page open.");
      setTimeout(save, 1000);
    });
  }

  function count() {
    document.title = state.done + "/" + state.total + " " + state.task;
    element("count").textContent = state.done + " of " + state.total + " done; item " + (state.shown + 1) +
      (state.unsaved.length ? "; saving" : "");
  }

  // How far everybody is, again and again; the first time also where this annotator goes on.
  function look() {
    ask("").then(function (found) {
      element("who").textContent = (found.name ? found.name + ", " : "") + "task: " + found.task;
      element("people").replaceChildren.apply(element("people"), found.annotators.map(function (each) {
        var one = makeElement("span", each.name + " " + each.done + " of " + each.total + " ");
        one.append(Object.assign(makeElement("progress"), { max: Math.max(each.total, 1), value: each.done }));
        return one;
      }));
      if (isOverseer || !state.begun) { trouble(""); }
      if (isOverseer || state.begun) { return; }
      Object.assign(state, { begun: true, total: found.total, done: found.done, task: found.task, open: found.undone });
      show(found.undone.length ? found.undone[0] : 0);
    }).catch(function (error) {
      if (isOverseer || !state.begun) { trouble(error.isRefusal ? error.message : "The server does not answer. Trying again."); }
    }).then(function () { setTimeout(look, state.begun ? 10000 : 3000); });
  }

  function showTexts(shown) {
    var place = element("texts");
    var answers = makeElement("div", "", "answers");
    place.replaceChildren();
    shown.forEach(function (each) {
      var section = makeElement("section", null, each.is_answer ? "answer" : "");
      var heading = makeElement("h2", each.heading), words = makeElement("div", each.text, "words");
      words.dir = "auto";
      section.append(heading, words);
      if (each.is_answer) { place.append(answers); }
      (each.is_answer ? answers : place).append(section);
      if (words.scrollHeight > words.clientHeight + 1) { // more than is seen at once
        words.tabIndex = 0;
        words.setAttribute("role", "region");
        words.setAttribute("aria-label", each.heading);
        section.classList.add("long");
        heading.appendChild(makeElement("small", " " + each.text.length.toLocaleString("en") + " characters, scroll to read all"));
      }
    });
  }

  function showQuestions(asked) {
    var form = element("questions");
    form.replaceChildren();
    asked.forEach(function (each, number) {
      var set = document.createElement("fieldset");
      set.tabIndex = -1;
      set.appendChild(makeElement("legend", each.ask));
      var options = makeElement("div", "", "options" + (each.options[0].text.length < 3 ? " row" : ""));
      each.options.forEach(function (option, place) {
        var label = document.createElement("label");
        var input = Object.assign(makeElement("input"), { type: "radio", name: each.name, value: option.value, checked: chosen(each) === option.value });
        input.addEventListener("click", function () { answer(number, option.value, true); });
        input.addEventListener("focus", function () { mark(number); });
        label.append(input, makeElement("kbd", keyOf(each.options, place)), makeElement("span", option.text));
        options.append(label);
      });
      set.append(options);
      form.append(set);
    });
    var isMended = Boolean(asked[0] && asked[0].example);
    element("mending").hidden = !isMended;
    if (isMended) { mend.show(element("texts"), form, asked[0], function () { answer(0, "mended"); }); }
  }

  function chosen(asked) { return asked.example ? mend.decision(asked.value) : asked.value; }

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

  // Marks a question and goes there, so that it is read out.
  function goTo(number) {
    mark(number);
    var set = element("questions").querySelectorAll("fieldset")[state.marked];
    if (set) { set.focus({ preventScroll: true }); } // not one of its options: a space would choose that
  }

  // isChosen: by key or click, after which the next open item comes; not by what was changed in a field.
  function answer(number, value, isChosen) {
    if (!state.item) { return; } // the next one is on its way
    var asked = state.item.asked[number], all = state.item.asked;
    var wasOpen = all.some(function (each) { return !each.value; });
    if (asked.example && value === "kept") { mend.fill(null); }
    state.fault = asked.example && value === "mended" ? mend.fault() : "";
    if (asked.example) { trouble(state.fault); }
    if (state.fault) { return; }
    asked.value = asked.example ? mend.value(value) : value;
    var inputs = element("questions").querySelectorAll("fieldset")[number].querySelectorAll("input");
    inputs.forEach(function (input) { input.checked = input.value === value; });
    if (element("note").value !== state.item.note) {
      noteChanged();
    } else {
      delete state.drafts[state.turn];
      showDraft();
      state.unsaved.push({ turn: state.turn, task: asked.name, value: asked.value, note: state.item.note });
      count();
      save();
    }
    var isOpen = all.some(function (each) { return !each.value; });
    if (!isOpen) { close(state.turn); }
    if (isChosen && !isOpen && (wasOpen || all.length === 1)) { undone(); } else if (number + 1 < all.length) { goTo(number + 1); }
  }

  // said: what is to be read when the item is there. Until then nothing can be answered: it would be another item's.
  function show(turn, said) {
    if (turn < 0 || turn >= state.total) { return; }
    if (state.fault) { trouble(state.fault); return; } // what was typed would be gone
    if (state.item && element("note").value !== lastNote()) { noteChanged(); }
    state.turn = turn;
    state.item = null;
    element("main").setAttribute("aria-busy", "true");
    element("main").inert = true;
    // What is unsaved now may be saved before the item comes, which may have been read before that.
    var unsaved = state.unsaved.slice();
    var request = state.request = {};
    ask("/items/" + turn).then(function (item) {
      if (state.request !== request) { return; } // another was asked for since, or the same once more
      element("main").inert = false;
      element("main").removeAttribute("aria-busy");
      unsaved.forEach(function (waiting) {
        item.asked.forEach(function (each) {
          if (waiting.turn === turn && waiting.task === each.name) { each.value = waiting.value; item.note = waiting.note; }
        });
      });
      state.item = item;
      if (item.done) { close(turn); }
      state.shown = turn;
      showTexts(item.shown);
      showQuestions(item.asked);
      element("note").value = lastNote();
      showDraft();
      var first = item.asked.findIndex(function (each) { return !each.value; });
      mark(Math.max(first, 0));
      count();
      if (said !== undefined) { trouble(said); }
      element("main").scrollTop = element("asked").scrollTop = 0;
    }).catch(function (error) {
      if (state.request !== request) { return; }
      if (error.isRefusal) { trouble(error.message); return; }
      if (!state.unsaved.length) { trouble("The server does not answer. Trying again."); } // save says it of an answer
      setTimeout(function () { if (state.request === request) { show(turn, said || ""); } }, 1000);
    });
  }

  function close(turn) { state.open = state.open.filter(function (each) { return each !== turn; }); }

  // The next item without an answer, else the first.
  function undone() {
    var after = state.open.filter(function (turn) { return turn > state.turn; });
    if (state.open.length) { show(Math.min.apply(null, after.length ? after : state.open)); } else { trouble("All items have an answer. Thank you."); }
  }

  // Takes back the last answer, once all are saved.
  function undo() {
    if (state.unsaved.length || state.fault) { trouble(state.fault || "Not saved yet; press z again."); return; }
    ask("/undo", { method: "POST" }).then(function (found) {
      state.done = found.done;
      state.open = state.open.concat([found.turn]);
      show(found.turn, "");
    }).catch(function (error) { trouble(error.isRefusal ? error.message : "The server does not answer."); });
  }

  // The note to the item on the page when it was last looked at: the draft where nothing is answered yet.
  function lastNote() { return state.drafts[state.turn] || state.item.note; }

  // In a line that is always there: a field is left by a click on an option, which must not move away below the click.
  function showDraft() {
    element("drafted").textContent = state.drafts[state.turn] ? "The note is saved with your first answer to this item." : "";
  }

  // A note is about the item: it goes with every answer that was given there. One that was emptied is no draft any more.
  function noteChanged() {
    if (!state.item) { return; }
    var said = state.item.asked.filter(function (each) { return each.value; });
    var note = element("note").value;
    if (said.length) {
      state.item.note = note;
      delete state.drafts[state.turn];
      said.forEach(function (each) { state.unsaved.push({ turn: state.turn, task: each.name, value: each.value, note: note }); });
      count();
      save();
    } else if (note) {
      state.drafts[state.turn] = note;
    } else {
      delete state.drafts[state.turn];
    }
    showDraft();
  }

  function theme() {
    var root = document.documentElement, chosen = root.getAttribute("data-theme");
    var dark = chosen ? chosen === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
    root.setAttribute("data-theme", dark ? "light" : "dark");
    element("theme").firstChild.textContent = dark ? "Dark page " : "Light page ";
  }

  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) { return; }
    if (event.target === element("note") || mend.isField(event.target)) {
      if (event.key === "Escape") { event.target.blur(); }
      return;
    }
    var acts = {
      ArrowRight: function () { show(state.turn + 1); },
      Enter: function () { show(state.turn + 1); },
      ArrowLeft: function () { show(state.turn - 1); },
      ArrowDown: function () { goTo(state.marked + 1); },
      ArrowUp: function () { goTo(state.marked - 1); },
      u: undone,
      z: undo,
      n: function () { element("note").focus(); },
      d: theme
    };
    if (state.item && state.item.asked[0].example) {
      acts.q = function () { mend.focus("question"); };
      acts.a = function () { mend.focus("answer"); };
      acts.l = function () { mend.focus("label"); };
      acts.r = function () { mend.focus("reference"); };
    }
    if (event.target.tagName === "BUTTON" && event.key === "Enter") { return; }
    if (event.target.className === "words" && /^Arrow(Up|Down)$/.test(event.key)) { return; } // scrolls the text
    if (state.item && /^[0-9]$/.test(event.key)) {
      var options = state.item.asked[state.marked].options;
      var chosen = options.findIndex(function (_, place) { return keyOf(options, place) === event.key; });
      if (chosen >= 0) { answer(state.marked, options[chosen].value, true); event.preventDefault(); }
    } else if (Object.prototype.hasOwnProperty.call(acts, event.key)) {
      acts[event.key]();
      event.preventDefault();
    }
  });
  element("questions").addEventListener("submit", function (event) { event.preventDefault(); });
  var buttons = { previous: function () { show(state.turn - 1); }, next: function () { show(state.turn + 1); }, undone: undone, undo: undo, theme: theme };
  Object.keys(buttons).forEach(function (id) { element(id).addEventListener("click", buttons[id]); });
  element("note").addEventListener("change", noteChanged);
  window.addEventListener("beforeunload", function (event) {
    if (state.unsaved.length || state.fault || Object.keys(state.drafts).length) { event.preventDefault(); }
  });

  ["main", "items", "help"].forEach(function (id) { element(id).hidden = isOverseer; });
  look();
})();
