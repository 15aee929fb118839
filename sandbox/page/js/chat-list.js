/** A person's list of chats: names, last line, time, unread count. */

import { arrowKeys, fill, h } from "./dom.js";
import { avatar, sender } from "./identity.js";
import { summary } from "./message.js";
import { t } from "./strings.js";
import { clockTime, fullMoment, shortMoment } from "./times.js";

export class ChatList {
  /** @param {import("./phone.js").Phone} phone @param {(chat: number) => void} onOpen */
  constructor(phone, onOpen) {
    this.phone = phone;
    this.onOpen = onOpen;
    this.element = h("nav.chat-list.scroll", { "aria-label": t("chats"), dataset: { testid: "chat-list" } });
    this.element.addEventListener(
      "keydown",
      arrowKeys(() => [...this.element.querySelectorAll(".chat-row")]),
    );
  }

  update() {
    const { store, user } = this.phone;
    const rows = store.chatsOf(user).map((chat) => this.#row(store, user, chat));
    const signature = JSON.stringify(rows);
    if (this.element.dataset.signature === signature) return;
    this.element.dataset.signature = signature;
    const focused = this.element.contains(document.activeElement)
      ? document.activeElement.dataset.chat
      : null;
    fill(
      this.element,
      rows.map((row) => this.#draw(row)),
    );
    if (focused) this.element.querySelector(`[data-chat="${focused}"]`)?.focus();
  }

  #row(store, user, chat) {
    const last = store.messages(chat, user).at(-1);
    const isGroup = !store.isPrivate(chat);
    const author =
      last && isGroup && !last.service ? (last.from?.id === user ? t("you") : sender(last).name) : null;
    return {
      chat,
      peer: store.peer(chat),
      author,
      line: last ? summary(last) : t(isGroup ? "noMessages" : "pressStart"),
      date: last?.date ?? null,
      when: last ? shortMoment(last.date, store.now()) : "",
      unread: store.unread(user, chat),
      open: chat === this.phone.chat,
    };
  }

  #draw(row) {
    return h(
      "button.chat-row",
      {
        "aria-current": row.open ? "true" : null,
        dataset: { testid: "chat-row", chat: row.chat },
        on: { click: () => this.onOpen(row.chat) },
      },
      avatar(row.peer),
      h(
        "span.chat-row-words",
        {},
        h(
          "span.chat-row-line",
          {},
          h("span.chat-row-name.truncate", {}, row.peer.name),
          row.date &&
            h(
              "time.chat-row-time",
              { datetime: new Date(row.date * 1000).toISOString(), title: fullMoment(row.date) },
              row.when || clockTime(row.date),
            ),
        ),
        h(
          "span.chat-row-line",
          {},
          h(
            "span.chat-row-last.truncate",
            {},
            row.author && h("span.chat-row-author", {}, `${row.author}: `),
            row.line,
          ),
          row.unread > 0 &&
            h(
              "span.badge",
              {
                "aria-label": t("unread", { count: row.unread }),
                role: "img",
                dataset: { testid: "unread" },
              },
              row.unread,
            ),
        ),
      ),
    );
  }
}
