/** A picture at full size over the page. */

import { h } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { t } from "./strings.js";

/** @param {{url: string, width: number, height: number}} photo @param {string|null} caption */
export function openPhoto({ url, width, height }, caption) {
  const dialog = openDialog({
    title: t("photo"),
    testid: "photo-viewer",
    body: h(
      "figure.photo-large",
      {},
      h("img", { src: url, width, height, alt: caption ?? t("photo") }),
      caption && h("figcaption", {}, caption),
    ),
    wide: true,
  });
  dialog.classList.add("photo-viewer");
}
