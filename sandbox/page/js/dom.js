/**
 * Building elements, and the few DOM habits the page shares. Knows nothing of chats.
 *
 * Text only ever enters the document as text nodes: what people and bots write cannot become markup.
 */

import { iconPath } from "./icons.js";

/**
 * Makes an element.
 * @param {string} tag  "button", or "button.icon-button.large" to add classes
 * @param {Object} [props]  `on: {event: handler}`, `dataset: {…}`, `style: {"css-property": value}`,
 *   properties (`value`, `checked`, `className`), or attributes; null, undefined and false leave an attribute
 *   out, true writes it empty (aria-* attributes are written as "true" and "false")
 * @param {...(Node|string|number|null|undefined|false|Array)} children
 * @returns {HTMLElement}
 */
export function h(tag, props = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(props ?? {})) setProperty(element, key, value);
  if (name === "button" && !element.hasAttribute("type")) element.type = "button";
  append(element, children);
  return element;
}

function setProperty(element, key, value) {
  if (key === "on")
    for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
  else if (key === "dataset") {
    for (const [name, data] of Object.entries(value))
      if (data !== null && data !== undefined) element.dataset[name] = data;
  } else if (key === "style") {
    for (const [name, rule] of Object.entries(value)) element.style.setProperty(name, rule);
  } else if (key === "className") element.className = [element.className, value].filter(Boolean).join(" ");
  else if (key === "value" || key === "checked" || key === "htmlFor") element[key] = value;
  else if (key.startsWith("aria-")) {
    if (value !== null && value !== undefined) element.setAttribute(key, String(value));
  } else if (value === true) element.setAttribute(key, "");
  else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
}

/** Appends children, skipping null, undefined and false, flattening arrays. */
export function append(parent, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : String(child));
  }
  return parent;
}

/** Replaces everything inside an element, as `append` would put it. */
export function fill(parent, ...children) {
  parent.replaceChildren();
  return append(parent, children);
}

const SVG = "http://www.w3.org/2000/svg";

/** A line icon, hidden from screen readers: whatever holds it carries the label. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", iconPath(name));
  for (const [key, value] of [
    ["fill", "none"],
    ["stroke", "currentColor"],
    ["stroke-width", name === "more" ? "3" : "1.8"],
    ["stroke-linecap", "round"],
    ["stroke-linejoin", "round"],
  ]) {
    path.setAttribute(key, value);
  }
  svg.append(path);
  return svg;
}

/** A round button that shows an icon only; its label is for screen readers and the tooltip. */
export function iconButton(name, label, testid, handler, props = {}) {
  return h(
    "button.icon-button",
    { "aria-label": label, title: label, dataset: { testid }, on: { click: handler }, ...props },
    icon(name),
  );
}

/**
 * Moves focus with the arrow keys, Home and End among the elements a function lists.
 * @returns {(event: KeyboardEvent) => void} a keydown handler
 */
export function arrowKeys(list, { horizontal = false } = {}) {
  const [back, forward] = horizontal ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
  return (event) => {
    const items = list();
    const here = items.indexOf(document.activeElement);
    const there = {
      [back]: here <= 0 ? items.length - 1 : here - 1,
      [forward]: (here + 1) % items.length,
      Home: 0,
      End: items.length - 1,
    }[event.key];
    if (there === undefined || !items.length) return;
    event.preventDefault();
    items[there].focus();
  };
}

/**
 * Calls `task` at most once per animation frame, and not while a pointer is down: an element that is replaced between
 * press and release would lose its click.
 */
export function coalesced(task) {
  let waiting = false;
  const run = () => {
    if (isHeld) return void released.push(run);
    waiting = false;
    task();
  };
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(run);
  };
}

let isHeld = false;
let released = [];

function release() {
  if (!isHeld) return;
  isHeld = false;
  const tasks = released;
  released = [];
  setTimeout(() => tasks.forEach((task) => task())); // the click comes first
}

document.addEventListener("pointerdown", () => (isHeld = true), true);
document.addEventListener("pointerup", release, true);
document.addEventListener("pointercancel", release, true);
document.addEventListener("pointermove", (event) => event.buttons === 0 && release(), true); // let go outside
