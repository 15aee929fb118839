/**
 * The page of a local Telegram: starts everything.
 *
 * The address may say whose phone to begin with: `/?as=ID`.
 *
 * Hooks for tests and drivers (data-testid, with what else the element tells). They are stable; classes are not.
 *
 * The bar
 *   person data-user=ID        becomes that person ("one"), or brings the person's phone into view ("everyone")
 *   mode-one, mode-everyone    how many phones there are
 *   add-menu, app-menu         menus; log-toggle with refusals, the number of calls refused since it was open
 *   nobody                     in an empty world, with first-person and friends
 *   connection                 shown while the WebSocket is down; bot-down while the bot is being started anew;
 *                              notice: something the sandbox refused
 * A phone
 *   phone data-user=ID         one person's; shared-phone is the screen before them, its data-user who acts there
 *                              now. data-open="list"|"chat": what a narrow phone shows
 *   actor data-user=ID         on the shared screen: acts as that person
 *   person-menu, bell          the bell holds rings, how often the phone rang
 *   banner data-chat=ID        a notification for what is not on the screen
 *   toast, alert, alert-ok     a bot's answer to a press
 *   chat-row data-chat=ID      a chat in the list, perhaps with unread; a private chat's id is its person's
 * A chat
 *   chat data-chat=ID          the open one: back, chat-title, chat-menu, pinned, topic data-thread=N (0: General),
 *                              new-topic, messages, earlier, to-bottom, empty with hint-send
 *   composer, send             and composer-context, composer-cancel, as-group, commands-button, commands,
 *                              command data-command=NAME; instead of them: start, unblock, join, go-to-upgraded
 * A message
 *   message data-message-id=N  data-from=ID: text, quote, photo, document, reactions, edited-mark, silent-mark,
 *                              message-menu; service data-message-id=N is a service line
 *   key data-index=N           an inline button, counted through the rows; data-kind="callback"|"url"|"copy",
 *                              data-style as the bot chose; aria-busy="true" until the bot has answered
 * Over the page
 *   menu                       its items are menu-…, in the members dialog member-…
 *   …-dialog                   field-NAME, tick-NAME-VALUE, dialog-submit, dialog-cancel, dialog-close,
 *                              dialog-problem; member data-user=ID|bot data-status=…; pick-group data-chat=ID
 *   log                        call data-method=NAME data-ok="true"|"false", log-filter, log-refused, log-polls
 */

import { App } from "./app.js";
import { applyTheme, preferences } from "./preferences.js";
import { Refused } from "./server.js";
import { Store } from "./store.js";
import { language } from "./strings.js";

applyTheme();
document.documentElement.lang = language;

const store = new Store();
await store.open();
preferences.enter(store.world);
store.on("world", () => preferences.set("world", store.world));
const app = new App(store);
document.body.append(app.element);

// Whatever the sandbox refuses is said, unless a dialog has said it; anything else is a fault of the page.
window.addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof Refused)) return;
  event.preventDefault();
  app.notice(event.reason.message);
});
