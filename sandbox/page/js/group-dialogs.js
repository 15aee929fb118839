/** The dialogs around groups: a new one, a new topic, and adding the bot through a `startgroup` link. */

import { choice, field, openDialog, openForm, tick, ticks } from "./dialogs.js";
import { h } from "./dom.js";
import { avatar } from "./identity.js";
import { server } from "./server.js";
import { t } from "./strings.js";

/**
 * @param {import("./store.js").Store} store
 * @param {number} creator
 * @param {(chat: number) => void} onAdded
 * @param {{withBot?: boolean}} [options]  whether the bot is ticked at first
 */
export function openGroupForm(store, creator, onAdded, { withBot = true } = {}) {
  const others = [...store.users.keys()].filter((user) => user !== creator);
  openForm({
    title: t("newGroup"),
    testid: "group-dialog",
    submit: t("create"),
    fields: [
      field(t("title"), "title", { required: true, maxlength: 128 }),
      choice(t("kind"), "kind", [
        ["supergroup", t("supergroup")],
        ["group", t("basicGroup")],
        ["forum", t("forum")],
      ]),
      ticks(t("people"), [
        ...others.map((user) =>
          tick(store.who(user).name, "member", user, true, avatar(store.who(user), "tiny")),
        ),
        tick(store.bot.first_name, "bot", "bot", withBot, avatar(store.who("bot"), "tiny")),
      ]),
    ],
    onSubmit: async (data) => {
      const kind = data.get("kind");
      const { id } = await server.addChat({
        type: kind === "group" ? "group" : "supergroup",
        is_forum: kind === "forum",
        title: data.get("title"),
        members: [creator, ...data.getAll("member").map(Number)],
        creator,
        bot: data.has("bot"),
      });
      await store.refreshWorld();
      onAdded(id);
    },
  });
}

/** @param {import("./server.js").Group} group */
export function openGroupNameForm(group) {
  openForm({
    title: t("renameGroup"),
    testid: "group-name-dialog",
    submit: t("save"),
    fields: [field(t("title"), "title", { required: true, maxlength: 128, value: group.title })],
    onSubmit: (data) => server.renameChat(group.id, data.get("title")),
  });
}

/**
 * A new topic, or another name for one that is there.
 * @param {number} chat @param {{thread: number, name: string}} [topic]
 */
export function openTopicForm(chat, topic) {
  openForm({
    title: topic ? t("renameTopic") : t("newTopic"),
    testid: "topic-dialog",
    submit: topic ? t("save") : t("create"),
    fields: [
      field(t("topicName"), "name", { required: true, maxlength: 128, value: topic?.name ?? "" }),
    ],
    onSubmit: (data) =>
      topic
        ? server.renameTopic(chat, topic.thread, data.get("name"))
        : server.addTopic(chat, data.get("name")),
  });
}

/**
 * "Add to a group", which a t.me/<bot>?startgroup= link opens. The bot gets `/start@bot payload` in the group
 * that is chosen.
 * @param {import("./store.js").Store} store
 * @param {number} user
 * @param {{payload: string, admin: boolean}} link
 * @param {(chat: number) => void} onAdded
 */
export function openAddToGroup(store, user, { payload, admin }, onAdded) {
  const add = async (chat) => {
    dialog.close();
    if (!store.isPresent(chat, "bot"))
      await server.setMember(chat, "bot", admin ? "administrator" : "member");
    if (payload) await server.send({ from: user, chat, text: `/start@${store.bot.username} ${payload}` });
    onAdded(chat);
  };
  const chats = store.chatsOf(user).filter((chat) => !store.isPrivate(chat));
  const rows = chats.map((chat) =>
    h(
      "button.pick",
      { dataset: { testid: "pick-group", chat }, on: { click: () => add(chat) } },
      avatar(store.peer(chat), "small"),
      h(
        "span.pick-words",
        {},
        h("span.truncate", {}, store.peer(chat).name),
        store.isPresent(chat, "bot") && h("span.soft", {}, t("botIsIn")),
      ),
    ),
  );
  const create = h(
    "button.button",
    {
      dataset: { testid: "pick-new-group" },
      on: {
        click: () => {
          dialog.close();
          openGroupForm(store, user, add, { withBot: false });
        },
      },
    },
    t("newGroup"),
  );
  const dialog = openDialog({
    title: t("addBotTo", { name: store.bot.first_name }),
    testid: "startgroup-dialog",
    body: rows.length ? rows : h("p.soft", {}, t("noGroups")),
    actions: [create],
  });
}
