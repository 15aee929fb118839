/** The items of the menus of chats and messages. */

import { confirm } from "./dialogs.js";
import { openMembers } from "./members-dialog.js";
import { summary } from "./message.js";
import { openGroupNameForm, openTopicForm } from "./group-dialogs.js";
import { server } from "./server.js";
import { GENERAL } from "./store.js";
import { t } from "./strings.js";
import { messageLink } from "./telegram-links.js";

/** @param {import("./chat-view.js").ChatView} view */
export function chatMenu(view) {
  const { store, chat, phone } = view;
  const { user } = phone;
  if (store.isPrivate(chat)) {
    const { blocked } = store.users.get(user);
    return [
      blocked
        ? {
            label: t("unblockBot"),
            icon: "bot",
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
    ];
  }
  const group = store.groups.get(chat);
  const botIn = store.isPresent(chat, "bot");
  const before = store.predecessor(chat);
  return [
    {
      label: t("membersAndRights"),
      icon: "group",
      testid: "menu-members",
      action: () => openMembers(store, chat, user),
    },
    !group.upgraded_to && {
      label: t("renameGroup"),
      icon: "edit",
      testid: "menu-rename-group",
      action: () => openGroupNameForm(group),
    },
    group.type === "supergroup" && {
      label: t("hideMembers"),
      icon: "anonymous",
      testid: "menu-hide-members",
      checked: group.hidden_members,
      action: () => server.hideMembers(chat, !group.hidden_members),
    },
    ...topicItems(view, group),
    !botIn && {
      label: t("bringBotBack"),
      icon: "bot",
      testid: "menu-bring-bot",
      action: () => server.setMember(chat, "bot", "member"),
    },
    group.type === "group" &&
      !group.upgraded_to && {
        label: t("upgradeGroup"),
        icon: "upgrade",
        testid: "menu-upgrade",
        action: () => askUpgrade(chat),
      },
    before && {
      label: t("beforeUpgrade"),
      icon: "clock",
      testid: "menu-before-upgrade",
      action: () => phone.open(before),
    },
    "line",
    botIn && {
      label: t("kickBot"),
      icon: "kick",
      testid: "menu-kick-bot",
      danger: true,
      action: () => server.setMember(chat, "bot", "kicked"),
    },
    store.isPresent(chat, user)
      ? {
          label: t("leaveGroup"),
          icon: "leave",
          testid: "menu-leave",
          danger: true,
          action: () => server.setMember(chat, user, "left"),
        }
      : {
          label: t("join"),
          icon: "add",
          testid: "menu-join",
          action: () => server.setMember(chat, user, "member"),
        },
  ];
}

function topicItems({ thread }, group) {
  if (!group.is_forum) return [];
  const topic = group.topics.find((each) => each.thread === thread);
  const closed = group.closed_topics.includes(thread ?? GENERAL);
  return [
    {
      label: t("newTopic"),
      icon: "topic",
      testid: "menu-new-topic",
      action: () => openTopicForm(group.id),
    },
    topic && {
      label: t("renameTopic"),
      icon: "edit",
      testid: "menu-rename-topic",
      action: () => openTopicForm(group.id, topic),
    },
    {
      label: closed ? t("reopenTopic") : t("closeTopic"),
      icon: "lock",
      testid: "menu-close-topic",
      action: () => server.closeTopic(group.id, thread ?? GENERAL, !closed),
    },
    topic && {
      label: t("deleteTopic"),
      icon: "trash",
      testid: "menu-delete-topic",
      danger: true,
      action: () =>
        confirm({
          title: t("deleteTopic"),
          text: t("deleteTopicText", { name: topic.name }),
          submit: t("delete"),
          testid: "delete-topic-dialog",
          onConfirm: () => server.deleteTopic(group.id, thread),
        }),
    },
  ];
}

function askUpgrade(chat) {
  confirm({
    title: t("upgradeGroup"),
    text: t("upgradeText"),
    submit: t("upgrade"),
    testid: "upgrade-dialog",
    onConfirm: () => server.upgrade(chat),
  });
}

/** @param {import("./chat-view.js").ChatView} view @param {import("./server.js").Message} message */
export function messageMenu(view, message) {
  const { store, chat, phone, composer } = view;
  const own = !message.from?.chat && message.from?.id === phone.user;
  const canWrite = store.isPresent(chat, phone.user);
  const text = message.text ?? message.caption;
  const link = messageLink(chat, message.message_id);
  return [
    canWrite && {
      label: t("reply"),
      icon: "reply",
      testid: "menu-reply",
      action: () => composer.reply(message),
    },
    own &&
      canWrite &&
      message.text && {
        label: t("edit"),
        icon: "edit",
        testid: "menu-edit",
        action: () => composer.edit(message),
      },
    text && { label: t("copyText"), icon: "copy", testid: "menu-copy", action: () => phone.copy(text) },
    link && { label: t("copyLink"), icon: "link", testid: "menu-copy-link", action: () => phone.copy(link) },
    "line",
    {
      label: t("delete"),
      icon: "trash",
      testid: "menu-delete",
      danger: true,
      hint: `#${message.message_id}`,
      action: () => askDelete(chat, message),
    },
  ];
}

function askDelete(chat, message) {
  confirm({
    title: t("deleteMessage"),
    text: `«${summary(message).slice(0, 120)}»`,
    submit: t("delete"),
    testid: "delete-dialog",
    onConfirm: () => server.remove(chat, message.message_id),
  });
}
