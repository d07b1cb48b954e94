"use strict";
// How far a run is, in words: "running: scoring, 3 of 9, 27 replies, 2 failed, $0.14, 1 min left", "stopped at scoring, 3 of 9".
function stateOf(run) {
  var at = run.progress;
  if (!at) { return run.state; }
  if (at.stopped_by) { return "stopped: " + at.stopped_by; }
  var done = at.total ? at.done + " of " + at.total : at.done || "";
  var replies = at.replies ? at.replies + (at.replies === 1 ? " reply" : " replies") : "";
  var failed = at.failed ? at.failed + " failed" : "";
  var cost = at.cost_usd ? "$" + at.cost_usd.toFixed(2) : "";
  var speed = run.state === "running" ? speedOf(at) : "";
  var far = [at.stage, done, replies, failed, cost, speed].filter(Boolean).join(", ");
  return run.state + (far ? (run.state === "running" ? ": " : " at ") + far : "");
}

// Over the whole stage so far, so that what was kept of an earlier command counts, too; nothing for the first seconds.
function speedOf(at) {
  if (!at.done || at.elapsed_s < 5) { return ""; }
  var rate = at.done / at.elapsed_s;
  var shown = rate < 1 ? +(60 * rate).toPrecision(2) + " a minute" : +rate.toPrecision(2) + " a second";
  var left = at.total > at.done ? (at.total - at.done) / rate : 0;
  if (!left) { return shown; }
  return shown + ", " + (left < 60 ? Math.ceil(left) + " s" : left < 5400 ? Math.round(left / 60) + " min" : (left / 3600).toFixed(1) + " h") + " left";
}
