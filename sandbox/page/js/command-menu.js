/**
 * The list of the bot's commands above the composer: opened by its button or by typing "/", narrowed by what
 * is typed.
 */

import { fill, h } from "./dom.js";
import { t } from "./strings.js";

let count = 0;

export class CommandMenu {
  #commands = [];
  #matches = [];
  #chosen = 0;

  /** @param {(command: string) => void} onChoose gets the bare name, without the slash */
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.id = `commands-${++count}`;
    this.element = h("div.commands.scroll", {
      id: this.id,
      role: "listbox",
      "aria-label": t("commands"),
      tabindex: "0",
      hidden: true,
      dataset: { testid: "commands" },
      on: { keydown: (event) => this.takeKey(event) },
    });
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** The id of the option the arrow keys stand on, for aria-activedescendant. */
  get activeId() {
    return this.isOpen && this.#matches.length ? `${this.id}-${this.#chosen}` : null;
  }

  /**
   * @param {{command: string, description: string}[]} commands
   * @param {string} typed what follows the slash
   */
  open(commands, typed = "") {
    this.#commands = commands;
    this.narrow(typed);
  }

  narrow(typed) {
    this.#matches = this.#commands.filter(({ command }) => command.startsWith(typed.toLowerCase()));
    this.#chosen = 0;
    this.element.hidden = this.#commands.length > 0 && this.#matches.length === 0;
    this.#draw();
  }

  close() {
    this.element.hidden = true;
  }

  #draw() {
    if (this.activeId) this.element.setAttribute("aria-activedescendant", this.activeId);
    else this.element.removeAttribute("aria-activedescendant");
    if (!this.#matches.length) {
      fill(this.element, h("p.commands-empty", { role: "option", "aria-disabled": "true" }, t("noCommands")));
      return;
    }
    fill(
      this.element,
      this.#matches.map(({ command, description }, index) =>
        h(
          "div.command",
          {
            id: `${this.id}-${index}`,
            role: "option",
            "aria-selected": index === this.#chosen,
            dataset: { testid: "command", command },
            on: {
              pointerdown: (event) => event.preventDefault(), // the composer keeps the focus
              click: () => this.onChoose(command),
            },
          },
          h("span.command-name", {}, `/${command}`),
          h("span.command-words.truncate", {}, description),
        ),
      ),
    );
    this.element.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }

  /** Takes the keys that belong to an open list. @returns {boolean} whether the key was meant for it */
  takeKey(event) {
    if (!this.isOpen) return false;
    if (event.key === "Escape") this.close();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.#chosen = (this.#chosen + step + this.#matches.length) % Math.max(1, this.#matches.length);
      this.#draw();
    } else if ((event.key === "Enter" || event.key === "Tab") && this.#matches.length && !event.shiftKey) {
      this.onChoose(this.#matches[this.#chosen].command);
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }
}
