/**
 * The script of the farm's page, as it stands there. Written for a browser and
 * kept as text: the project's own code never runs in one.
 */
export const player = `
"use strict";
const { runs, times, fills, gap } = JSON.parse(document.getElementById("data").textContent);
const slider = document.getElementById("time");
const play = document.getElementById("play");
let timer = 0;

function decoded(text) {
  const states = [];
  for (const [, times, letter] of text.matchAll(/(\\d*)([a-z])/g)) {
    const state = letter.charCodeAt(0) - 97;
    for (let i = times === "" ? 1 : Number(times); i > 0; i--) states.push(state);
  }
  return states;
}

function colourOf(fill) {
  const name = /^var\\((.*)\\)$/.exec(fill);
  return name === null ? fill : getComputedStyle(document.documentElement).getPropertyValue(name[1]).trim();
}

function duration(seconds) {
  if (seconds < 3600) return Math.round(seconds / 60) + " min";
  if (seconds < 86400) return (seconds / 3600).toFixed(1) + " h";
  return (seconds / 86400).toFixed(1) + " d";
}

// The last frame taken by that time.
function frameAt(run, time) {
  let found = run.frames[0];
  for (const frame of run.frames) if (frame.at <= time) found = frame;
  return found;
}

function draw() {
  const time = times[Number(slider.value)];
  document.getElementById("shown").textContent = duration(time);
  slider.setAttribute("aria-valuetext", duration(time));
  const colours = fills.map((fill) => (fill === "none" ? null : colourOf(fill)));
  const ground = colourOf("var(--farm-ground)");
  runs.forEach((run, i) => {
    const canvas = document.getElementById("farm-" + i);
    // As many pixels as the screen has there: lines between rows would blur or vanish otherwise.
    const scale = (canvas.clientWidth * devicePixelRatio) / (run.width + 2);
    canvas.width = Math.round((run.width + 2) * scale);
    canvas.height = Math.round((run.height + 2) * scale);
    const context = canvas.getContext("2d");
    context.fillStyle = ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
    const frame = frameAt(run, time);
    decoded(frame.states).forEach((state, slot) => {
      if (colours[state] === null) return;
      const node = Math.floor(slot / run.slots);
      const left = 1 + (node % run.nodesPerRow) * (run.slots + gap) + (slot % run.slots);
      const top = 1 + Math.floor(node / run.nodesPerRow);
      const [x, y] = [Math.round(left * scale), Math.round(top * scale)];
      const line = scale < 3 ? 0 : 1;
      context.fillStyle = colours[state];
      context.fillRect(x, y, Math.round((left + 1) * scale) - x, Math.round((top + 1) * scale) - y - line);
    });
    document.getElementById("figures-" + i).textContent =
      "at " + duration(frame.at) + ": " + (frame.pi === null ? "no packed job runs" : "packing index " + frame.pi.toFixed(2)) +
      ", fill factor " + (frame.ff * 100).toFixed(1) + " %";
  });
}

function isAtEnd() {
  return Number(slider.value) >= times.length - 1;
}

function stop() {
  clearInterval(timer);
  timer = 0;
  play.textContent = "Play";
}

play.addEventListener("click", () => {
  if (timer !== 0) return stop();
  if (isAtEnd()) slider.value = 0;
  play.textContent = "Pause";
  timer = setInterval(() => {
    slider.value = Number(slider.value) + 1;
    draw();
    if (isAtEnd()) stop();
  }, 200);
});
slider.addEventListener("input", draw);
addEventListener("resize", draw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
document.getElementById("controls").addEventListener("submit", (event) => event.preventDefault());
draw();
`;
