/** Names, initials and colours of people, the bot and groups. */

import { h, icon } from "./dom.js";

const TONES = 7;

/** One of seven colours, the same for an id everywhere. */
export function tone(id) {
  return Math.abs(id) % TONES;
}

/** First and last name. */
export function fullName(person) {
  return [person.first_name, person.last_name].filter(Boolean).join(" ");
}

function initials(name) {
  const words = name.trim().split(/\s+/).filter(Boolean);
  return (
    words
      .slice(0, 2)
      .map((word) => [...word][0])
      .join("") || "?"
  );
}

/**
 * A round picture with initials; decorative, the name stands beside it.
 * @param {{id: number, name: string, kind?: "person"|"bot"|"group"}} who
 * @param {"small"|"tiny"} [size]
 */
export function avatar({ id, name, kind }, size) {
  return h(
    "span.avatar",
    { "aria-hidden": "true", dataset: { tone: tone(id), size } },
    kind === "bot" ? icon("bot") : initials(name),
  );
}

/** Who wrote a message: `{id, name, kind}`, with `kind: "group"` for an anonymous admin. */
export function sender(message) {
  const from = message.from ?? {};
  if (from.chat)
    return { id: from.chat.id, name: from.chat.title ?? from.chat.first_name ?? "", kind: "group" };
  return { id: from.id, name: fullName(from), kind: from.is_bot ? "bot" : "person" };
}
