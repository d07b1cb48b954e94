"use strict";
(function () {
  var key = location.hash.slice(1);

  function cell(row, text) {
    var element = row.insertCell();
    element.textContent = text;
    return element;
  }

  function show(found) {
    document.getElementById("task").textContent = "Task: " + found.task;
    var rows = document.getElementById("rows");
    rows.replaceChildren();
    found.annotators.forEach(function (each) {
      var row = rows.insertRow();
      cell(row, each.name);
      cell(row, each.done);
      cell(row, each.total);
      var bar = document.createElement("progress");
      bar.max = Math.max(each.total, 1);
      bar.value = each.done;
      bar.setAttribute("aria-label", each.done + " of " + each.total);
      cell(row, "").appendChild(bar);
    });
  }

  function look() {
    var trouble = document.getElementById("trouble");
    fetch("/api/progress", { headers: { "X-Ragassay-Key": key } })
      .then(function (reply) { return reply.json().then(function (found) { return [reply.ok, found]; }); })
      .then(function (got) {
        trouble.hidden = got[0];
        if (got[0]) { show(got[1]); } else { trouble.textContent = got[1].detail || got[1].error; }
      })
      .catch(function () {
        trouble.hidden = false;
        trouble.textContent = "The server does not answer. Trying again.";
      })
      .then(function () { setTimeout(look, 3000); });
  }
  look();
})();
