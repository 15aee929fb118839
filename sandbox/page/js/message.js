/**
 * One row of a chat: a bubble with its keyboard, or a service line. A row is made anew when anything in it
 * changes; the list keeps it otherwise. Knows how a message looks, not where messages come from.
 */

import { h, icon } from "./dom.js";
import { avatar, sender, tone } from "./identity.js";
import { inlineKeyboard } from "./keyboard.js";
import { richText } from "./rich-text.js";
import { t } from "./strings.js";
import { clockTime, fullMoment } from "./times.js";

/**
 * @typedef {{message: import("./server.js").Message, own: boolean, showName: boolean, showAvatar: boolean,
 *   first: boolean, last: boolean, pinned: boolean, reply: import("./server.js").Message|null, waiting:
 *   string[]}} Row  `waiting`: the buttons with a spinner, as `index:data`
 * @typedef {{reader: import("./rich-text.js").Reader, onPress: Function, onMenu: Function, onGoTo: (id:
 *   number) => void, onPhoto: (message: Object) => void, onPerson: (id: number) => void}} Hands
 *
 * @param {Row} row
 * @param {Hands} hands
 */
export function messageRow(row, hands) {
  return row.message.service ? serviceRow(row.message) : bubbleRow(row, hands);
}

function serviceRow(message) {
  return h(
    "div.service",
    { dataset: { testid: "service", messageId: message.message_id }, tabindex: "-1" },
    h("span.pill", {}, happening(message)),
  );
}

function bubbleRow(row, hands) {
  const { message, own } = row;
  const author = sender(message);
  const element = h(
    "article.message",
    {
      className: [
        own && "own",
        row.first && "first",
        row.last && "last",
        message.buttons?.length && "with-keyboard",
        message.photo && "with-photo",
      ]
        .filter(Boolean)
        .join(" "),
      tabindex: "-1",
      "aria-label": t("messageFrom", { name: author.name, time: clockTime(message.date) }),
      dataset: { testid: "message", messageId: message.message_id, from: author.id },
    },
    row.showAvatar && (row.last ? avatar(author, "small") : h("span.avatar-space")),
    h(
      "div.message-body",
      {},
      h(
        "div.bubble",
        { style: { "--peer": `var(--peer-${tone(author.id)})` } },
        row.showName &&
          h("button.author", { tabindex: "-1", on: { click: () => hands.onPerson(author.id) } }, author.name),
        message.reply_to && quote(row.reply, message.reply_to, hands),
        message.photo && photo(message, hands),
        message.document && documentCard(message.document),
        content(message, hands),
        meta(row),
        message.reactions?.length > 0 && reactions(message.reactions),
      ),
      message.buttons?.length > 0 &&
        inlineKeyboard(message.buttons, {
          isWaiting: (index, data) => row.waiting.includes(`${index}:${data}`),
          onPress: (button, index) => hands.onPress(message, button, index),
        }),
    ),
    menuHandle(message, hands),
  );
  element.addEventListener("contextmenu", (event) => {
    if (event.target.closest("a")) return;
    event.preventDefault();
    const byMouse = event.button === 2;
    hands.onMenu(message, element, byMouse ? { x: event.clientX, y: event.clientY } : undefined);
  });
  return element;
}

function menuHandle(message, hands) {
  const button = h(
    "button.message-more",
    {
      "aria-label": t("messageMenu"),
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      dataset: { testid: "message-menu" },
      on: { click: () => hands.onMenu(message, button) },
    },
    icon("more"),
  );
  return button;
}

function content(message, hands) {
  const text = message.text ?? message.caption;
  if (!text) return null;
  const entities = (message.text ? message.entities : message.caption_entities) ?? [];
  return h("div.text", { dataset: { testid: "text" } }, richText(text, entities, hands.reader));
}

function reactions(emoji) {
  return h(
    "div.reactions",
    { role: "group", "aria-label": t("reactions"), dataset: { testid: "reactions" } },
    emoji.map((each) => h("span.reaction", {}, each)),
  );
}

function meta({ message, own, pinned }) {
  return h(
    "span.meta",
    {},
    pinned && icon("pin"),
    message.silent &&
      h(
        "span",
        { title: t("silent"), role: "img", "aria-label": t("silent"), dataset: { testid: "silent-mark" } },
        icon("bellOff"),
      ),
    message.edit_date &&
      h("span", { title: fullMoment(message.edit_date), dataset: { testid: "edited-mark" } }, t("edited")),
    h(
      "time",
      { datetime: new Date(message.date * 1000).toISOString(), title: fullMoment(message.date) },
      clockTime(message.date),
    ),
    own && icon("read"),
  );
}

function happening({ happening: { kind, actor, names } }) {
  return t(`happening_${kind}`, { actor, names });
}

/** What a message says in one line, for quotes, lists and the pinned bar. */
export function summary(message) {
  if (message.service) return happening(message);
  const text = message.text ?? message.caption;
  if (text) return text.replace(/\s+/g, " ").trim();
  if (message.photo) return t("photo");
  return message.document?.file_name ?? "";
}

function quote(original, id, hands) {
  const author = original ? sender(original) : null;
  return h(
    "button.quote",
    {
      style: author ? { "--peer": `var(--peer-${tone(author.id)})` } : {},
      dataset: { testid: "quote" },
      on: { click: () => hands.onGoTo(id) },
    },
    h("span.quote-author.truncate", {}, author?.name ?? t("deletedMessage")),
    original && h("span.quote-text.truncate", {}, summary(original)),
  );
}

function photo(message, hands) {
  const { url, width, height } = message.photo;
  const image = h("img", {
    src: url,
    width,
    height,
    alt: message.caption ? t("photoWithCaption") : t("photo"),
    loading: "lazy",
    decoding: "async",
  });
  return h(
    "button.photo",
    {
      "aria-label": t("openPhoto"),
      dataset: { testid: "photo" },
      style: { "aspect-ratio": `${width} / ${height}` },
      on: { click: () => hands.onPhoto(message) },
    },
    image,
  );
}

function documentCard(file) {
  return h(
    "a.document",
    { href: file.url, download: file.file_name, dataset: { testid: "document" } },
    h("span.document-icon", {}, icon("file")),
    h(
      "span.document-words",
      {},
      h("span.truncate", {}, file.file_name),
      h("span.document-size", {}, fileSize(file.size)),
    ),
  );
}

function fileSize(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
