/** What a link means inside Telegram. Pure: a string in, a plain description out. */

const HOSTS = new Set(["t.me", "telegram.me", "telegram.dog"]);

/**
 * @typedef {{kind: "bot", username: string, start: string|null} | {kind: "startgroup", username: string,
 *   payload: string, admin: boolean} | {kind: "message", chat: number, thread: number|null, message: number}
 *   | {kind: "person", id: number} | {kind: "external", url: string}} Target
 *
 * @param {string} link  https://t.me/…, t.me/… or tg://…
 * @returns {Target|null} null for what is no link at all
 */
export function parseLink(link) {
  const url = asUrl(link);
  if (!url) return null;
  if (url.protocol === "tg:") return parseTg(url);
  if (!HOSTS.has(url.hostname)) return { kind: "external", url: url.href };
  const path = url.pathname.split("/").filter(Boolean);
  if (path[0] === "c") return parseMessage(path.slice(1), url);
  if (path.length === 1) return parseUsername(path[0], url.searchParams);
  return { kind: "external", url: url.href };
}

function asUrl(link) {
  const withScheme = /^[a-z][a-z0-9+.-]*:/i.test(link) ? link : `https://${link}`;
  if (!URL.canParse(withScheme)) return null;
  const url = new URL(withScheme);
  return ["http:", "https:", "tg:", "mailto:", "tel:"].includes(url.protocol) ? url : null;
}

function parseTg(url) {
  const action = url.hostname || url.pathname.replaceAll("/", "");
  if (action === "resolve") return parseUsername(url.searchParams.get("domain") ?? "", url.searchParams);
  if (action === "user") return { kind: "person", id: Number(url.searchParams.get("id")) };
  return { kind: "external", url: url.href };
}

/**
 * t.me/c/<id>/<message>, with the topic between them or as `?thread=`. The id lacks the -100 of the Bot API.
 */
function parseMessage(path, url) {
  const numbers = path.map(Number);
  if (numbers.length < 2 || !numbers.every(Number.isSafeInteger)) return { kind: "external", url: url.href };
  const thread = numbers.length > 2 ? numbers[1] : Number(url.searchParams.get("thread")) || null;
  return { kind: "message", chat: Number(`-100${path[0]}`), thread, message: numbers.at(-1) };
}

function parseUsername(username, query) {
  if (query.has("startgroup")) {
    return { kind: "startgroup", username, payload: query.get("startgroup"), admin: query.has("admin") };
  }
  return { kind: "bot", username, start: query.get("start") };
}

/** The link of a supergroup's message, or null where Telegram has none (basic groups, private chats). */
export function messageLink(chat, message) {
  const id = String(chat);
  return id.startsWith("-100") ? `https://t.me/c/${id.slice(4)}/${message}` : null;
}
