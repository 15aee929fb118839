/**
 * The inline keyboard under a message. Shows buttons, and a spinner on those that wait; the caller handles
 * presses.
 */

import { h, icon } from "./dom.js";
import { withEmoji } from "./emoji.js";
import { t } from "./strings.js";

/**
 * @param {import("./server.js").Button[][]} rows
 * @param {{isWaiting: (index: number, data: string) => boolean, onPress: (button:
 *   import("./server.js").Button, index: number) => void}} options `index` counts the buttons of all rows
 *   through, as the control route does
 */
export function inlineKeyboard(rows, { isWaiting, onPress }) {
  let index = 0;
  return h(
    "div.keyboard",
    { role: "group", "aria-label": t("buttons"), dataset: { testid: "keyboard" } },
    rows.map((row) =>
      h(
        "div.keyboard-row",
        {},
        row.map((button) => key(button, index++, isWaiting, onPress)),
      ),
    ),
  );
}

function key(button, index, isWaiting, onPress) {
  const waiting = button.data !== undefined && isWaiting(index, button.data);
  const corner = { url: "link", copy: "copy" }[kindOf(button)];
  return h(
    "button.key",
    {
      title: button.url ?? button.text, // a narrow phone cuts long words
      "aria-busy": waiting ? "true" : null,
      dataset: { testid: "key", index, kind: kindOf(button), style: button.style },
      on: { click: () => onPress(button, index) },
    },
    h("span.key-text", {}, withEmoji(button.text)),
    waiting && h("span.spinner", { "aria-hidden": "true" }),
    corner && icon(corner),
  );
}

/** @returns {"callback"|"url"|"copy"} */
export function kindOf(button) {
  if (button.url) return "url";
  return button.copy === undefined || button.copy === null ? "callback" : "copy";
}
