/**
 * One phone: a person's chats and the one that is open, with toasts, alerts and banners of its own. The
 * shared screen is a phone too, whose person can be switched. Wide enough, it shows list and chat side by
 * side; a phone's width shows one of them.
 */

import { ChatList } from "./chat-list.js";
import { ChatView } from "./chat-view.js";
import { append, coalesced, fill, h } from "./dom.js";
import { withEmoji } from "./emoji.js";
import { avatar } from "./identity.js";
import { menuButton } from "./menus.js";
import { rememberFocus } from "./message-list.js";
import { Bell, showBanner } from "./rings.js";
import { server } from "./server.js";
import { t } from "./strings.js";

const TOAST_TIME = 4000;

/** This page's name among all that are open: what it has pressed is answered on it alone. */
export const PAGE = crypto.randomUUID();

export class Phone {
  /**
   * @param {import("./store.js").Store} store
   * @param {number} user
   * @param {{shared?: boolean, follow: (phone: Phone, url: string) => void, menu: (phone: Phone) => Object[],
   *   onActor?: (user: number) => void, onChange: () => void}} hands
   */
  constructor(store, user, { shared = false, follow, menu, onActor, onChange }) {
    this.store = store;
    this.user = user;
    this.shared = shared;
    this.hands = { follow, menu, onActor, onChange };
    this.pressed = new Set(); // presses on the way, as "chat:message": their answers belong on this phone
    this.bell = new Bell(onChange);
    this.head = h("header.phone-head");
    this.listPane = new ChatList(this, (chat) => this.open(chat));
    this.view = new ChatView(this);
    this.nothing = h("p.nothing-open", {}, h("span.pill", {}, t("chooseChat")));
    this.toasts = h("div.toasts", { role: "status", "aria-live": "polite" });
    this.banners = h("div.banners", { role: "status", "aria-live": "polite" });
    this.screen = h(
      "div.screen",
      {},
      this.head,
      this.listPane.element,
      this.view.element,
      this.nothing,
      this.toasts,
      this.banners,
    );
    this.element = h(
      "section.phone",
      { tabindex: "-1", dataset: { testid: shared ? "shared-phone" : "phone", user, open: "list" } },
      this.screen,
    );
    this.drawMessagesSoon = coalesced(() => {
      this.listPane.update();
      this.view.updateMessages();
    });
    store.watchUnread(user);
    this.#loadChats();
    this.update();
  }

  get chat() {
    return this.view.chat;
  }

  /** Fetches every chat of the person, so that the list can show last lines. */
  async #loadChats() {
    await Promise.all(this.store.chatsOf(this.user).map((chat) => this.store.load(chat, this.user)));
  }

  /** Draws everything from the store; also when the world has changed. */
  update() {
    if (!this.store.users.has(this.user)) return;
    this.#loadChats();
    this.element.dataset.user = this.user;
    this.element.setAttribute(
      "aria-label",
      this.shared ? t("sharedScreen") : t("phoneOf", { name: this.store.who(this.user).name }),
    );
    this.#drawHead();
    this.bell.update(this.user);
    this.listPane.update();
    this.view.update();
    this.view.noticeUnread();
  }

  #drawHead() {
    const who = this.store.who(this.user);
    const people = this.shared
      ? [...this.store.users.values()].filter(
          (person) => this.chat === null || this.store.isPresent(this.chat, person.id),
        )
      : [];
    const signature = JSON.stringify([who, people.map((person) => person.id)]);
    if (this.head.dataset.signature === signature) return;
    this.head.dataset.signature = signature;
    const focused = this.head.contains(document.activeElement) ? document.activeElement.dataset.user : null;
    const title = this.shared
      ? h(
          "div.actors",
          { role: "group", "aria-label": t("actAs") },
          h("span.actors-label", {}, t("actAs")),
          people.map((person) => this.#actor(person)),
        )
      : [avatar(who, "tiny"), h("h2.phone-name.truncate", {}, who.name)];
    fill(this.head, title);
    append(this.head, [
      this.shared ? null : this.bell.button,
      menuButton("more", t("personMenu", { name: who.name }), "person-menu", () => this.hands.menu(this)),
    ]);
    if (focused) this.head.querySelector(`[data-user="${focused}"]`)?.focus();
  }

  #actor(person) {
    const who = this.store.who(person.id);
    return h(
      "button.actor",
      {
        "aria-pressed": person.id === this.user,
        "aria-label": who.name,
        title: who.name,
        dataset: { testid: "actor", user: person.id },
        on: { click: () => this.become(person.id) },
      },
      avatar(who, "tiny"),
    );
  }

  /** Hands the phone to another person, who looks at the same chat if he is in it. */
  become(user) {
    if (user === this.user) return;
    const { chat, thread } = this.view;
    this.user = user;
    this.store.watchUnread(user);
    this.hands.onActor?.(user);
    this.view.close();
    this.update();
    if (chat !== null && !this.store.isPrivate(chat)) this.open(chat, { thread });
    else this.showList();
  }

  /** @param {number} chat @param {{thread?: number|null, payload?: string|null, message?: number}} [where] */
  async open(chat, where = {}) {
    this.element.dataset.open = "chat";
    this.nothing.hidden = true;
    const showing = this.view.show(chat, where);
    this.listPane.update();
    this.#drawHead();
    await showing;
    if (where.message && this.chat === chat) this.view.reveal(where.message);
    this.view.noticeUnread();
  }

  /** Leaves the chat: back to the list, where the keyboard goes on. */
  showList() {
    const { chat } = this;
    this.view.close();
    this.element.dataset.open = "list";
    this.nothing.hidden = false;
    this.listPane.update();
    this.#drawHead();
    this.listPane.element.querySelector(`[data-chat="${chat}"]`)?.focus({ preventScroll: true });
  }

  /** Whether the person can see a chat on this phone right now. */
  isShowing(chat) {
    return this.chat === chat && this.element.isConnected && this.view.element.offsetParent !== null;
  }

  follow(url) {
    this.hands.follow(this, url);
  }

  async copy(text) {
    await navigator.clipboard.writeText(text);
    this.toast(t("copied"));
  }

  /**
   * Presses a callback button. The answer comes as a frame; only without a connection is the response shown.
   */
  async press(chat, message, data, wait) {
    const key = `${chat}:${message}`;
    this.pressed.add(key);
    try {
      const answer = await server.press(this.user, chat, message, data, wait, PAGE);
      if (answer.answered && !this.store.online) this.showAnswer(answer);
    } finally {
      setTimeout(() => this.pressed.delete(key), TOAST_TIME); // the frame may come after the response
    }
  }

  /** What a bot's answer to a press does on a phone. */
  showAnswer({ text, show_alert: alert, url }) {
    if (url) this.follow(url);
    else if (text && alert) this.alert(text);
    else if (text) this.toast(text);
  }

  /** A few words that vanish by themselves. */
  toast(text) {
    this.toasts.replaceChildren();
    const toast = h("div.toast", { dataset: { testid: "toast" } }, withEmoji(text));
    this.toasts.append(toast);
    setTimeout(() => toast.remove(), TOAST_TIME);
  }

  /** Words that stay until the person says OK. Modal on this phone only: the others go on. */
  alert(text) {
    this.element.querySelector(".alert-veil")?.remove();
    const returnFocus = rememberFocus(this.view.list.scroller);
    const close = () => {
      veil.remove();
      this.screen.inert = false;
      returnFocus();
    };
    const ok = h("button.button.primary", { dataset: { testid: "alert-ok" }, on: { click: close } }, "OK");
    const veil = h(
      "div.alert-veil",
      {
        on: {
          keydown: (event) => {
            if (event.key === "Escape") close();
          },
        },
      },
      h(
        "div.alert",
        {
          role: "alertdialog",
          "aria-modal": "true",
          "aria-label": t("alertFrom", { name: this.store.bot.first_name }),
          dataset: { testid: "alert" },
        },
        h("p.alert-text", {}, withEmoji(text)),
        ok,
      ),
    );
    this.screen.inert = true;
    this.element.append(veil);
    ok.focus({ preventScroll: true });
  }

  /** Rings: the bell moves, and what is not on the screen slides in. */
  ring(frame, { seen }) {
    this.bell.update(this.user);
    this.bell.shake();
    if (!seen)
      showBanner(this.banners, frame, this.store.peer(frame.chat), () =>
        this.open(frame.chat, { message: frame.message_id }),
      );
  }

  /** Draws attention to the phone when something opened on it from elsewhere. */
  beckon() {
    this.element.scrollIntoView({ behavior: "smooth", inline: "nearest", block: "nearest" });
    this.element.classList.remove("beckon");
    void this.element.offsetWidth; // restarts the animation
    this.element.classList.add("beckon");
  }
}
