/**
 * The page of a local Telegram: starts everything.
 *
 * The address may say whose phone to begin with: `/?as=ID`.
 *
 * Hooks for tests and drivers. They are stable; classes are not.
 *
 *   data-testid="phone" data-user=ID          one person's phone; "shared-phone" is the screen before them, its data-user the person
 *                                             who acts there. data-open="list"|"chat" says what a narrow phone shows
 *   data-testid="person" data-user=ID         a person in the bar: becomes that person ("one"), brings the phone into view ("everyone")
 *   data-testid="actor" data-user=ID          a person on the shared screen's head
 *   data-testid="mode-one", "mode-everyone"   the mode switch
 *   data-testid="chat-row" data-chat=ID       a chat in a phone's list, with "unread" inside; a private chat's id is its person's
 *   data-testid="chat" data-chat=ID           the open chat; inside it: "back", "chat-title", "chat-menu", "pinned", "topic" data-thread=N,
 *                                             "messages", "empty" with "hint-send", "composer", "send", "commands-button",
 *                                             "command" data-command=NAME, "as-group", "composer-cancel", "start", "unblock", "join"
 *   data-testid="message" data-message-id=N   a bubble, data-from=ID; inside it: "text", "quote", "photo", "document", "edited-mark",
 *                                             "silent-mark", "message-menu"; "service" data-message-id=N is a service line
 *   data-testid="key" data-index=N            a button of an inline keyboard, counted through its rows; data-kind="callback"|"url"|"copy",
 *                                             data-style="success"|"danger"|"primary"; aria-busy="true" while the bot has not answered
 *   data-testid="toast", "alert", "alert-ok"  a bot's answer on a phone; "banner" data-chat=ID and "rings" tell that the phone rang
 *   data-testid="menu"                        an open menu, its items "menu-…"; dialogs are "…-dialog" with "field-NAME", "dialog-submit",
 *                                             "dialog-cancel", "dialog-close", "dialog-problem"; members: "member" data-user=ID|bot
 *   data-testid="log"                         the bot's calls: "call" data-method=NAME data-ok=true|false, "log-toggle" in the bar
 *   data-testid="notice"                      a refusal of the sandbox; "connection" is shown while the WebSocket is down
 */

import { App } from "./app.js";
import { applyTheme } from "./preferences.js";
import { Refused } from "./server.js";
import { Store } from "./store.js";
import { language } from "./strings.js";

applyTheme();
document.documentElement.lang = language;

const store = new Store();
await store.open();
const app = new App(store);
document.body.append(app.element);

// Whatever the sandbox refuses and nobody asked about is said; anything else is a fault of the page and stays one.
window.addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof Refused)) return;
  event.preventDefault();
  app.notice(event.reason.message);
});
