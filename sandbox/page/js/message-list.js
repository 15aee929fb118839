/**
 * The scrolling list of a chat: keeps rows that did not change, stays at the bottom while the reader is
 * there, shows a way back otherwise, and gives the keyboard a place to walk from message to message.
 */

import { fill, h, icon } from "./dom.js";
import { sender } from "./identity.js";
import { messageRow } from "./message.js";
import { t } from "./strings.js";
import { day, dayKey } from "./times.js";

const AT_BOTTOM = 60; // px
const SAME_BREATH = 300; // s between messages of one author that still form a group
const PAGE = 120; // rows shown at first, and added with each look back

export class MessageList {
  #rows = new Map(); // key → {signature, element}
  #limit = PAGE;
  #stuck = true;
  #unseen = 0;
  #lastId = 0;

  /**
   * @param {import("./message.js").Hands} hands
   * @param {() => void} onSeen called when the newest message comes into view
   */
  constructor(hands, onSeen) {
    this.hands = hands;
    this.onSeen = onSeen;
    this.content = h("div.messages-content");
    this.scroller = h(
      "div.messages.scroll",
      {
        role: "log",
        tabindex: "0",
        "aria-label": t("messages"),
        dataset: { testid: "messages" },
        on: { scroll: () => this.#onScroll(), keydown: (event) => this.#onKey(event) },
      },
      this.content,
    );
    this.counter = h("span.badge", { hidden: true });
    this.downButton = h(
      "button.to-bottom",
      {
        "aria-label": t("toBottom"),
        hidden: true,
        dataset: { testid: "to-bottom" },
        on: { click: () => this.toBottom() },
      },
      icon("down"),
      this.counter,
    );
    this.element = h("div.messages-frame", {}, this.scroller, this.downButton);
    const observer = new ResizeObserver(() => this.#settle());
    observer.observe(this.scroller);
    observer.observe(this.content);
  }

  /** Forgets the chat shown so far; the next update shows another from its end. */
  clear() {
    this.#rows.clear();
    this.content.replaceChildren();
    this.#limit = PAGE;
    this.#stuck = true;
    this.#unseen = 0;
    this.#lastId = 0;
    this.#showWayDown();
  }

  /**
   * @param {import("./server.js").Message[]} messages oldest first
   * @param {{viewer: number, isGroup: boolean, now: number, pinned: number[], find: (id: number) =>
   *   Object|undefined, waiting: (message: Object) => string[], beginning: Node|null}} view  `beginning`
   *   stands under the messages until a person has written one
   */
  update(messages, view) {
    const shown = messages.slice(-this.#limit);
    const wanted = this.#plan(shown, view);
    if (messages.length > shown.length) {
      wanted.unshift({
        key: "earlier",
        signature: "",
        make: () =>
          h(
            "button.earlier.pill",
            { dataset: { testid: "earlier" }, on: { click: () => this.#lookBack(messages, view) } },
            t("earlier"),
          ),
      });
    }
    const keepFocus = rememberFocus(this.scroller);
    this.#patch(wanted);
    if (view.beginning && !messages.some((message) => !message.service && !message.from.is_bot))
      this.content.append(view.beginning);
    keepFocus();
    this.#noticeNew(messages, view.viewer);
    this.#settle();
  }

  #plan(messages, view) {
    const wanted = [];
    messages.forEach((message, index) => {
      const before = messages[index - 1];
      const after = messages[index + 1];
      if (!before || dayKey(before.date) !== dayKey(message.date)) {
        const text = day(message.date, view.now);
        wanted.push({
          key: `day:${dayKey(message.date)}`,
          signature: text,
          make: () => h("div.day", {}, h("span.pill", {}, text)),
        });
      }
      const own = !message.from?.chat && message.from?.id === view.viewer;
      const first = !before || !sameBreath(before, message);
      const row = {
        message,
        own,
        first,
        last: !after || !sameBreath(message, after),
        showName: view.isGroup && !own && first && !message.service,
        showAvatar: view.isGroup && !own,
        pinned: view.pinned.includes(message.message_id),
        reply: message.reply_to ? (view.find(message.reply_to) ?? null) : null,
        waiting: view.waiting(message),
      };
      wanted.push({
        key: String(message.message_id),
        signature: JSON.stringify(row),
        make: () => messageRow(row, this.hands),
      });
    });
    return wanted;
  }

  #patch(wanted) {
    const keep = new Map();
    let place = this.content.firstChild;
    for (const { key, signature, make } of wanted) {
      const known = this.#rows.get(key);
      const element = known?.signature === signature ? known.element : make();
      if (known && known.element !== element) {
        if (place === known.element) place = place.nextSibling;
        known.element.replaceWith(element);
        if (known.element.classList.contains("flash")) element.classList.add("flash");
      }
      if (element === place) place = place.nextSibling;
      else if (element.parentNode !== this.content || element.nextSibling !== place)
        this.content.insertBefore(element, place);
      keep.set(key, { signature, element });
    }
    while (place) {
      const next = place.nextSibling;
      place.remove();
      place = next;
    }
    this.#rows = keep;
  }

  #noticeNew(messages, viewer) {
    const newest = messages.at(-1);
    if (!newest) return;
    if (this.#lastId && newest.message_id > this.#lastId) {
      if (newest.from?.id === viewer)
        this.#stuck = true; // one's own message is always brought into view
      else if (!this.#stuck)
        this.#unseen += messages.filter((message) => message.message_id > this.#lastId).length;
    }
    this.#lastId = newest.message_id;
    this.#showWayDown();
  }

  #lookBack(messages, view) {
    const fromEnd = this.scroller.scrollHeight - this.scroller.scrollTop;
    this.#limit += PAGE;
    this.update(messages, view);
    this.scroller.scrollTop = this.scroller.scrollHeight - fromEnd;
  }

  #settle() {
    if (this.#stuck) this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  #onScroll() {
    const distance = this.scroller.scrollHeight - this.scroller.scrollTop - this.scroller.clientHeight;
    const arrived = distance < AT_BOTTOM && !this.#stuck;
    this.#stuck = distance < AT_BOTTOM;
    if (this.#stuck) this.#unseen = 0;
    if (arrived) this.onSeen();
    this.#showWayDown();
  }

  #showWayDown() {
    this.downButton.hidden = this.#stuck;
    this.counter.hidden = this.#unseen === 0;
    fill(this.counter, this.#unseen);
  }

  /** Whether the reader sees the newest message. */
  get atBottom() {
    return this.#stuck;
  }

  toBottom() {
    this.#stuck = true;
    this.#settle();
    this.#onScroll();
    this.onSeen();
  }

  /** Brings a message into view and lets it flash. @returns {boolean} whether it is there */
  reveal(id) {
    const element = this.#rows.get(String(id))?.element;
    if (!element) return false;
    this.#stuck = false;
    element.scrollIntoView({ block: "center" });
    element.classList.remove("flash");
    void element.offsetWidth; // restarts the animation
    element.classList.add("flash");
    element.addEventListener("animationend", () => element.classList.remove("flash"), { once: true });
    element.focus({ preventScroll: true });
    this.#onScroll();
    return true;
  }

  /** Makes older messages, down to one, part of the list. */
  include(id, messages) {
    const index = messages.findIndex((message) => message.message_id === id);
    if (index >= 0) this.#limit = Math.max(this.#limit, messages.length - index + 5);
  }

  #onKey(event) {
    const rows = [...this.content.querySelectorAll("[data-message-id]")];
    const here = rows.indexOf(document.activeElement);
    if (event.key === "Enter" && here >= 0) {
      event.preventDefault();
      rows[here].querySelector("[data-testid=message-menu]")?.click();
      return;
    }
    if (!["ArrowUp", "ArrowDown"].includes(event.key) || document.activeElement.matches("button, a")) return;
    event.preventDefault();
    const there = here < 0 ? rows.length - 1 : here + (event.key === "ArrowUp" ? -1 : 1);
    rows[Math.max(0, Math.min(there, rows.length - 1))]?.focus();
  }
}

function sameBreath(a, b) {
  if (a.service || b.service || dayKey(a.date) !== dayKey(b.date)) return false;
  return sender(a).id === sender(b).id && b.date - a.date < SAME_BREATH;
}

/**
 * Notes where among the messages the focus is. An edit or an alert must not throw the keyboard's user out:
 * the function that comes back returns the focus to the same button, else to its message, else to the list.
 * @param {HTMLElement} scroller
 */
export function rememberFocus(scroller) {
  const active = document.activeElement;
  if (!scroller.contains(active)) return () => {};
  const messageId = active.closest("[data-message-id]")?.dataset.messageId;
  const { testid, index } = active.dataset;
  return () => {
    if (document.activeElement === active) return;
    const message = messageId && scroller.querySelector(`[data-message-id="${messageId}"]`);
    const same =
      message &&
      testid &&
      message.querySelector(
        `[data-testid="${testid}"]${index === undefined ? "" : `[data-index="${index}"]`}`,
      );
    (active.isConnected ? active : same || message || scroller).focus({ preventScroll: true });
  };
}
