/**
 * One open chat on one phone: header, pinned messages, a forum's topics, messages, composer. Draws the
 * store's data, and passes the reader's actions to the phone or the control routes.
 */

import { Composer } from "./composer.js";
import { fill, h, icon, iconButton } from "./dom.js";
import { avatar, fullName } from "./identity.js";
import { kindOf } from "./keyboard.js";
import { chatMenu, messageMenu } from "./chat-menus.js";
import { menuButton, openMenu } from "./menus.js";
import { summary } from "./message.js";
import { MessageList } from "./message-list.js";
import { openPhoto } from "./photo.js";
import { openMembers } from "./members-dialog.js";
import { server } from "./server.js";
import { t } from "./strings.js";
import { openTopicForm } from "./group-dialogs.js";
import { GENERAL } from "./store.js";

const PRESS_WAIT = 20; // s until an unanswered button stops spinning, as in clients

export class ChatView {
  chat = null;
  thread = null; // a forum's topic, null for General and everywhere else
  payload = null; // a deep link's payload that waits for Start
  #waiting = new Map(); // message id → Set of "index:data"
  #pinnedShown = 0;
  #card = null;

  /** @param {import("./phone.js").Phone} phone */
  constructor(phone) {
    this.phone = phone;
    this.store = phone.store;
    this.head = h("header.chat-head");
    this.pinned = h("button.pinned", {
      hidden: true,
      dataset: { testid: "pinned" },
      on: { click: () => this.#goToPinned() },
    });
    this.topics = h("nav.topics.scroll", {
      "aria-label": t("topics"),
      hidden: true,
      dataset: { testid: "topics" },
    });
    this.list = new MessageList(this.#hands(), () => this.#seen());
    this.composer = new Composer(this.store, {
      place: () => ({ user: this.phone.user, chat: this.chat, thread: this.thread }),
      payload: () => this.payload,
      onStarted: () => {
        this.payload = null;
        this.update();
      },
      onOpen: (chat) => this.phone.open(chat),
      onEscape: () => this.phone.showList(),
    });
    this.element = h(
      "section.chat",
      { hidden: true, dataset: { testid: "chat" } },
      this.head,
      this.pinned,
      this.topics,
      this.list.element,
      this.composer.element,
    );
  }

  /** @param {{thread?: number|null, payload?: string|null}} [where] */
  async show(chat, { thread = null, payload = null } = {}) {
    const moved = chat !== this.chat || thread !== this.thread;
    this.chat = chat;
    this.thread = thread;
    this.payload = payload;
    this.element.hidden = false;
    this.element.dataset.chat = chat;
    this.element.setAttribute("aria-label", this.store.peer(chat).name);
    if (moved) {
      this.#waiting.clear();
      this.#pinnedShown = 0;
      this.list.clear();
      this.composer.reset();
    }
    this.update();
    await this.store.load(chat, this.phone.user);
    if (this.chat !== chat) return;
    this.update();
    this.list.toBottom();
  }

  close() {
    this.chat = null;
    this.element.hidden = true;
  }

  /** Draws everything from the store. */
  update() {
    if (this.chat === null) return;
    if (this.thread !== null && !this.#topic()) return void this.show(this.chat); // it was deleted
    this.#drawHead();
    this.#drawTopics();
    this.#drawPinned();
    this.#drawMessages();
    this.composer.update();
  }

  /** Draws what changes with a message: the cheap part of `update`. */
  updateMessages() {
    if (this.chat === null) return;
    this.#drawPinned();
    this.#drawMessages();
    if (this.list.atBottom) this.#seen();
  }

  #messages() {
    const all = this.store.messages(this.chat, this.phone.user);
    if (!this.store.groups.get(this.chat)?.is_forum) return all;
    return all.filter((message) => (message.thread ?? null) === this.thread);
  }

  #seen() {
    const { user } = this.phone;
    if (document.hidden || !this.phone.isShowing(this.chat)) return;
    if (this.store.unread(user, this.chat) > 0) this.store.markRead(user, this.chat);
  }

  /** Marks the chat as read if it is on the screen. */
  noticeUnread() {
    if (this.chat !== null && this.list.atBottom) this.#seen();
  }

  // --- head ------------------------------------------------------------------------------------------------

  #drawHead() {
    const peer = this.store.peer(this.chat);
    const signature = JSON.stringify([peer, this.#title(), this.#subtitle(), this.chat]);
    if (this.head.dataset.signature === signature) return;
    this.head.dataset.signature = signature;
    fill(
      this.head,
      iconButton("back", t("back"), "back", () => this.phone.showList(), { className: "back" }),
      h(
        "button.chat-title",
        { dataset: { testid: "chat-title" }, on: { click: () => this.#openProfile() } },
        avatar(peer, "small"),
        h(
          "span.chat-words",
          {},
          h("span.chat-name.truncate", {}, this.#title()),
          h("span.chat-subtitle.truncate", {}, this.#subtitle()),
        ),
      ),
      menuButton("more", t("chatMenu"), "chat-menu", () => chatMenu(this)),
    );
  }

  #title() {
    const topic = this.#topic();
    return topic ? `${this.store.peer(this.chat).name} › ${topic.name}` : this.store.peer(this.chat).name;
  }

  #topic() {
    return this.store.groups.get(this.chat)?.topics.find((each) => each.thread === this.thread);
  }

  #subtitle() {
    if (this.store.isPrivate(this.chat)) return t("bot");
    return t("members", { count: this.store.present(this.chat).length });
  }

  #openProfile() {
    if (!this.store.isPrivate(this.chat)) openMembers(this.store, this.chat, this.phone.user);
  }

  #drawTopics() {
    const group = this.store.groups.get(this.chat);
    this.topics.hidden = !group?.is_forum;
    if (!group?.is_forum) return;
    const tabs = [{ thread: null, name: t("general") }, ...group.topics];
    const signature = JSON.stringify([tabs, this.thread, group.closed_topics]);
    if (this.topics.dataset.signature === signature) return;
    this.topics.dataset.signature = signature;
    fill(
      this.topics,
      tabs.map(({ thread, name }) =>
        h(
          "button.topic",
          {
            "aria-current": thread === this.thread ? "true" : null,
            dataset: { testid: "topic", thread: thread ?? 0 },
            on: { click: () => this.show(this.chat, { thread }) },
          },
          icon(group.closed_topics.includes(thread ?? GENERAL) ? "lock" : "topic"),
          name,
        ),
      ),
      iconButton("add", t("newTopic"), "new-topic", () => openTopicForm(this.chat)),
    );
  }

  // --- pinned ----------------------------------------------------------------------------------------------

  #pinnedMessages() {
    const pinned = this.store.pinned(this.chat);
    return this.#messages()
      .filter((message) => pinned.includes(message.message_id))
      .reverse();
  }

  #drawPinned() {
    const pinned = this.#pinnedMessages();
    this.pinned.hidden = pinned.length === 0;
    if (!pinned.length) return;
    this.#pinnedShown %= pinned.length;
    const message = pinned[this.#pinnedShown];
    fill(
      this.pinned,
      icon("pin"),
      h(
        "span.pinned-words",
        {},
        h(
          "span.pinned-title",
          {},
          pinned.length > 1
            ? t("pinnedNumber", { number: pinned.length - this.#pinnedShown })
            : t("pinnedMessage"),
        ),
        h("span.truncate", {}, summary(message)),
      ),
    );
  }

  /** A press shows the message in the bar; the bar moves on to the one pinned before. */
  #goToPinned() {
    const message = this.#pinnedMessages()[this.#pinnedShown];
    this.#pinnedShown += 1;
    this.reveal(message.message_id);
    this.#drawPinned();
  }

  // --- messages --------------------------------------------------------------------------------------------

  #drawMessages() {
    const { user } = this.phone;
    this.list.update(this.#messages(), {
      viewer: user,
      isGroup: !this.store.isPrivate(this.chat),
      now: this.store.now(),
      pinned: this.store.pinned(this.chat),
      find: (id) => this.store.message(this.chat, user, id),
      waiting: (message) => [...(this.#waiting.get(message.message_id) ?? [])],
      beginning: this.#isBeginning(user) ? this.#beginning() : null,
    });
  }

  /** A group that has become a supergroup is not new, even if it has no messages. */
  #isBeginning(user) {
    return this.store.isLoaded(this.chat, user) && this.store.predecessor(this.chat) === null;
  }

  /**
   * The placeholder of an empty chat: what the bot is for, or how to begin. Made once for each
   * chat and state.
   */
  #beginning() {
    const { user } = this.phone;
    const state = JSON.stringify([this.chat, user, this.store.isPresent(this.chat, "bot"), this.store.bot]);
    if (this.#card?.state !== state) {
      const card = h("div.empty-card", { dataset: { testid: "empty" } });
      this.#card = { state, card };
      if (this.store.isPrivate(this.chat)) this.#fillBotCard(card);
      else this.#fillGroupCard(card, this.chat, user);
    }
    return this.#card.card;
  }

  #fillBotCard(card) {
    const { descriptions, short_description: short } = this.store.bot;
    const spoken = this.store.users.get(this.phone.user).language_code ?? "";
    fill(
      card,
      avatar(this.store.who("bot")),
      h("h3", {}, t("whatCanBotDo")),
      h("p", {}, descriptions[spoken] || descriptions[""] || short || t("pressStart")),
    );
  }

  async #fillGroupCard(card, chat, user) {
    if (!this.store.isPresent(chat, "bot")) return void fill(card, h("p", {}, t("noBotHere")));
    fill(card, h("h3", {}, t("quiet")));
    const [first] = await this.store.commands(chat, user);
    if (!first) return void fill(card, h("h3", {}, t("quiet")), h("p", {}, t("noCommandsYet")));
    const command = `/${first.command}`;
    fill(
      card,
      h("h3", {}, t("howToBegin")),
      h(
        "ol",
        {},
        h("li", {}, t("hintSend", { command })),
        h("li", {}, t("hintPress")),
        h("li", {}, t("hintPrivate")),
      ),
      h(
        "button.button.primary",
        {
          dataset: { testid: "hint-send" },
          on: {
            click: () =>
              server.send({
                from: this.phone.user,
                chat,
                text: `${command}@${this.store.bot.username}`,
                ...(this.thread ? { thread: this.thread } : {}),
              }),
          },
        },
        t("sendCommand", { command }),
      ),
    );
  }

  /**
   * Brings a message into view, in whatever topic it is.
   * @returns {boolean} whether there is such a message
   */
  reveal(id) {
    const message = this.store.message(this.chat, this.phone.user, id);
    if (!message) {
      this.phone.toast(t("messageGone"));
      return false;
    }
    if (this.store.groups.get(this.chat)?.is_forum && (message.thread ?? null) !== this.thread) {
      this.thread = message.thread ?? null;
      this.list.clear();
      this.composer.reset();
      this.update();
    }
    this.list.include(id, this.#messages());
    this.#drawMessages();
    return this.list.reveal(id);
  }

  #hands() {
    return {
      reader: {
        get locale() {
          return navigator.language;
        },
        now: () => this.store.now(),
        onLink: (url) => this.phone.follow(url),
        onCommand: (text) =>
          server.send({
            from: this.phone.user,
            chat: this.chat,
            text,
            ...(this.thread ? { thread: this.thread } : {}),
          }),
        onMention: (text) => this.phone.follow(`https://t.me/${text.slice(1)}`),
        onPerson: (id) => this.showPerson(id),
        onCopy: (text) => this.phone.copy(text),
      },
      onPress: (message, button, index) => this.#press(message, button, index),
      onMenu: (message, anchor, at) =>
        openMenu(anchor, messageMenu(this, message), { label: t("messageMenu"), at }),
      onGoTo: (id) => this.reveal(id),
      onPhoto: (message) => openPhoto(message.photo, message.caption),
      onPerson: (id) => this.showPerson(id),
    };
  }

  /** Shows a person's details; for the bot, opens its chat. */
  showPerson(id) {
    if (id === this.store.bot.id) return void this.phone.follow(`https://t.me/${this.store.bot.username}`);
    const person = this.store.users.get(id);
    if (person)
      this.phone.toast(person.username ? `${fullName(person)} · @${person.username}` : fullName(person));
  }

  async #press(message, button, index) {
    const kind = kindOf(button);
    if (kind === "url") return this.phone.follow(button.url);
    if (kind === "copy") return this.phone.copy(button.copy);
    const key = `${index}:${button.data}`;
    const waiting = this.#waiting.get(message.message_id) ?? new Set();
    if (waiting.has(key)) return;
    this.#waiting.set(message.message_id, waiting.add(key));
    this.#drawMessages();
    try {
      await this.phone.press(this.chat, message.message_id, button.data, PRESS_WAIT);
    } finally {
      waiting.delete(key);
      this.phone.drawMessagesSoon();
    }
  }
}
