/**
 * A person's notifications: a bell with a counter, a banner for chats that are not on the screen, a list of
 * earlier ones. Only `notification` frames get here.
 */

import { openDialog } from "./dialogs.js";
import { h, icon, iconButton } from "./dom.js";
import { avatar } from "./identity.js";
import { server } from "./server.js";
import { playRing } from "./sound.js";
import { t } from "./strings.js";
import { exactTime } from "./times.js";

const BANNER_TIME = 5000;
const counts = new Map(); // person → notifications since the bell was last opened

/** A person's notifications since the bell was last opened. */
export function ringCount(user) {
  return counts.get(user) ?? 0;
}

/** Counts a `notification` frame, and sounds. */
export function noteRing(user) {
  counts.set(user, ringCount(user) + 1);
  playRing();
}

/** Forgets every ring: the world was emptied. */
export function forgetRings() {
  counts.clear();
}

/** The bell in a phone's head. */
export class Bell {
  constructor(onSeen) {
    this.count = h("span.bell-count", { dataset: { testid: "rings" } });
    this.button = iconButton("bell", t("rings"), "bell", () => this.#show());
    this.button.append(this.count);
    this.onSeen = onSeen;
  }

  update(user) {
    this.user = user;
    const count = ringCount(user);
    this.count.textContent = count || "";
    this.button.setAttribute("aria-label", count ? t("ringsCount", { count }) : t("rings"));
    this.button.classList.toggle("rung", count > 0);
  }

  shake() {
    this.button.classList.remove("shake");
    void this.button.offsetWidth; // restarts the animation
    this.button.classList.add("shake");
  }

  async #show() {
    const latest = (await server.notifications(this.user)).reverse().slice(0, 50);
    const lines = latest.map((ring) =>
      h(
        "li.ring-line",
        {},
        h("time", {}, exactTime(ring.at)),
        h("div.ring-words", {}, h("strong", {}, ring.title), h("span", {}, ring.text)),
      ),
    );
    openDialog({
      title: t("rings"),
      testid: "rings-dialog",
      body: lines.length ? h("ul.ring-list", {}, lines) : h("p.soft", {}, t("noRings")),
    });
    counts.delete(this.user);
    this.update(this.user);
    this.onSeen();
  }
}

/** Slides a notification in over a phone; a press opens what it is about. */
export function showBanner(place, frame, peer, onOpen) {
  place.querySelector(".banner")?.remove();
  const banner = h(
    "button.banner",
    {
      dataset: { testid: "banner", chat: frame.chat },
      on: {
        click: () => {
          banner.remove();
          onOpen();
        },
      },
    },
    avatar(peer, "small"),
    h(
      "span.banner-words",
      {},
      h("span.banner-title.truncate", {}, frame.title),
      h("span.banner-text", {}, frame.text),
    ),
    icon("bell"),
  );
  place.append(banner);
  setTimeout(() => banner.remove(), BANNER_TIME);
}
