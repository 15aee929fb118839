/** The panel with the bot's calls, their results, and the reasons of refusals. */

import { fill, h, iconButton } from "./dom.js";
import { preferences } from "./preferences.js";
import { server } from "./server.js";
import { t } from "./strings.js";
import { exactTime } from "./times.js";

const KEPT = 400;
const AT_BOTTOM = 40; // px
const POLL = "getUpdates"; // constant and uninformative, so it is hidden by default

export class CallLog {
  /** Refused calls since the panel was last open. */
  refusals = 0;
  #calls = [];
  #known = new Set(); // the numbers of all calls seen; a poll's is older than those of calls that end before it
  #onlyRefused = false;
  #polls = false;
  #method = "";

  /** @param {import("./store.js").Store} store @param {() => void} onChange */
  constructor(store, onChange) {
    this.store = store;
    this.onChange = onChange;
    this.rows = h("tbody");
    this.scroller = h(
      "div.log-scroll.scroll",
      { tabindex: "0", role: "region", "aria-label": t("callLog") },
      h(
        "table.log-table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["time", "method", "chat", "result", "ms"].map((name) =>
              h("th", { scope: "col" }, t(`log_${name}`)),
            ),
          ),
        ),
        this.rows,
      ),
    );
    this.empty = h("p.log-empty.soft", {}, t("noCalls"));
    this.element = h(
      "section.log",
      { "aria-label": t("callLog"), hidden: true, dataset: { testid: "log" } },
      h(
        "div.log-head",
        {},
        h("h2", {}, t("callLog")),
        h("input.log-filter", {
          type: "search",
          placeholder: t("method"),
          "aria-label": t("filterMethod"),
          dataset: { testid: "log-filter" },
          on: { input: (event) => this.#filter(event.target.value) },
        }),
        this.#switch(t("refusedOnly"), "log-refused", (on) => {
          this.#onlyRefused = on;
        }),
        this.#switch(t("showPolls"), "log-polls", (on) => {
          this.#polls = on;
        }),
        h(
          "button.button.small",
          { dataset: { testid: "log-clear" }, on: { click: () => this.#clear() } },
          t("clear"),
        ),
        iconButton("close", t("close"), "log-close", () => this.#close()),
      ),
      this.empty,
      this.scroller,
    );
    store.on("call", (call) => this.#take(call));
    store.on("connection", ({ online }) => online && this.#fetch());
  }

  #switch(label, testid, change) {
    const onChange = (event) => {
      change(event.target.checked);
      this.#draw();
    };
    return h(
      "label.tick.small",
      {},
      h("input", { type: "checkbox", dataset: { testid }, on: { change: onChange } }),
      label,
    );
  }

  /**
   * Fetches calls that were not pushed: from before the page opened, or during a lost connection.
   */
  async #fetch() {
    for (const call of await server.calls(0)) this.#take(call);
  }

  #take(call) {
    if (this.#known.has(call.n)) return; // fetched and pushed as well
    this.#known.add(call.n);
    this.#calls.push(call);
    if (this.#calls.length > KEPT) this.#calls.shift();
    if (!call.ok && this.element.hidden) {
      this.refusals += 1;
      this.onChange();
    }
    if (!this.#fits(call)) return;
    const atBottom = this.#atBottom();
    this.empty.hidden = true;
    this.rows.append(callRow(call, this.#where(call)));
    if (this.rows.children.length > KEPT) this.rows.firstChild.remove();
    if (atBottom) this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  #fits(call) {
    if (call.method === POLL && call.ok && !this.#polls) return false;
    return (!this.#onlyRefused || !call.ok) && call.method.toLowerCase().includes(this.#method);
  }

  #atBottom() {
    return this.scroller.scrollHeight - this.scroller.scrollTop - this.scroller.clientHeight < AT_BOTTOM;
  }

  #where(call) {
    const chat = Number(call.chat_id);
    if (!call.chat_id) return "";
    return this.store.isPrivate(chat)
      ? this.store.who(chat).name
      : (this.store.groups.get(chat)?.title ?? String(call.chat_id));
  }

  #draw() {
    const calls = this.#calls.filter((call) => this.#fits(call));
    fill(
      this.rows,
      calls.map((call) => callRow(call, this.#where(call))),
    );
    this.empty.hidden = calls.length > 0;
    this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  #filter(text) {
    this.#method = text.trim().toLowerCase();
    this.#draw();
  }

  #clear() {
    this.#calls = [];
    this.refusals = 0;
    this.#draw();
    this.onChange();
  }

  /** Resets the refusals when another world begins. */
  async forget() {
    this.#known.clear();
    this.#calls = [];
    await this.#fetch();
    this.#draw();
    this.refusals = 0;
    this.onChange();
  }

  #close() {
    preferences.set("log", false);
    this.show(false);
    this.onChange();
  }

  /** Opens or closes the panel. */
  show(shown) {
    this.element.hidden = !shown;
    if (!shown) return;
    this.refusals = 0;
    this.scroller.scrollTop = this.scroller.scrollHeight;
  }
}

function callRow(call, where) {
  return h(
    "tr",
    {
      className: call.ok ? "" : "refused",
      dataset: { testid: "call", method: call.method, ok: String(call.ok) },
    },
    h("td", {}, h("time", {}, exactTime(call.at))),
    h("td.log-method", {}, call.method),
    h("td.log-chat", { title: call.chat_id ?? "" }, where),
    h(
      "td",
      {},
      h("span.log-status", {}, call.status),
      call.description && h("span.log-why", {}, call.description),
    ),
    h("td.log-ms", {}, Math.round(call.ms * 10) / 10),
  );
}
