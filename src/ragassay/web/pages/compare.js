"use strict";
(function () {
  var asked = new URLSearchParams(location.search);

  function element(id) { return document.getElementById(id); }

  function number(value, digits) { return value === null || value === undefined ? "–" : value.toFixed(digits || 3).replace("-", "−"); }

  function chance(p) { return p < 0.001 ? "< 0.001" : number(p); }

  // The first nTexts columns hold words, the others numbers.
  function head(table, names, nTexts) {
    var row = table.createTHead().insertRow();
    names.forEach(function (name, place) {
      var made = document.createElement("th");
      made.scope = "col";
      made.textContent = name;
      if (place >= nTexts) { made.className = "num"; }
      row.appendChild(made);
    });
    return table.createTBody();
  }

  function add(body, texts, nTexts, name) {
    var row = body.insertRow();
    texts.forEach(function (text, place) {
      var cell = row.insertCell();
      cell.textContent = text;
      cell.className = place >= nTexts ? "num" : "";
    });
    if (name) { row.className = name; }
  }

  function tests(body, found, prefix) {
    Object.keys(found).forEach(function (name) {
      var test = found[name];
      add(body, prefix.concat([name.replace(/_/g, " "), number(test.a), number(test.b), number(test.difference),
        number(test.low, 2) + " to " + number(test.high, 2), chance(test.p_adjusted), test.n]), prefix.length + 1, test.p_adjusted < 0.05 ? "differs" : "");
    });
  }

  function systems(which, run) {
    return fetch("/api/items?run=" + encodeURIComponent(run)).then(function (reply) { return reply.json(); }).then(function (found) {
      if (found.error) { throw new Error(found.error); }
      var chosen = asked.get("system_" + which) || found.systems[0];
      asked.set("system_" + which, chosen);
      var label = document.createElement("label");
      label.append(which.toUpperCase() + ": " + run + ", ");
      var select = document.createElement("select");
      found.systems.forEach(function (name) {
        var option = document.createElement("option");
        option.textContent = name;
        option.selected = name === chosen;
        select.appendChild(option);
      });
      select.addEventListener("change", function () { asked.set("system_" + which, select.value); location.search = asked.toString(); });
      label.appendChild(select);
      return label;
    });
  }

  function show(found) {
    element("count").textContent = found.examples.both + " examples in both";
    var columns = ["A", "B", "B − A", "95 % interval", "p", "pairs"];
    tests(head(element("metrics"), ["metric"].concat(columns), 1), found.metrics, []);
    var labels = head(element("labels"), ["label", "metric"].concat(columns), 2);
    Object.keys(found.labels).forEach(function (label) { tests(labels, found.labels[label], [label]); });
    var changed = head(element("changed"), ["question", "label", "A → B"], 3);
    found.changed.forEach(function (each) {
      var values = Object.keys(each.values).filter(function (name) { return each.values[name][0] !== each.values[name][1]; });
      add(changed, [each.question, each.label, values.slice(0, 6).map(function (name) {
        return name.replace(/_/g, " ") + " " + number(each.values[name][0]) + " → " + number(each.values[name][1]);
      }).join("; ")], 3);
    });
  }

  function trouble(error) {
    element("trouble").hidden = false;
    element("trouble").textContent = error.message;
  }

  Promise.all([systems("a", asked.get("a") || ""), systems("b", asked.get("b") || "")]).then(function (made) {
    element("choices").replaceChildren(made[0], made[1]);
    return fetch("/api/compare?" + asked.toString());
  }).then(function (reply) { return reply.json(); }).then(function (found) {
    if (found.error || found.detail) { throw new Error(found.error || "the address lacks a run"); }
    show(found);
  }).catch(trouble);
})();
