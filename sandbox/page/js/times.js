/** Formats times and durations for readers. Knows the browser's `Intl`, nothing of chats. */

import { language } from "./strings.js";

const date = (seconds) => new Date(seconds * 1000);
const format = (locale, options) => new Intl.DateTimeFormat(locale, options);

/** "21:47" */
export function clockTime(seconds) {
  return format(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(date(seconds));
}

/** "21:47:30" */
export function exactTime(seconds) {
  return format(language, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" }).format(
    date(seconds),
  );
}

/** "17 March", with the year when it is not this one. */
export function day(seconds, now) {
  const sameYear = date(seconds).getFullYear() === date(now).getFullYear();
  return format(language, { day: "numeric", month: "long", ...(sameYear ? {} : { year: "numeric" }) }).format(
    date(seconds),
  );
}

/** A key that is equal for two moments of the same local day. */
export function dayKey(seconds) {
  return date(seconds).toDateString();
}

/** For the list of chats: the time today, the weekday this week, otherwise the date. */
export function shortMoment(seconds, now) {
  if (dayKey(seconds) === dayKey(now)) return clockTime(seconds);
  if (now - seconds < 6 * 86400) return format(language, { weekday: "short" }).format(date(seconds));
  return format(language, { day: "2-digit", month: "2-digit", year: "2-digit" }).format(date(seconds));
}

/** Everything about a moment, for tooltips. */
export function fullMoment(seconds) {
  return format(language, { dateStyle: "long", timeStyle: "medium" }).format(date(seconds));
}

/**
 * A `date_time` entity's text in a reader's language, by the entity's format string: `r`, or `w?[dD]?[tT]?`.
 * Source: the Bot API's "date-time entity formatting".
 * @returns {string|null} null when the format is empty or unknown, and the entity's own text is to be shown
 */
export function entityMoment(seconds, formatString, locale, now) {
  if (formatString === "r") return relative(seconds, locale, now);
  if (!formatString || !/^w?[dD]?[tT]?$/.test(formatString)) return null;
  const options = { hourCycle: "h23" };
  if (formatString.includes("w")) options.weekday = "long";
  if (formatString.includes("d"))
    Object.assign(options, { day: "2-digit", month: "2-digit", year: "2-digit" });
  if (formatString.includes("D")) Object.assign(options, { day: "numeric", month: "long", year: "numeric" });
  if (/[tT]/.test(formatString)) Object.assign(options, { hour: "2-digit", minute: "2-digit" });
  if (formatString.includes("T")) options.second = "2-digit";
  return format(locale, options).format(date(seconds));
}

const UNITS = [
  ["year", 31557600],
  ["month", 2629800],
  ["week", 604800],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** "in 5 minutes", "3 hours ago" */
export function relative(seconds, locale, now) {
  const difference = Math.round(seconds - now);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(difference) >= length) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(Math.trunc(difference / size), unit);
}
