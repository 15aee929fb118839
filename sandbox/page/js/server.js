/**
 * The sandbox's control routes as functions. Knows HTTP; knows nothing of what is on the screen.
 *
 * Ids are numbers. A private chat's id is its person's id; groups have negative ids.
 *
 * @typedef {{id: number, first_name: string, last_name?: string, username?: string, language_code?: string,
 *   blocked: boolean, deactivated: boolean, started: boolean, pinned: number[]}} Person
 * @typedef {{user: number|"bot", status: string, rights?: Object<string, boolean>}} Member
 * @typedef {{id: number, type: "group"|"supergroup", title: string, is_forum: boolean, members: Member[],
 *   topics: {thread: number, name: string}[], closed_topics: number[], hidden_members: boolean, pinned: number[], upgraded_to: number|null}} Group
 * @typedef {{id: number, username: string, first_name: string, description: string, short_description:
 *   string, descriptions: Object<string, string>, is: "up"|"down"|"starting"}} Bot
 * @typedef {{id: string, bot: Bot, now: number, users: Person[], chats: Group[]}} World
 * @typedef {{text: string, data?: string, url?: string, style?: string, copy?: string}} Button
 * @typedef {{message_id: number, from: Object, date: number, edit_date: number|null, text: string|null,
 *   caption: string|null, entities: Object[], caption_entities: Object[], photo: {url: string, width: number,
 *   height: number}|null, document: {url: string, file_name: string, size: number}|null, buttons: Button[][],
 *   thread: number|null, reply_to: number|null, pinned: boolean, service: string|null, happening:
 *   {kind: string, actor: string, names: string}|null, silent: boolean, reactions: string[]}} Message
 */

/** The server refused; `message` is what it said. */
export class Refused extends Error {
  /**
   * @param {string} message
   * @param {number} status the HTTP status, 0 when there was no answer
   * @param {ErrorOptions} [options]
   */
  constructor(message, status, options) {
    super(message, options);
    this.name = "Refused";
    this.status = status;
  }
}

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    throw new Refused("The sandbox does not answer. Is it still running?", 0, { cause: error });
  }
  const type = response.headers.get("Content-Type") ?? "";
  const answer = type.includes("json") ? await response.json() : await response.text();
  if (!response.ok) throw new Refused(reasonIn(answer) ?? `${path}: ${response.status}`, response.status);
  return answer;
}

function reasonIn(answer) {
  if (typeof answer === "string") return null;
  return answer.description ?? answer.error ?? answer.detail ?? null;
}

function get(path, query = {}) {
  const search = new URLSearchParams(Object.entries(query)).toString();
  return request(search ? `${path}?${search}` : path);
}

function post(path, body) {
  return request(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

export const server = {
  /** @returns {Promise<World>} */
  world: () => get("/control/world"),
  /** @returns {Promise<Message[]>} */
  messages: (chat, as) => get("/control/messages", { chat, as }),
  /** @returns {Promise<{command: string, description: string}[]>} */
  commands: (chat, as) => get("/control/commands", { chat, as }),
  /** @returns {Promise<Object<string, number>>} unread messages by chat id */
  unread: (user) => get("/control/unread", { user }),
  /**
   * @returns {Promise<{chat: number, message_id: number, title: string, text: string, at: number}[]>} oldest
   *   first
   */
  notifications: (user) => get("/control/notifications", { user }),
  calls: (since) => get("/control/calls", { since }),

  send: (message) => post("/control/send", message),
  edit: (from, chat, messageId, text) => post("/control/edit", { from, chat, message_id: messageId, text }),
  remove: (chat, messageId) => post("/control/delete", { chat, message_id: messageId }),
  start: (from, payload) => post("/control/start", payload ? { from, payload } : { from }),
  /** @returns {Promise<{answered: boolean, text: string|null, show_alert: boolean, url: string|null}>} */
  press: (from, chat, messageId, data, wait, page) =>
    post("/control/press", { from, chat, message_id: messageId, data, wait, page }),
  read: (user, chat) => post("/control/read", { user, chat }),

  addUser: (person) => post("/control/users", person),
  addFriends: () => post("/control/friends", {}),
  addChat: (chat) => post("/control/chats", chat),
  addTopic: (chat, name) => post("/control/topics", { chat, name }),
  renameTopic: (chat, thread, name) => post("/control/rename_topic", { chat, thread, name }),
  closeTopic: (chat, thread, closed) => post("/control/close_topic", { chat, thread, closed }),
  deleteTopic: (chat, thread) => post("/control/delete_topic", { chat, thread }),
  renameUser: (user, name) => post("/control/rename_user", { user, ...name }),
  renameChat: (chat, title) => post("/control/rename_chat", { chat, title }),
  hideMembers: (chat, hidden) => post("/control/hide_members", { chat, hidden }),
  block: (user, blocked) => post("/control/block", { user, blocked }),
  setMember: (chat, user, status, rights) =>
    post("/control/members", rights ? { chat, user, status, rights } : { chat, user, status }),
  upgrade: (chat) => post("/control/upgrade", { chat }),

  faults: (fault) => post("/control/faults", fault),
  advanceClock: (seconds) => post("/control/clock", { advance: seconds }),
  reset: () => post("/control/reset", {}),
};
