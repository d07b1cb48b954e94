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

  var data = document.getElementById("items-data"); // pages of sweeps and experiments have none
  if (data) {
    var items = JSON.parse(data.textContent);
    showItems(document.getElementById("items-table"), items, function (place) { return Promise.resolve(items.details[place]); });
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
