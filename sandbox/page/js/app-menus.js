/** The menu of the page and the menu of each phone. */

import { openGroupForm } from "./group-dialogs.js";
import { openNameForm } from "./person-dialog.js";
import { applyTheme, preferences } from "./preferences.js";
import { server } from "./server.js";
import { t } from "./strings.js";
import { askReset, openClock, openFaults } from "./world-dialogs.js";

const THEMES = ["auto", "light", "dark"];

/** @param {import("./app.js").App} app */
export function appMenu(app) {
  const theme = preferences.get("theme");
  return [
    {
      label: t("ringSound"),
      icon: "sound",
      testid: "menu-sound",
      checked: preferences.get("sound"),
      action: () => preferences.set("sound", !preferences.get("sound")),
    },
    {
      label: t("theme"),
      icon: { auto: "theme", light: "light", dark: "dark" }[theme],
      testid: "menu-theme",
      hint: t(`theme_${theme}`),
      action: nextTheme,
    },
    app.mode === "everyone" && {
      label: t("sharedScreen"),
      icon: "group",
      testid: "menu-shared",
      checked: preferences.get("shared"),
      action: () => app.setShared(!preferences.get("shared")),
    },
    "line",
    { label: t("clock"), icon: "clock", testid: "menu-clock", action: () => openClock(app.store) },
    { label: t("faults"), icon: "faults", testid: "menu-faults", action: () => openFaults(app.store) },
    "line",
    { label: t("resetWorld"), icon: "reset", testid: "menu-reset", danger: true, action: () => askReset() },
  ];
}

function nextTheme() {
  preferences.set("theme", THEMES[(THEMES.indexOf(preferences.get("theme")) + 1) % THEMES.length]);
  applyTheme();
}

/** @param {import("./app.js").App} app @param {import("./phone.js").Phone} phone */
export function phoneMenu(app, phone) {
  const { store } = app;
  const { user } = phone;
  const person = store.users.get(user);
  return [
    {
      label: t("newGroup"),
      icon: "group",
      testid: "menu-new-group",
      action: () => openGroupForm(store, user, (chat) => phone.open(chat)),
    },
    {
      label: t("botChat"),
      icon: "bot",
      testid: "menu-bot-chat",
      action: () => app.follow(phone, `https://t.me/${store.bot.username}`),
    },
    {
      label: t("renamePerson"),
      icon: "edit",
      testid: "menu-rename-person",
      action: () => openNameForm(person),
    },
    "line",
    person.blocked
      ? {
          label: t("unblockBot"),
          icon: "check",
          testid: "menu-unblock",
          action: () => server.block(user, false),
        }
      : {
          label: t("blockBot"),
          icon: "block",
          testid: "menu-block",
          danger: true,
          action: () => server.block(user, true),
        },
    app.mode === "everyone" && {
      label: phone.shared ? t("hideShared") : t("hidePhone"),
      icon: "close",
      testid: "menu-hide",
      action: () => (phone.shared ? app.setShared(false) : app.setHidden(user, true)),
    },
  ];
}
