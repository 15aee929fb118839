/** Wraps emoji in elements, so that the stylesheet can make black ones visible on a dark background. */

import { h } from "./dom.js";

const EMOJI = /(\p{Extended_Pictographic}\uFE0F?(?:\u200D\p{Extended_Pictographic}\uFE0F?)*)/u;

/**
 * @param {string} text
 * @returns {(string|HTMLElement)[]} the same text, in pieces
 */
export function withEmoji(text) {
  return text.split(EMOJI).map((piece, index) => (index % 2 ? h("span.emoji", {}, piece) : piece));
}
