/**
 * The whole page: the bar with the people, and the phones, either one person's or everybody's side by side
 * after a shared screen. Passes notifications and answers to their phones, and opens links.
 */

import { AppBar } from "./app-bar.js";
import { CallLog } from "./call-log.js";
import { forgetDrafts } from "./composer.js";
import { openAddToGroup } from "./group-dialogs.js";
import { coalesced, h } from "./dom.js";
import { phoneMenu } from "./app-menus.js";
import { PAGE, Phone } from "./phone.js";
import { preferences } from "./preferences.js";
import { refreshMoments } from "./rich-text.js";
import { forgetRings, noteRing } from "./rings.js";
import { t } from "./strings.js";
import { parseLink } from "./telegram-links.js";

const WIDE = 900; // px from which a first visit sees everybody
const MOMENT_TICK = 1000;

export class App {
  /** The visible phones, from left to right. @type {Phone[]} */
  phones = [];
  #known = new Map(); // all phones so far, by key: a phone that returns shows what it showed before

  /** @param {import("./store.js").Store} store */
  constructor(store) {
    this.store = store;
    this.log = new CallLog(store, () => this.bar.update());
    this.bar = new AppBar(this);
    this.desk = h("main.desk", { dataset: { testid: "desk" } });
    this.botDown = h(
      "div.bot-down",
      { role: "status", hidden: true, dataset: { testid: "bot-down" } },
      h("span.spinner", { "aria-hidden": "true" }),
      t("botDown"),
    );
    this.notices = h("div.notices", { role: "alert" });
    this.element = h("div.app", {}, this.bar.element, this.botDown, this.desk, this.log.element, this.notices);
    this.drawSoon = coalesced(() => this.update());

    store.on("world", () => this.drawSoon());
    store.on("history", ({ chat, viewer }) => this.#onHistory(chat, viewer));
    store.on("unread", ({ user }) => this.#phonesOf(user).forEach((phone) => phone.drawMessagesSoon()));
    store.on("connection", ({ online }) => {
      this.bar.showConnection(online);
      this.desk.dataset.online = online;
    });
    store.on("ring", (frame) => this.#onRing(frame));
    store.on("answer", (frame) => this.#onAnswer(frame));
    store.on("reset", () => this.#onReset());
    document.addEventListener("visibilitychange", () =>
      this.phones.forEach((phone) => phone.view.noticeUnread()),
    );
    setInterval(() => refreshMoments(store.now()), MOMENT_TICK);
    this.update();
  }

  // --- who is on the page ----------------------------------------------------------------------------------

  /** @returns {"one"|"everyone"} */
  get mode() {
    return preferences.get("mode") ?? (innerWidth >= WIDE && this.store.users.size > 1 ? "everyone" : "one");
  }

  setMode(mode) {
    preferences.set("mode", mode);
    this.update();
  }

  /** The person of the "one" mode. */
  get me() {
    return this.store.users.has(preferences.get("me"))
      ? preferences.get("me")
      : (this.store.users.keys().next().value ?? null);
  }

  isHidden(user) {
    return preferences.get("hidden").includes(user);
  }

  /** Whether a person's own phone is visible. */
  shows(user) {
    return this.mode === "one" ? this.me === user : !this.isHidden(user);
  }

  /** Hides or shows a person's phone. */
  setHidden(user, hidden) {
    const others = preferences.get("hidden").filter((each) => each !== user);
    preferences.set("hidden", hidden ? [...others, user] : others);
    this.update();
  }

  setShared(shown) {
    preferences.set("shared", shown);
    this.update();
  }

  get sharedGroup() {
    return (
      [...this.store.groups.values()].find(
        (group) => !group.upgraded_to && group.members.some((member) => this.store.users.has(member.user)),
      ) ?? null
    );
  }

  /** Shows a person: becomes that person, or brings the person's phone into view. */
  choose(user) {
    if (this.mode === "one") {
      preferences.set("me", user);
      this.update();
      return;
    }
    if (this.isHidden(user)) this.setHidden(user, false);
    const phone = this.phones.find((each) => !each.shared && each.user === user);
    phone?.beckon();
    phone?.element.focus({ preventScroll: true });
  }

  // --- drawing ---------------------------------------------------------------------------------------------

  /** Updates bar and phones from the world and the preferences. */
  update() {
    this.element.dataset.mode = this.mode;
    this.botDown.hidden = this.store.bot.is === "up";
    if (this.log.element.hidden === preferences.get("log")) this.log.show(preferences.get("log"));
    this.#arrange(this.mode === "one" ? this.#onePhone() : this.#everyPhone());
    for (const phone of this.phones) phone.update();
    this.bar.update();
  }

  #onePhone() {
    return this.me === null ? [] : [{ key: `phone:${this.me}`, user: this.me, shared: false }];
  }

  #everyPhone() {
    const people = [...this.store.users.keys()]
      .filter((user) => !this.isHidden(user))
      .map((user) => ({ key: `phone:${user}`, user, shared: false }));
    const group = this.sharedGroup;
    if (!preferences.get("shared") || !group) return people;
    const actor = this.store.users.has(preferences.get("actor"))
      ? preferences.get("actor")
      : group.members.find((member) => this.store.users.has(member.user)).user;
    return [{ key: "shared", user: actor, shared: true }, ...people];
  }

  #arrange(wanted) {
    const before = this.phones;
    this.phones = wanted.map(
      ({ key, user, shared }) => this.#known.get(key) ?? this.#addPhone(key, user, shared),
    );
    for (const phone of before) if (!this.phones.includes(phone)) phone.element.remove();
    this.phones.forEach((phone, index) => {
      if (this.desk.children[index] !== phone.element)
        this.desk.insertBefore(phone.element, this.desk.children[index] ?? null);
    });
    this.desk.querySelector(".nobody")?.remove();
    if (!wanted.length) this.desk.append(this.bar.nobodyCard());
  }

  #addPhone(key, user, shared) {
    const phone = new Phone(this.store, user, {
      shared,
      follow: (from, url) => this.follow(from, url),
      menu: (which) => phoneMenu(this, which),
      onActor: (actor) => preferences.set("actor", actor),
      onChange: () => this.bar.update(),
    });
    this.#known.set(key, phone);
    queueMicrotask(() => this.#openFirst(phone));
    return phone;
  }

  /**
   * What a phone shows first: the shared screen its group, a phone beside it the private chat, a single phone
   * the group.
   */
  #openFirst(phone) {
    const group = this.sharedGroup;
    const inGroup = group && this.store.isPresent(group.id, phone.user);
    if (phone.shared) return void phone.open(group.id);
    if (this.mode === "everyone")
      return void phone.open(preferences.get("shared") || !inGroup ? phone.user : group.id);
    if (phone.element.clientWidth >= 640) phone.open(inGroup ? group.id : phone.user);
  }

  /** Shows a message of the page itself, such as a refusal of the sandbox. */
  notice(text) {
    const notice = h("div.notice", { dataset: { testid: "notice" } }, text);
    this.notices.append(notice);
    setTimeout(() => notice.remove(), 6000);
  }

  // --- frames ----------------------------------------------------------------------------------------------

  #phonesOf(user) {
    return this.phones.filter((phone) => phone.user === user);
  }

  #onHistory(chat, viewer) {
    this.#phonesOf(viewer).forEach((phone) => phone.drawMessagesSoon());
  }

  #onRing(frame) {
    noteRing(frame.user);
    const phones = this.#phonesOf(frame.user);
    const seen = phones.some((phone) => phone.isShowing(frame.chat));
    for (const phone of phones) if (!phone.shared || phones.length === 1) phone.ring(frame, { seen });
    this.bar.update();
  }

  #onAnswer(frame) {
    if (frame.page && frame.page !== PAGE) return;
    const phones = this.#phonesOf(frame.user);
    const phone =
      phones.find((each) => each.pressed.has(`${frame.chat}:${frame.message_id}`)) ??
      phones.find((each) => each.isShowing(frame.chat)) ??
      phones[0];
    phone?.showAnswer(frame);
  }

  #onReset() {
    preferences.forgetPeople();
    this.log.forget();
    forgetRings();
    forgetDrafts();
    for (const phone of this.phones) phone.element.remove();
    this.phones = [];
    this.#known.clear();
  }

  /** Shows a new group to its creator. */
  openGroup(user, chat) {
    const [own] = this.#phonesOf(user);
    if (own) this.#phoneFor(own, chat).open(chat);
  }

  // --- links -----------------------------------------------------------------------------------------------

  /** Opens a link on the phone that fits best. @param {Phone} from @param {string} url */
  follow(from, url) {
    const target = parseLink(url);
    const ours = target?.username?.toLowerCase() === this.store.bot.username.toLowerCase();
    if (!target) from.toast(t("noLink"));
    else if (target.kind === "bot" && ours) this.#openPrivate(from, target.start);
    else if (target.kind === "startgroup" && ours)
      openAddToGroup(this.store, from.user, target, (chat) => this.#phoneFor(from, chat).open(chat));
    else if (target.kind === "message") this.#openMessage(from, target);
    else if (target.kind === "person") from.view.showPerson(target.id);
    else if (target.kind === "external") window.open(target.url, "_blank", "noopener,noreferrer");
    else from.toast(this.#describe(target.username));
  }

  #describe(username) {
    const person = [...this.store.users.values()].find(
      (user) => user.username?.toLowerCase() === username.toLowerCase(),
    );
    return person
      ? `${this.store.who(person.id).name} · @${person.username}`
      : t("unknownName", { name: username });
  }

  #openPrivate(from, payload) {
    const own = this.phones.find((phone) => !phone.shared && phone.user === from.user) ?? from;
    own.open(from.user, { payload });
    if (own !== from) own.beckon();
  }

  #openMessage(from, { chat, message }) {
    if (!this.store.groups.has(chat) || !this.store.isPresent(chat, from.user))
      return void from.toast(t("noAccess"));
    const phone = this.#phoneFor(from, chat);
    const { thread = null } = this.store.message(chat, from.user, message) ?? {};
    phone.open(chat, { thread, message });
  }

  /**
   * A group opens on the shared screen where there is one, as the person who asked; otherwise on the asking
   * phone.
   */
  #phoneFor(from, chat) {
    const shared = this.phones.find((phone) => phone.shared);
    if (!shared || shared === from || !this.store.isPresent(chat, from.user)) return from;
    shared.become(from.user);
    shared.beckon();
    return shared;
  }
}
