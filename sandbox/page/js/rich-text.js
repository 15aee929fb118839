/**
 * Text with the Bot API's entities as DOM. Offsets are UTF-16 units, which is what JavaScript strings count
 * in. What a click on a link, a command or a mention does is the caller's.
 */

import { h } from "./dom.js";
import { withEmoji } from "./emoji.js";
import { t } from "./strings.js";
import { entityMoment, fullMoment } from "./times.js";

/**
 * @typedef {{locale: string, now: () => number, onLink: (url: string) => void, onCommand: (text: string) =>
 *   void, onMention: (text: string) => void, onPerson: (id: number) => void, onCopy: (text: string) => void}}
 *   Reader
 *
 * @param {string} text
 * @param {Object[]} entities  any order; nested or overlapping
 * @param {Reader} reader
 * @returns {DocumentFragment}
 */
export function richText(text, entities, reader) {
  const fragment = document.createDocumentFragment();
  const sorted = entities
    .map((entity) => ({ ...entity, start: entity.offset, end: entity.offset + entity.length }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  fragment.append(...pieces(text, 0, text.length, sorted, reader));
  return fragment;
}

/**
 * The nodes of text[start:end]; `entities` are sorted and lie within it, save those that overlap its end and
 * are cut there.
 */
function pieces(text, start, end, entities, reader) {
  const nodes = [];
  let position = start;
  let queue = [...entities];
  while (queue.length) {
    const entity = queue.shift();
    const stop = Math.min(entity.end, end);
    if (stop <= entity.start || entity.start < position) continue;
    if (entity.start > position) nodes.push(...withEmoji(text.slice(position, entity.start)));
    const inside = queue.filter((other) => other.start < stop);
    const overhang = inside.filter((other) => other.end > stop).map((other) => ({ ...other, start: stop }));
    queue = [...overhang, ...queue.filter((other) => other.start >= stop)].sort(
      (a, b) => a.start - b.start || b.end - a.end,
    );
    nodes.push(
      wrap(entity, text.slice(entity.start, stop), pieces(text, entity.start, stop, inside, reader), reader),
    );
    position = stop;
    if (isBlock(entity) && text[position] === "\n") position += 1; // the block breaks the line by itself
  }
  if (position < end) nodes.push(...withEmoji(text.slice(position, end)));
  return nodes;
}

const isBlock = (entity) => ["pre", "blockquote", "expandable_blockquote"].includes(entity.type);

const PLAIN_TAGS = {
  bold: "strong",
  italic: "em",
  underline: "u",
  strikethrough: "s",
  hashtag: "span.tag",
  cashtag: "span.tag",
  custom_emoji: "span",
};

function wrap(entity, raw, children, reader) {
  if (entity.type in PLAIN_TAGS) return h(PLAIN_TAGS[entity.type], {}, children);
  const make = WRAPPERS[entity.type];
  return make
    ? make(entity, raw, children, reader)
    : h("span", { dataset: { entity: entity.type } }, children);
}

const WRAPPERS = {
  url: (_entity, raw, children, reader) => link(raw, children, reader),
  text_link: (entity, _raw, children, reader) => link(entity.url, children, reader),
  email: (_entity, raw, children) => h("a", { href: `mailto:${raw}` }, children),
  phone_number: (_entity, raw, children) => h("a", { href: `tel:${raw}` }, children),
  bot_command: (_entity, raw, children, reader) => action(children, () => reader.onCommand(raw)),
  mention: (_entity, raw, children, reader) => action(children, () => reader.onMention(raw)),
  text_mention: (entity, _raw, children, reader) => action(children, () => reader.onPerson(entity.user.id)),
  code: (_entity, raw, children, reader) =>
    h("code", { title: t("copy"), on: { click: () => reader.onCopy(raw) } }, children),
  pre: (entity, raw, children, reader) =>
    h(
      "div.pre",
      {},
      h(
        "div.pre-head",
        {},
        h("span", {}, entity.language ?? ""),
        action([t("copy")], () => reader.onCopy(raw)),
      ),
      h("pre.scroll", { tabindex: "0", "aria-label": entity.language ?? t("codeBlock") }, children),
    ),
  blockquote: (_entity, _raw, children) => h("blockquote", {}, children),
  expandable_blockquote: (_entity, _raw, children) => expandable(children),
  spoiler: (_entity, _raw, children) => spoiler(children),
  date_time: (entity, _raw, children, reader) => moment(entity, children, reader),
};

function link(url, children, reader) {
  return h(
    "a",
    {
      href: /^[a-z]+:/i.test(url) ? url : `https://${url}`,
      title: url,
      rel: "noopener noreferrer",
      on: {
        click: (event) => {
          event.preventDefault();
          reader.onLink(url);
        },
      },
    },
    children,
  );
}

function action(children, onClick) {
  return h("button.text-action", { on: { click: onClick } }, children);
}

/**
 * Hidden text is inert as well as blurred: neither the keyboard nor a screen reader gets at it before it is
 * revealed.
 */
function spoiler(children) {
  const content = h("span.spoiler-text", { inert: true }, children);
  const reveal = (event) => {
    if (event.type === "keydown" && !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    hidden.replaceWith(h("span.spoiler.revealed", {}, ...content.childNodes));
  };
  const hidden = h(
    "span.spoiler",
    { role: "button", tabindex: "0", "aria-label": t("spoiler"), on: { click: reveal, keydown: reveal } },
    content,
  );
  return hidden;
}

function expandable(children) {
  const quote = h("blockquote.expandable", {}, h("div.expandable-text", {}, children));
  const toggle = action([t("showMore")], () => {
    const open = quote.classList.toggle("open");
    toggle.textContent = open ? t("showLess") : t("showMore");
  });
  quote.append(toggle);
  return quote;
}

function moment(entity, children, reader) {
  const written = entityMoment(entity.unix_time, entity.date_time_format, reader.locale, reader.now());
  const relative = entity.date_time_format === "r";
  return h(
    "time.moment",
    {
      datetime: new Date(entity.unix_time * 1000).toISOString(),
      title: fullMoment(entity.unix_time),
      dataset: relative ? { unix: entity.unix_time, locale: reader.locale } : {},
    },
    written ?? children,
  );
}

/** Brings relative moments ("in 5 minutes") up to date all over the page. */
export function refreshMoments(now) {
  for (const element of document.querySelectorAll("time.moment[data-unix]")) {
    element.textContent = entityMoment(Number(element.dataset.unix), "r", element.dataset.locale, now);
  }
}
