/** The bar over the phones: who is there, one or everyone, the log, the rest in a menu. */

import { appMenu } from "./app-menus.js";
import { arrowKeys, fill, h, icon, iconButton } from "./dom.js";
import { openGroupForm } from "./group-dialogs.js";
import { avatar } from "./identity.js";
import { menuButton } from "./menus.js";
import { openPersonForm } from "./person-dialog.js";
import { preferences } from "./preferences.js";
import { ringCount } from "./rings.js";
import { server } from "./server.js";
import { t } from "./strings.js";

export class AppBar {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    this.people = h("div.people", {
      role: "group",
      "aria-label": t("people"),
      dataset: { testid: "people" },
    });
    this.people.addEventListener(
      "keydown",
      arrowKeys(() => [...this.people.querySelectorAll("button")], { horizontal: true }),
    );
    this.modes = h("div.segments", { role: "group", "aria-label": t("view") });
    this.logCount = h("span.log-count", { hidden: true, dataset: { testid: "refusals" } });
    this.logButton = iconButton("log", t("callLog"), "log-toggle", () => this.#toggleLog(), {
      "aria-pressed": "false",
    });
    this.logButton.append(this.logCount);
    this.connection = h(
      "div.connection",
      { role: "status", hidden: true, dataset: { testid: "connection" } },
      h("span.spinner", { "aria-hidden": "true" }),
      t("connecting"),
    );
    this.element = h(
      "header.app-bar",
      {},
      h(
        "h1.logo",
        {},
        h("img", { src: "page/icon.svg", alt: "", width: 26, height: 26 }),
        h("span", {}, t("appName")),
      ),
      this.people,
      menuButton("add", t("addSomething"), "add-menu", () => this.#addMenu(), { className: "add" }),
      this.connection,
      h(
        "div.bar-end",
        {},
        this.modes,
        this.logButton,
        menuButton("more", t("worldMenu"), "app-menu", () => appMenu(app)),
      ),
    );
  }

  update() {
    this.#drawPeople();
    this.#drawModes();
    const { refusals } = this.app.log;
    this.logButton.setAttribute("aria-pressed", String(preferences.get("log")));
    this.logButton.setAttribute(
      "aria-label",
      refusals ? t("callLogRefused", { count: refusals }) : t("callLog"),
    );
    this.logCount.hidden = refusals === 0;
    this.logCount.textContent = refusals > 99 ? "99+" : refusals;
  }

  #drawPeople() {
    const { app } = this;
    const chips = [...app.store.users.keys()].map((user) => ({
      ...app.store.who(user),
      shown: app.shows(user),
      rings: app.shows(user) ? 0 : ringCount(user), // a visible phone has its own bell
    }));
    const signature = JSON.stringify([app.mode, chips]);
    if (this.people.dataset.signature === signature) return;
    this.people.dataset.signature = signature;
    const focused = this.people.contains(document.activeElement) ? document.activeElement.dataset.user : null;
    fill(
      this.people,
      chips.map((chip) =>
        h(
          "button.person",
          {
            "aria-pressed": app.mode === "one" ? chip.shown : null,
            className: chip.shown ? "shown" : "",
            title: chip.name,
            dataset: { testid: "person", user: chip.id },
            on: { click: () => app.choose(chip.id) },
          },
          avatar(chip, "tiny"),
          h("span.person-name", {}, chip.name.split(" ")[0]),
          chip.rings > 0 &&
            h(
              "span.person-rings",
              { role: "img", "aria-label": t("ringsCount", { count: chip.rings }) },
              chip.rings,
            ),
        ),
      ),
    );
    if (focused) this.people.querySelector(`[data-user="${focused}"]`)?.focus();
    // Not before the bar is on the page.
    requestAnimationFrame(() => {
      this.people.querySelector("[aria-pressed=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    });
  }

  #drawModes() {
    const { mode } = this.app;
    if (this.modes.dataset.mode === mode) return;
    this.modes.dataset.mode = mode;
    const focused = this.modes.contains(document.activeElement);
    fill(
      this.modes,
      [
        ["one", t("onePerson")],
        ["everyone", t("everyone")],
      ].map(([value, label]) =>
        h(
          "button.segment",
          {
            "aria-pressed": mode === value,
            title: label,
            dataset: { testid: `mode-${value}` },
            on: { click: () => this.app.setMode(value) },
          },
          icon(value),
          h("span", {}, label),
        ),
      ),
    );
    if (focused) this.modes.querySelector("[aria-pressed=true]").focus();
  }

  #addMenu() {
    const { store } = this.app;
    const shown = this.app.phones.find((phone) => !phone.shared) ?? this.app.phones[0];
    const me = shown?.user ?? this.app.me;
    return [
      {
        label: t("newPerson"),
        icon: "person",
        testid: "menu-new-person",
        action: () => openPersonForm((user) => this.app.choose(user)),
      },
      me !== null && {
        label: t("newGroup"),
        icon: "group",
        testid: "menu-new-group",
        action: () => openGroupForm(store, me, (chat) => this.app.openGroup(me, chat)),
      },
    ];
  }

  #toggleLog() {
    preferences.set("log", !preferences.get("log"));
    this.app.update();
  }

  showConnection(online) {
    this.connection.hidden = online;
  }

  /** The placeholder of an empty world. */
  nobodyCard() {
    return h(
      "div.nobody.empty-card",
      { dataset: { testid: "nobody" } },
      h("h2", {}, t("nobodyHere")),
      h("p", {}, t("nobodyText")),
      h(
        "button.button.primary",
        {
          dataset: { testid: "first-person" },
          on: { click: () => openPersonForm((user) => this.app.choose(user)) },
        },
        t("newPerson"),
      ),
      h(
        "button.button",
        {
          dataset: { testid: "friends" },
          on: { click: () => server.addFriends() },
        },
        t("friends"),
      ),
    );
  }
}
