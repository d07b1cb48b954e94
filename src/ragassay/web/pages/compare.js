"use strict";
(function () {
  var asked = new URLSearchParams(location.search);

  function element(id) { return document.getElementById(id); }

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

  function trouble(error) {
    element("trouble").hidden = false;
    element("trouble").textContent = error.message;
  }

  Promise.all([systems("a", asked.get("a") || ""), systems("b", asked.get("b") || "")]).then(function (made) {
    element("choices").replaceChildren(made[0], made[1]);
    return fetch("/api/compare?" + asked.toString());
  }).then(function (reply) {
    if (!reply.ok) { return reply.json().then(function (found) { throw new Error(found.error || "the address lacks a run"); }); }
    return reply.text();
  }).then(function (text) {
    var found = new DOMParser().parseFromString(text, "text/html"); // all of it escaped by the server
    element("found").replaceChildren.apply(element("found"), Array.from(found.body.childNodes));
  }).catch(trouble);
})();
