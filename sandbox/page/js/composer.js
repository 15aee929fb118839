/**
 * The composer of a chat, to write, reply and edit, or the one button in its place (Start, Unblock, Join, …).
 * Keeps drafts by person and chat. Sends through the control routes; sent messages come back as frames.
 */

import { CommandMenu } from "./command-menu.js";
import { fill, h, icon, iconButton } from "./dom.js";
import { sender } from "./identity.js";
import { summary } from "./message.js";
import { server } from "./server.js";
import { t } from "./strings.js";

const drafts = new Map();

/** Forgets all drafts, because the world was reset. */
export function forgetDrafts() {
  drafts.clear();
}

export class Composer {
  #replyTo = null;
  #editing = null;
  #asGroup = false;
  #footing = null;
  #opening = null;

  /**
   * @param {import("./store.js").Store} store
   * @param {{place: () => {user: number, chat: number, thread: number|null}, payload: () => string|null,
   *   onStarted: () => void, onOpen: (chat: number) => void, onEscape: () => void}} hands
   */
  constructor(store, hands) {
    this.store = store;
    this.hands = hands;
    this.commands = new CommandMenu((command) => this.#chooseCommand(command));
    this.input = h("textarea.composer-input.scroll", {
      rows: 1,
      placeholder: t("message"),
      "aria-label": t("message"),
      "aria-controls": this.commands.id,
      "aria-autocomplete": "list",
      maxlength: 4096,
      dataset: { testid: "composer" },
      on: {
        input: () => this.#onInput(),
        keydown: (event) => this.#onKey(event),
        blur: (event) => {
          if (event.relatedTarget !== this.commands.element) this.#closeCommands();
        },
      },
    });
    this.commandButton = iconButton(
      "commands",
      t("commands"),
      "commands-button",
      () => this.#toggleCommands(),
      { "aria-expanded": "false", "aria-controls": this.commands.id },
    );
    this.commandButton.addEventListener("pointerdown", (event) => event.preventDefault());
    this.maskButton = iconButton("anonymous", t("writeAsGroup"), "as-group", () => this.#toggleMask(), {
      "aria-pressed": "false",
    });
    this.sendButton = iconButton("send", t("send"), "send", () => this.send(), { className: "send" });
    this.context = h("div.composer-context", { hidden: true, dataset: { testid: "composer-context" } });
    this.row = h("div.composer-row", {}, this.commandButton, this.maskButton, this.input, this.sendButton);
    this.stand = h("div.composer-stand");
    this.element = h("div.composer", {}, this.commands.element, this.context, this.row, this.stand);
  }

  get #draftKey() {
    const { user, chat, thread } = this.hands.place();
    return `${user}:${chat}:${thread ?? 0}`;
  }

  /** Switches to another chat, person or topic: loads its draft, clears the reply. */
  reset() {
    this.#replyTo = null;
    this.#editing = null;
    this.#asGroup = false;
    this.#footing = null;
    this.#closeCommands();
    this.input.value = drafts.get(this.#draftKey) ?? "";
    this.update();
    this.#grow();
  }

  /** Shows what the person may do here now. */
  update() {
    const { user, chat, thread } = this.hands.place();
    const footing = this.#foot(user, chat, thread);
    const wasHidden = this.row.hidden;
    const admin = this.store.groups.get(chat)?.type === "supergroup" && this.store.isAdmin(chat, user);
    this.row.hidden = footing.kind !== "write";
    if (wasHidden && !this.row.hidden) this.#grow();
    this.stand.hidden = footing.kind === "write";
    this.maskButton.hidden = !admin;
    if (!admin) this.#asGroup = false;
    this.maskButton.setAttribute("aria-pressed", String(this.#asGroup));
    this.input.placeholder = this.#asGroup ? t("messageAsGroup") : t("message");
    const signature = JSON.stringify([footing.kind, footing.note]);
    if (signature !== this.#footing) {
      fill(
        this.stand,
        footing.note && h("p.stand-note", {}, footing.note),
        footing.label &&
          h(
            "button.stand-button",
            {
              className: footing.awaited ? "awaited" : "",
              dataset: { testid: footing.testid },
              on: { click: footing.act },
            },
            footing.label,
          ),
      );
      this.#footing = signature;
    }
    this.#drawContext();
  }

  #foot(user, chat, thread) {
    if (this.store.users.get(user)?.deactivated)
      return { kind: "deactivated", note: t("youAreDeleted") };
    if (this.store.isPrivate(chat)) {
      const person = this.store.users.get(user);
      if (person?.blocked)
        return {
          kind: "blocked",
          note: t("youBlocked"),
          label: t("unblock"),
          testid: "unblock",
          act: () => server.block(user, false),
        };
      const payload = this.hands.payload();
      if (!person?.started || payload !== null)
        return {
          kind: `start:${payload}`,
          label: t("start"),
          testid: "start",
          awaited: payload !== null,
          act: () => this.#start(user, payload),
        };
      return { kind: "write" };
    }
    const group = this.store.groups.get(chat);
    if (group?.upgraded_to)
      return {
        kind: "upgraded",
        note: t("wasUpgraded"),
        label: t("goThere"),
        testid: "go-to-upgraded",
        act: () => this.hands.onOpen(group.upgraded_to),
      };
    if (this.store.isPresent(chat, user))
      return this.store.isOpen(chat, thread, user)
        ? { kind: "write" }
        : { kind: "closed", note: t("topicIsClosed") };
    if (this.store.member(chat, user)?.status === "kicked")
      return { kind: "kicked", note: t("youWereKicked") };
    return {
      kind: "left",
      note: t("youAreNotIn"),
      label: t("join"),
      testid: "join",
      act: () => server.setMember(chat, user, "member"),
    };
  }

  async #start(user, payload) {
    await server.start(user, payload);
    await this.store.refreshWorld(); // now the person has started, and there is somewhere to write
    this.hands.onStarted();
    this.input.focus();
  }

  /** Answers a message. */
  reply(message) {
    this.#replyTo = message;
    this.#stopEditing();
    this.update();
    this.input.focus();
  }

  /** Changes an own message. */
  edit(message) {
    this.#editing = message;
    this.#replyTo = null;
    this.input.value = message.text ?? "";
    this.#grow();
    this.update();
    this.input.focus();
  }

  #stopEditing() {
    if (!this.#editing) return;
    this.#editing = null;
    this.input.value = drafts.get(this.#draftKey) ?? "";
    this.#grow();
  }

  #drawContext() {
    const message = this.#editing ?? this.#replyTo;
    this.context.hidden = !message || this.row.hidden;
    if (!message) return void fill(this.context);
    fill(
      this.context,
      icon(this.#editing ? "edit" : "reply"),
      h(
        "div.context-words",
        {},
        h(
          "span.context-title.truncate",
          {},
          this.#editing ? t("editing") : t("replyTo", { name: sender(message).name }),
        ),
        h("span.truncate", {}, summary(message)),
      ),
      iconButton("close", t("cancel"), "composer-cancel", () => this.#cancelContext()),
    );
  }

  #cancelContext() {
    this.#replyTo = null;
    this.#stopEditing();
    this.update();
    this.input.focus();
  }

  async send() {
    const text = this.input.value.trim();
    const { user, chat, thread } = this.hands.place();
    if (!text) return;
    if (this.#editing) {
      await server.edit(user, chat, this.#editing.message_id, text);
      this.#stopEditing();
      this.update();
      return;
    }
    const message = { from: user, chat, text };
    if (thread) message.thread = thread;
    if (this.#replyTo) message.reply_to = this.#replyTo.message_id;
    if (this.#asGroup) message.as_chat = true;
    this.input.value = "";
    drafts.delete(this.#draftKey);
    this.#replyTo = null;
    this.#grow();
    this.#closeCommands();
    this.update();
    try {
      await server.send(message);
    } catch (error) {
      this.input.value ||= text; // keep a text that could not be sent
      this.#grow();
      throw error;
    }
  }

  #toggleMask() {
    this.#asGroup = !this.#asGroup;
    this.update();
    this.input.focus();
  }

  #onInput() {
    if (!this.#editing) drafts.set(this.#draftKey, this.input.value);
    this.#grow();
    const typed = /^\/(\w*)$/.exec(this.input.value);
    if (typed) this.#openCommands(typed[1]);
    else this.#closeCommands();
  }

  #onKey(event) {
    if (this.commands.takeKey(event)) return void this.#announceCommands();
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      this.send();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      if (this.#replyTo || this.#editing) this.#cancelContext();
      else this.hands.onEscape();
    }
  }

  #grow() {
    this.input.style.height = "auto";
    // While hidden it has no height; it grows when it is shown again.
    if (this.input.offsetParent) this.input.style.height = `${this.input.scrollHeight}px`;
    this.sendButton.classList.toggle("ready", this.input.value.trim() !== "");
  }

  async #toggleCommands() {
    if (this.commands.isOpen) return this.#closeCommands();
    this.input.focus();
    await this.#openCommands("");
  }

  async #openCommands(typed) {
    const { user, chat } = this.hands.place();
    const turn = (this.#opening = Symbol("opening"));
    const commands = await this.store.commands(chat, user);
    if (this.#opening !== turn) return; // closed, changed, or another chat meanwhile
    this.commands.open(commands, typed);
    this.#announceCommands();
  }

  #closeCommands() {
    this.#opening = null;
    this.commands.close();
    this.#announceCommands();
  }

  #announceCommands() {
    this.commandButton.setAttribute("aria-expanded", String(this.commands.isOpen));
    if (this.commands.activeId) this.input.setAttribute("aria-activedescendant", this.commands.activeId);
    else this.input.removeAttribute("aria-activedescendant");
  }

  /**
   * A command picked from the menu is sent at once; in a group it names the bot, as Telegram's clients do.
   */
  async #chooseCommand(command) {
    const { chat } = this.hands.place();
    this.input.value = this.store.isPrivate(chat) ? `/${command}` : `/${command}@${this.store.bot.username}`;
    this.#closeCommands();
    await this.send();
    this.input.focus();
  }
}
