/**
 * The page's own words in the reader's language. What bots and people write is never translated.
 *
 * A text may have `{name}` gaps, and may be an object of plural forms chosen by `{count}` (the categories of
 * `Intl.PluralRules`).
 */

import { en } from "./strings-en.js";
import { ru } from "./strings-ru.js";

const LANGUAGES = { en, ru };

/** The language the page speaks: the browser's if it is known, otherwise English. */
export const language =
  navigator.languages.map((tag) => tag.split("-")[0]).find((tag) => tag in LANGUAGES) ?? "en";

const plurals = new Intl.PluralRules(language);

/**
 * @param {keyof typeof en} key
 * @param {Object<string, string|number>} [gaps]
 * @returns {string}
 */
export function t(key, gaps = {}) {
  const entry = LANGUAGES[language][key];
  if (entry === undefined) throw new Error(`no text named ${key} in ${language}`);
  const text = typeof entry === "string" ? entry : (entry[plurals.select(Number(gaps.count))] ?? entry.other);
  return text.replace(/\{(\w+)\}/g, (_, name) => gaps[name]);
}
