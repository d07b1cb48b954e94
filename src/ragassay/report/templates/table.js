"use strict";
// What the tables that are drawn anew have in common: making elements, turning pages, keeping the focus.
function makeElement(tag, text, name) {
  var element = document.createElement(tag);
  if (text !== undefined && text !== null) { element.textContent = text; }
  if (name) { element.className = name; }
  return element;
}

// Fills turning with buttons where there are several pages. state.page: the one that is shown.
function fillTurning(turning, root, state, pages, draw) {
  function turn(text, page, possible) {
    var button = makeElement("button", text);
    button.type = "button";
    button.disabled = !possible;
    button.dataset.kept = "turn " + text;
    button.addEventListener("click", function () { state.page = page; draw(); root.scrollIntoView(); });
    return button;
  }

  turning.replaceChildren();
  if (pages > 1) {
    turning.appendChild(turn("Previous", state.page - 1, state.page > 0));
    turning.appendChild(makeElement("span", " page " + (state.page + 1) + " of " + pages + " "));
    turning.appendChild(turn("Next", state.page + 1, state.page < pages - 1));
  }
}

// What is drawn anew takes the focus along: who sorts or turns by keyboard goes on from there.
function drawKeepingFocus(root, wide, drawAll) {
  var focused = document.activeElement && root.contains(document.activeElement) ? document.activeElement.dataset.kept : "";
  drawAll();
  if (!focused) { return; }
  root.querySelectorAll("button").forEach(function (button) {
    if (button.dataset.kept === focused) { (button.disabled ? wide : button).focus({ preventScroll: true }); }
  });
}
