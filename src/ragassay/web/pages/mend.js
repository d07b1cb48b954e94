"use strict";
// The part of an annotator's page on which an example is mended: its passage, label, question and answer.
var mend = (function () {
  var example = null, picked = [], fields = {}, spans = [], changed = null;

  // What the page has of it: what is as it was is left out, so that it stays to the letter.
  function value(decision) {
    var found = { decision: decision };
    if (fields.label.value !== example.label) { found.label = fields.label.value; }
    ["question", "answer"].forEach(function (name) {
      if (fields[name].value !== example[name]) { found[name] = fields[name].value; }
    });
    if (picked.length) { found.sentences = picked; }
    return JSON.stringify(found);
  }

  // Why what is on the page cannot be kept, as the server would say it too; empty where it can.
  function fault() {
    var isOpen = fields.label.value === "unanswerable", answer = fields.answer.value.trim();
    var isUnmarked = spans.length > 0 && !spans.some(function (span) { return span.element.classList.contains("reference"); });
    var why = !fields.question.value.trim() ? "the question is empty; write one, or drop the example"
      : isOpen && answer ? "an unanswerable question has no answer; empty it, or choose another label"
      : !isOpen && !answer && example.labels.indexOf(fields.label.value) >= 0
        ? "the answer is empty; write one, or choose the label unanswerable"
      : !isOpen && answer && isUnmarked ? "nothing says where the answer stands; choose a sentence of the passage" : "";
    return why && "Not saved yet: " + why + ".";
  }

  function markReferences() {
    spans.forEach(function (span) {
      var piece = span.piece;
      var isMarked = picked.length ? picked.indexOf(piece.sentence) >= 0 : piece.is_reference;
      span.element.classList.toggle("reference", isMarked);
      if (piece.sentence !== null) { span.element.setAttribute("aria-checked", String(isMarked)); }
    });
  }

  function pick(sentence) {
    picked = picked.indexOf(sentence) >= 0
      ? picked.filter(function (each) { return each !== sentence; }) : picked.concat([sentence]);
    markReferences();
    changed();
  }

  function passage() {
    var section = makeElement("section", "", "long"), words = makeElement("div", "", "words passage");
    section.append(makeElement("h2", "Passage, with what the answer rests on marked"));
    words.dir = "auto";
    spans = example.passage.map(function (piece) {
      var element = makeElement("span", piece.text);
      if (piece.sentence !== null) {
        element.tabIndex = 0;
        element.setAttribute("role", "checkbox");
        element.addEventListener("click", function () { pick(piece.sentence); });
        element.addEventListener("keydown", function (event) {
          if (event.key !== " " || event.ctrlKey || event.metaKey || event.altKey) { return; }
          pick(piece.sentence);
          event.preventDefault();
          event.stopPropagation();
        });
      }
      words.append(element);
      return { element: element, piece: piece };
    });
    section.append(words);
    return section;
  }

  function field(name, title, key, element) {
    var label = makeElement("label", title + " ");
    label.append(makeElement("kbd", key));
    element.id = "mend-" + name;
    label.htmlFor = element.id;
    element.addEventListener("change", function () { changed(); });
    fields[name] = element;
    var line = makeElement("p", "", "note-field");
    line.append(label, element);
    return line;
  }

  function textField(name, title, key, rows) {
    var area = document.createElement("textarea");
    area.rows = rows;
    area.maxLength = example.most[name];
    area.dir = "auto";
    return field(name, title, key, area);
  }

  function labelField() {
    var choice = document.createElement("select");
    example.labels.concat(example.labels.indexOf(example.label) < 0 ? [example.label] : []).forEach(function (each) {
      choice.appendChild(makeElement("option", each));
    });
    return field("label", "Label", "l", choice);
  }

  // asked: the question, with the answer that was given before. whenChanged: called when the person has changed something.
  function show(texts, form, asked, whenChanged) {
    example = asked.example;
    changed = whenChanged;
    if (example.passage.length) { texts.prepend(passage()); }
    form.prepend(textField("question", "Question", "q", 2), textField("answer", "Answer", "a", 2), labelField());
    fill(asked.value);
    var mark = texts.querySelector(".reference");
    if (mark) { mark.parentNode.scrollTop = mark.offsetTop - mark.parentNode.clientHeight / 3; }
  }

  function fill(said) {
    var before = said ? JSON.parse(said) : {};
    ["label", "question", "answer"].forEach(function (name) {
      fields[name].value = typeof before[name] === "string" ? before[name] : example[name];
    });
    picked = before.sentences || [];
    markReferences();
  }

  return {
    show: show,
    fill: fill,
    value: value,
    fault: fault,
    decision: function (said) { return said ? JSON.parse(said).decision : said; },
    focus: function (name) {
      var first = spans.find(function (each) { return each.element.classList.contains("reference"); }) || spans[0];
      if (fields[name]) { fields[name].focus(); } else if (first) { first.element.focus(); }
    },
    isField: function (element) { return Object.keys(fields).some(function (name) { return fields[name] === element; }); }
  };
})();
