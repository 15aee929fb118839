/** Page-wide dialogs on the native <dialog>: the browser keeps focus inside and closes them on Escape. */

import { h, iconButton } from "./dom.js";
import { Refused } from "./server.js";
import { t } from "./strings.js";

let count = 0;

/**
 * Opens a dialog.
 * @param {{title: string, testid: string, body: Node|Node[], actions?: Node[], wide?: boolean}} parts
 * @returns {HTMLDialogElement}
 */
export function openDialog({ title, testid, body, actions = [], wide = false }) {
  const id = `dialog-title-${++count}`;
  const dialog = h(
    "dialog.dialog",
    { "aria-labelledby": id, className: wide ? "wide" : "", dataset: { testid } },
    h(
      "div.dialog-head",
      {},
      h("h2", { id }, title),
      iconButton("close", t("close"), "dialog-close", () => dialog.close()),
    ),
    h("div.dialog-body.scroll", {}, body),
    actions.length > 0 && h("div.dialog-actions", {}, actions),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // the backdrop
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * A dialog with fields; stays open and shows the error if the server refuses.
 * @param {{title: string, testid: string, fields: Node[], submit: string, danger?: boolean, onSubmit: (data:
 *   FormData) => Promise<void>}} parts
 */
export function openForm({ title, testid, fields, submit, danger = false, onSubmit }) {
  const problem = h("p.problem", { role: "alert", dataset: { testid: "dialog-problem" } });
  const id = `form-${++count}`;
  const button = h(
    "button.button",
    {
      type: "submit",
      form: id,
      className: danger ? "danger" : "primary",
      dataset: { testid: "dialog-submit" },
    },
    submit,
  );
  const form = h(
    "form",
    {
      id,
      on: {
        submit: async (event) => {
          event.preventDefault();
          problem.textContent = "";
          button.disabled = true;
          try {
            await onSubmit(new FormData(form));
            dialog.close();
          } catch (error) {
            if (!(error instanceof Refused)) throw error;
            problem.textContent = error.message;
          } finally {
            button.disabled = false;
          }
        },
      },
    },
    fields,
    problem,
  );
  const cancel = h(
    "button.button",
    { dataset: { testid: "dialog-cancel" }, on: { click: () => dialog.close() } },
    t("cancel"),
  );
  const dialog = openDialog({ title, testid, body: form, actions: [cancel, button] });
  form.querySelector("input, select, textarea")?.focus();
  return dialog;
}

/** Asks for confirmation of something irreversible. */
export function confirm({ title, text, submit, testid, onConfirm }) {
  openForm({ title, testid, fields: [h("p", {}, text)], submit, danger: true, onSubmit: onConfirm })
    .querySelector("[data-testid=dialog-submit]")
    .focus();
}

/** A labelled text or number field. */
export function field(label, name, props = {}) {
  return h(
    "label.field",
    {},
    h("span.field-label", {}, label),
    h("input", { name, autocomplete: "off", dataset: { testid: `field-${name}` }, ...props }),
  );
}

/** A labelled choice; `options` are [value, text] pairs, `value` is the one that is chosen at first. */
export function choice(label, name, options, { value: chosen, ...props } = {}) {
  return h(
    "label.field",
    {},
    h("span.field-label", {}, label),
    h(
      "select",
      { name, dataset: { testid: `field-${name}` }, ...props },
      options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
    ),
  );
}

/** A tick box; `lead` may hold a picture before the text. */
export function tick(label, name, value, checked, lead = null) {
  return h(
    "label.tick",
    {},
    h("input", { type: "checkbox", name, value, checked, dataset: { testid: `tick-${name}-${value}` } }),
    lead,
    h("span.truncate", {}, label),
  );
}

/** Tick boxes under a common heading. */
export function ticks(label, boxes) {
  return h("fieldset.ticks", {}, h("legend.field-label", {}, label), boxes);
}
