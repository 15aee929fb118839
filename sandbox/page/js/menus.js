/**
 * Pop-up menus: one at a time, by mouse or keyboard, focus returns to where it was. Knows nothing of what the
 * items do.
 */

import { arrowKeys, fill, h, icon } from "./dom.js";

const EDGE = 8;
let closeOpenMenu = () => {};

/**
 * @typedef {{label: string, icon: string, testid: string, action: () => void, danger?: boolean, checked?:
 *   boolean, hint?: string}} Item `checked` makes it a switch
 *
 * @param {HTMLElement} anchor  what opened it; focus goes back there
 * @param {(Item|null|false|"line")[]} items  falsy ones are left out, "line" separates
 * @param {{label: string, at?: {x: number, y: number}}} options  `at`: where the pointer is, otherwise below
 *   the anchor
 */
export function openMenu(anchor, items, { label, at }) {
  closeOpenMenu();
  const menu = h("div.menu", { role: "menu", "aria-label": label, dataset: { testid: "menu" } });
  const close = () => {
    menu.remove();
    anchor.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", onOutside, true);
    closeOpenMenu = () => {};
    if (document.activeElement === document.body || menu.contains(document.activeElement))
      anchor.focus({ preventScroll: true });
  };
  const onOutside = (event) => {
    if (!menu.contains(event.target)) close();
  };
  fill(
    menu,
    items.filter(Boolean).map((item) =>
      item === "line"
        ? h("hr", { role: "separator" })
        : menuItem(item, () => {
            anchor.focus({ preventScroll: true });
            close();
            item.action();
          }),
    ),
  );
  const move = arrowKeys(() => [...menu.querySelectorAll("[role^=menuitem]")]);
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      event.stopPropagation();
      anchor.focus({ preventScroll: true });
      close();
    } else move(event);
  });

  (anchor.closest("dialog") ?? document.body).append(menu);
  place(menu, anchor.getBoundingClientRect(), at);
  if (anchor.hasAttribute("aria-haspopup")) anchor.setAttribute("aria-expanded", "true");
  closeOpenMenu = close;
  document.addEventListener("pointerdown", onOutside, true);
  menu.querySelector("[role^=menuitem]")?.focus({ preventScroll: true });
}

function menuItem(item, choose) {
  const isSwitch = item.checked !== undefined;
  return h(
    "button.menu-item",
    {
      role: isSwitch ? "menuitemcheckbox" : "menuitem",
      "aria-checked": isSwitch ? item.checked : null,
      className: item.danger ? "danger" : "",
      tabindex: "-1",
      dataset: { testid: item.testid },
      on: { click: choose },
    },
    icon(item.icon),
    h("span.menu-label", {}, item.label),
    item.hint && h("span.menu-hint", {}, item.hint),
    isSwitch && h("span.menu-check", {}, item.checked && icon("check")),
  );
}

function place(menu, anchor, at) {
  // Not the bounding box: the menu's animation has only begun and shrinks it.
  const { offsetWidth: width, offsetHeight: height } = menu;
  const wanted = at ?? { x: anchor.right - width, y: anchor.bottom + 4 };
  const left = Math.max(EDGE, Math.min(wanted.x, innerWidth - width - EDGE));
  const below = wanted.y + height + EDGE <= innerHeight;
  const above = (at ? at.y : anchor.top - 4) - height;
  const top = below ? wanted.y : Math.max(EDGE, above);
  Object.assign(menu.style, {
    left: `${left}px`,
    top: `${top}px`,
    transformOrigin: below ? "top" : "bottom",
  });
}

/** A round button that opens a menu made anew each time. */
export function menuButton(iconName, label, testid, makeItems, props = {}) {
  const button = h(
    "button.icon-button",
    {
      "aria-label": label,
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      title: label,
      dataset: { testid },
      on: { click: () => openMenu(button, makeItems(), { label }) },
      ...props,
    },
    icon(iconName),
  );
  return button;
}
