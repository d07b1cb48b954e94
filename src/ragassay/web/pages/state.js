"use strict";
// How far a run is, in words: "running: scoring, 3 of 9, 27 replies", "stopped at scoring, 3 of 9".
function stateOf(run) {
  var at = run.progress;
  if (!at) { return run.state; }
  if (at.stopped_by) { return "stopped: " + at.stopped_by; }
  var done = at.total ? at.done + " of " + at.total : at.done || "";
  var replies = at.replies ? at.replies + (at.replies === 1 ? " reply" : " replies") : "";
  var far = [at.stage, done, replies].filter(Boolean).join(", ");
  return run.state + (far ? (run.state === "running" ? ": " : " at ") + far : "");
}
