/**
 * The page's copy of the world: people, groups, messages as each person sees them, unread counts. Kept equal
 * to the server's by frames, and fetched anew after every reconnect. Knows nothing of the screen.
 *
 * Events (`on(type, handler)`): "world", "history" {chat, viewer}, "unread" {user}, "connection" {online},
 * "ring" {user, chat, message_id, title, text}, "answer" {user, chat, message_id, text, show_alert, url},
 * "call" {call}, "reset".
 */

import { server } from "./server.js";
import { connect, socketUrl } from "./socket.js";
import { fullName } from "./identity.js";
import { t } from "./strings.js";

const PRESENT = new Set(["member", "administrator", "creator", "restricted"]);
const UNREAD_DELAY = 60;

/** The thread of a forum's General topic, by which it is closed; messages in it have none. */
export const GENERAL = 1;

/** A chat as one person sees it; deltas that arrive during a fetch wait for it. */
class History {
  constructor(chat, viewer) {
    this.chat = chat;
    this.viewer = viewer;
    this.messages = new Map();
    this.fetching = null;
    this.loaded = false;
    this.waiting = [];
    this.sorted = null;
  }

  apply(frame) {
    this.sorted = null;
    if (this.fetching) this.waiting.push(frame);
    if (frame.type === "deleted") for (const id of frame.message_ids) this.messages.delete(id);
    else this.messages.set(frame.message.message_id, frame.message);
  }

  replace(messages) {
    this.messages = new Map(messages.map((message) => [message.message_id, message]));
    this.sorted = null;
    this.loaded = true;
    this.fetching = null;
    const missed = this.waiting;
    this.waiting = [];
    for (const frame of missed) this.apply(frame);
  }

  inOrder() {
    this.sorted ??= [...this.messages.values()].sort((a, b) => a.message_id - b.message_id);
    return this.sorted;
  }
}

export class Store {
  /** @type {import("./server.js").Bot} */ bot = null;
  /** @type {Map<number, import("./server.js").Person>} */ users = new Map();
  /** @type {Map<number, import("./server.js").Group>} */ groups = new Map();
  online = false;
  /** Which world this is: in another one the same ids stand for other people. @type {string|null} */
  world = null;
  #clockOffset = 0;
  #histories = new Map();
  #unread = new Map();
  #unreadTimers = new Map();
  #commands = new Map();
  #handlers = new Map();
  #worldFetch = null;
  #worldStale = false;

  /** @returns {() => void} stops listening */
  on(type, handler) {
    if (!this.#handlers.has(type)) this.#handlers.set(type, new Set());
    this.#handlers.get(type).add(handler);
    return () => this.#handlers.get(type).delete(handler);
  }

  #emit(type, detail = {}) {
    for (const handler of [...(this.#handlers.get(type) ?? [])]) handler(detail);
  }

  /** Fetches the world and keeps it up to date from then on. */
  async open() {
    await this.refreshWorld();
    let first = true;
    connect(socketUrl(), {
      onFrame: (frame) => this.#take(frame),
      onOpen: () => {
        this.online = true;
        this.#emit("connection", { online: true });
        if (!first) this.#refreshAll();
        first = false;
      },
      onClose: () => {
        this.online = false;
        this.#emit("connection", { online: false });
      },
    });
  }

  #take(frame) {
    const actions = {
      world: () => this.refreshWorld(),
      message: () => this.#change(frame),
      edited: () => this.#change(frame),
      deleted: () => this.#change(frame),
      notification: () => this.#emit("ring", frame),
      callback_answer: () => this.#emit("answer", frame),
      call: () => this.#emit("call", frame.call),
      reset: () => this.refreshWorld(),
    };
    actions[frame.type]?.(); // a frame of a newer server that this page does not know is no error
  }

  #change(frame) {
    for (const history of this.#histories.values()) {
      if (history.chat !== frame.chat || !this.isPresent(history.chat, history.viewer)) continue;
      history.apply(frame);
      this.#emit("history", { chat: history.chat, viewer: history.viewer });
    }
    if (frame.type === "edited") return;
    for (const user of this.#unread.keys()) if (this.isPresent(frame.chat, user)) this.#scheduleUnread(user);
  }

  async #refreshAll() {
    await this.refreshWorld();
    await this.#refreshHistories();
    for (const user of this.#unread.keys()) this.#scheduleUnread(user);
  }

  async #refreshHistories() {
    const visible = [...this.#histories.values()].filter(({ chat, viewer }) => this.isPresent(chat, viewer));
    await Promise.all(visible.map((history) => this.#fetchHistory(history)));
  }

  /** Fetches people, groups and pins; a second call during a fetch leads to one more fetch after it. */
  refreshWorld() {
    if (this.#worldFetch) {
      this.#worldStale = true;
      return this.#worldFetch;
    }
    this.#worldFetch = (async () => {
      try {
        do {
          this.#worldStale = false;
          this.#adopt(await server.world());
        } while (this.#worldStale);
      } finally {
        this.#worldFetch = null;
      }
    })();
    return this.#worldFetch;
  }

  #adopt(world) {
    if (this.world !== null && this.world !== world.id) return void this.#enter(world);
    const absent = [...this.#histories.values()].filter(({ chat, viewer }) => !this.isPresent(chat, viewer));
    const renamed = world.users.some(
      (user) => this.users.has(user.id) && fullName(this.users.get(user.id)) !== fullName(user),
    );
    this.world = world.id;
    this.bot = world.bot;
    this.users = new Map(world.users.map((user) => [user.id, user]));
    this.groups = new Map(world.chats.map((group) => [group.id, group]));
    this.#clockOffset = world.now - Date.now() / 1000;
    this.#commands.clear();
    // A member who returns has missed the messages in between.
    for (const history of absent) history.loaded = false;
    this.#emit("world");
    if (renamed) this.#refreshHistories(); // messages carry their authors' names
  }

  /** Another world has taken the place of the one that was known: after a reset, or in a new sandbox. */
  #enter(world) {
    this.#histories.clear();
    this.#unread.clear();
    this.world = null;
    this.users.clear();
    this.groups.clear();
    this.#emit("reset");
    this.#adopt(world);
  }

  /** The sandbox's own time in seconds, which a clock route can move ahead of the machine's. */
  now() {
    return Date.now() / 1000 + this.#clockOffset;
  }

  // --- chats -----------------------------------------------------------------------------------------------

  isPrivate(chat) {
    return this.users.has(chat);
  }

  /** @returns {import("./server.js").Member|undefined} */
  member(chat, who) {
    return this.groups.get(chat)?.members.find((member) => member.user === who);
  }

  /** Whether somebody (a person's id or "bot") is in a chat now. */
  isPresent(chat, who) {
    if (this.isPrivate(chat)) return chat === who || who === "bot";
    return PRESENT.has(this.member(chat, who)?.status);
  }

  isAdmin(chat, who) {
    return ["administrator", "creator"].includes(this.member(chat, who)?.status);
  }

  /** Whether a topic is open for a person; `thread` null is a forum's General. */
  isOpen(chat, thread, who) {
    const { is_forum: isForum, closed_topics: closed } = this.groups.get(chat) ?? {};
    if (!isForum || !closed.includes(thread ?? GENERAL)) return true;
    const { status, rights } = this.member(chat, who) ?? {};
    return status === "creator" || (status === "administrator" && Boolean(rights?.can_manage_topics));
  }

  present(chat) {
    return this.groups.get(chat)?.members.filter((member) => PRESENT.has(member.status)) ?? [];
  }

  /** The ids of the pinned messages, the latest last. */
  pinned(chat) {
    return (this.isPrivate(chat) ? this.users.get(chat).pinned : this.groups.get(chat)?.pinned) ?? [];
  }

  /** What a chat is called and drawn as: `{id, name, kind}`. */
  peer(chat) {
    if (this.isPrivate(chat)) return { id: this.bot.id, name: this.bot.first_name, kind: "bot" };
    return { id: chat, name: this.groups.get(chat)?.title ?? "", kind: "group" };
  }

  who(id) {
    if (id === "bot" || id === this.bot.id)
      return { id: this.bot.id, name: this.bot.first_name, kind: "bot" };
    const user = this.users.get(id);
    return { id, name: user ? fullName(user) : t("unknownPerson"), kind: "person" };
  }

  /** The group an upgraded group was before, if any. */
  predecessor(chat) {
    return [...this.groups.values()].find((group) => group.upgraded_to === chat)?.id ?? null;
  }

  /** A person's chats, the latest first; the private chat with the bot is always among them. */
  chatsOf(user) {
    const groups = [...this.groups.values()].filter(
      (group) => !group.upgraded_to && this.isPresent(group.id, user),
    );
    const latest = (chat) => this.messages(chat, user).at(-1)?.date ?? 0;
    return [...groups.map((group) => group.id), user].sort((a, b) => latest(b) - latest(a));
  }

  // --- messages --------------------------------------------------------------------------------------------

  #history(chat, viewer) {
    const key = `${chat}:${viewer}`;
    if (!this.#histories.has(key)) this.#histories.set(key, new History(chat, viewer));
    return this.#histories.get(key);
  }

  /**
   * Fetches a chat as a person sees it, once; people who have left it see nothing new.
   */
  async load(chat, viewer) {
    if (!this.isPresent(chat, viewer)) return;
    const history = this.#history(chat, viewer);
    if (!history.loaded) await (history.fetching ?? this.#fetchHistory(history));
  }

  async #fetchHistory(history) {
    history.fetching = server.messages(history.chat, history.viewer);
    try {
      history.replace(await history.fetching);
    } finally {
      history.fetching = null;
    }
    this.#emit("history", { chat: history.chat, viewer: history.viewer });
  }

  /** What is known of a chat, oldest first. @returns {import("./server.js").Message[]} */
  messages(chat, viewer) {
    return this.#history(chat, viewer).inOrder();
  }

  message(chat, viewer, id) {
    return this.#history(chat, viewer).messages.get(id);
  }

  isLoaded(chat, viewer) {
    return this.#history(chat, viewer).loaded;
  }

  /** The commands menu of a chat in a person's language. */
  commands(chat, viewer) {
    const key = `${chat}:${viewer}`;
    if (!this.#commands.has(key)) {
      const answer = server.commands(chat, viewer);
      this.#commands.set(key, answer);
      // Report the error to the caller; the next call asks the server again.
      answer.catch(() => this.#commands.delete(key));
    }
    return this.#commands.get(key);
  }

  // --- unread ----------------------------------------------------------------------------------------------

  unread(user, chat) {
    return this.#unread.get(user)?.[chat] ?? 0;
  }

  /** Starts counting a person's unread messages. */
  watchUnread(user) {
    if (this.#unread.has(user)) return;
    this.#unread.set(user, {});
    this.#scheduleUnread(user);
  }

  #scheduleUnread(user) {
    if (this.#unreadTimers.has(user)) return;
    this.#unreadTimers.set(
      user,
      setTimeout(async () => {
        this.#unreadTimers.delete(user);
        if (!this.users.has(user)) return;
        this.#unread.set(user, await server.unread(user));
        this.#emit("unread", { user });
      }, UNREAD_DELAY),
    );
  }

  /** Marks a chat as read by a person. */
  async markRead(user, chat) {
    await server.read(user, chat);
    this.#scheduleUnread(user);
  }
}
