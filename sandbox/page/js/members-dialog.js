/**
 * Who is in a group, with which rights, and everything that can be done to them. Redraws itself while it is
 * open.
 */

import { openDialog, openForm, tick, ticks } from "./dialogs.js";
import { fill, h } from "./dom.js";
import { avatar } from "./identity.js";
import { menuButton } from "./menus.js";
import { server } from "./server.js";
import { t } from "./strings.js";

const ADMIN_RIGHTS = [
  "can_delete_messages",
  "can_pin_messages",
  "can_restrict_members",
  "can_invite_users",
  "can_manage_topics",
];
const WRITING = ["can_send_messages", "can_send_photos", "can_send_documents"];
const RANK = { creator: 0, administrator: 1, member: 2, restricted: 3, left: 4, kicked: 5 };

/** @param {import("./store.js").Store} store @param {number} chat @param {number} viewer whose phone asks */
export function openMembers(store, chat, viewer) {
  const list = h("ul.member-list");
  const add = h("div.member-add");
  const draw = () => {
    if (!store.groups.has(chat)) return void dialog.close();
    const members = [...store.groups.get(chat).members].sort(
      (a, b) => (RANK[a.status] ?? 9) - (RANK[b.status] ?? 9),
    );
    fill(
      list,
      members.map((member) => memberRow(store, chat, member, viewer)),
    );
    const known = new Set(members.map((member) => member.user));
    const outside = ["bot", ...store.users.keys()].filter((who) => !known.has(who));
    fill(
      add,
      outside.length > 0 && h("h3.field-label", {}, t("notInGroup")),
      outside.map((who) =>
        h(
          "button.pick",
          {
            dataset: { testid: "add-member", user: who },
            on: { click: () => server.setMember(chat, who, "member") },
          },
          avatar(store.who(who), "tiny"),
          h("span.truncate", {}, t("addName", { name: store.who(who).name })),
        ),
      ),
    );
  };
  const dialog = openDialog({ title: store.peer(chat).name, testid: "members-dialog", body: [list, add] });
  const stop = store.on("world", draw);
  dialog.addEventListener("close", stop);
  draw();
}

function memberRow(store, chat, member, viewer) {
  const who = store.who(member.user);
  const name = member.user === viewer ? t("nameYou", { name: who.name }) : who.name;
  return h(
    "li.member",
    { dataset: { testid: "member", user: member.user, status: member.status } },
    avatar(who, "small"),
    h(
      "div.member-words",
      {},
      h("span.truncate", {}, name),
      h("span.soft.truncate", {}, t(`status_${member.status}`)),
    ),
    menuButton("more", t("memberMenu", { name: who.name }), "member-menu", () =>
      memberMenu(store, chat, member, who),
    ),
  );
}

function memberMenu(store, chat, member, who) {
  const set = (status) => () => server.setMember(chat, member.user, status);
  const inside = store.isPresent(chat, member.user);
  const admin = ["administrator", "creator"].includes(member.status);
  const silence = () =>
    server.setMember(
      chat,
      member.user,
      "restricted",
      Object.fromEntries(WRITING.map((right) => [right, false])),
    );
  return [
    inside &&
      member.status !== "creator" && {
        label: admin ? t("changeRights") : t("promote"),
        icon: "shield",
        testid: "member-promote",
        action: () => askRights(chat, member, who),
      },
    member.status === "administrator" && {
      label: t("demote"),
      icon: "down",
      testid: "member-demote",
      action: set("member"),
    },
    inside &&
      !admin &&
      member.user !== "bot" && {
        label: t("makeOwner"),
        icon: "up",
        testid: "member-owner",
        action: set("creator"),
      },
    member.status === "restricted" && {
      label: t("unrestrict"),
      icon: "check",
      testid: "member-unrestrict",
      action: set("member"),
    },
    member.status === "member" &&
      store.groups.get(chat).type === "supergroup" && {
        label: t("restrict"),
        icon: "block",
        testid: "member-restrict",
        action: silence,
      },
    !inside && {
      label: member.user === "bot" ? t("bringBotBack") : t("bringBack"),
      icon: "add",
      testid: "member-return",
      action: set("member"),
    },
    inside && "line",
    inside &&
      member.user !== "bot" && {
        label: t("leaveGroup"),
        icon: "leave",
        testid: "member-leave",
        action: set("left"),
      },
    inside && { label: t("kick"), icon: "kick", testid: "member-kick", danger: true, action: set("kicked") },
  ];
}

/**
 * Which rights an administrator gets; what is not ticked is refused to him, as to a bot without the right to
 * pin.
 */
function askRights(chat, member, who) {
  const given = member.status === "administrator" ? (member.rights ?? {}) : {};
  openForm({
    title: t("rightsOf", { name: who.name }),
    testid: "rights-dialog",
    submit: t("save"),
    fields: [
      ticks(
        t("mayDo"),
        ADMIN_RIGHTS.map((right) => tick(t(right), "right", right, given[right] ?? true)),
      ),
    ],
    onSubmit: (data) =>
      server.setMember(
        chat,
        member.user,
        "administrator",
        Object.fromEntries(ADMIN_RIGHTS.map((right) => [right, data.getAll("right").includes(right)])),
      ),
  });
}
