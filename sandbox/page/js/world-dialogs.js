/** The dialogs for the sandbox itself: its clock, its faults, an empty world. */

import { choice, confirm, field, openDialog, openForm } from "./dialogs.js";
import { fill, h } from "./dom.js";
import { server } from "./server.js";
import { t } from "./strings.js";
import { fullMoment } from "./times.js";

const STEPS = [
  ["minute", 60],
  ["hour", 3600],
  ["day", 86400],
  ["twoDays", 172800],
];

/** @param {import("./store.js").Store} store */
export function openClock(store) {
  const shown = h("output.clock-now", { dataset: { testid: "clock-now" } });
  const draw = () => fill(shown, fullMoment(store.now()));
  const advance = async (seconds) => {
    await server.advanceClock(seconds);
    await store.refreshWorld();
    draw();
  };
  const form = h(
    "form.inline-form",
    {
      on: {
        submit: (event) => {
          event.preventDefault();
          advance(Number(new FormData(form).get("seconds")));
        },
      },
    },
    field(t("seconds"), "seconds", { type: "number", min: 1, value: 30, required: true }),
    h("button.button.primary", { type: "submit", dataset: { testid: "clock-advance" } }, t("advance")),
  );
  openDialog({
    title: t("clock"),
    testid: "clock-dialog",
    body: [
      h("p.soft", {}, t("clockText")),
      shown,
      h(
        "div.button-row",
        {},
        STEPS.map(([name, seconds]) =>
          h(
            "button.button",
            { dataset: { testid: `clock-${name}` }, on: { click: () => advance(seconds) } },
            `+ ${t(name)}`,
          ),
        ),
      ),
      form,
    ],
  });
  draw();
}

const KINDS = ["429", "500", "502", "hang", "lose_answer", "duplicate_updates"];

/** @param {import("./store.js").Store} store */
export function openFaults(store) {
  const kind = choice(
    t("fault"),
    "kind",
    KINDS.map((name) => [name, t(`fault_${name}`)]),
  );
  const amount = field("", "amount", { type: "number", min: 0, step: "any", required: true });
  const calls = h(
    "div.field-pair",
    {},
    field(t("times"), "times", { type: "number", min: 1, placeholder: t("always") }),
    field(t("every"), "every", { type: "number", min: 1, placeholder: "1" }),
  );
  const where = h(
    "div.field-pair",
    {},
    field(t("method"), "method", { placeholder: t("anyMethod") }),
    choice(t("chat"), "chat", [
      ["", t("anyChat")],
      ...[...store.users.keys()].map((user) => [user, store.who(user).name]),
      ...[...store.groups.values()].map((group) => [group.id, group.title]),
    ]),
  );
  const select = kind.querySelector("select");
  const adapt = () => {
    const label = { 429: "retryAfter", hang: "hangSeconds", duplicate_updates: "probability" }[select.value];
    amount.hidden = !label;
    amount.querySelector("input").disabled = !label;
    calls.hidden = where.hidden = select.value === "duplicate_updates";
    if (label) amount.querySelector(".field-label").textContent = t(label);
    amount.querySelector("input").value = { 429: 5, hang: 3, duplicate_updates: 0.5 }[select.value] ?? "";
  };
  select.addEventListener("change", adapt);
  const dialog = openForm({
    title: t("faults"),
    testid: "faults-dialog",
    submit: t("arm"),
    danger: true,
    fields: [h("p.soft", {}, t("faultsText")), kind, amount, where, calls],
    onSubmit: (data) => server.faults(faultFrom(data)),
  });
  dialog.querySelector(".dialog-actions").prepend(
    h(
      "button.button",
      {
        dataset: { testid: "faults-clear" },
        on: {
          click: async () => {
            await server.faults({});
            dialog.close();
          },
        },
      },
      t("clearFaults"),
    ),
  );
  adapt();
}

/** The body of the faults route for the form's values. */
function faultFrom(data) {
  const kind = data.get("kind");
  const amount = Number(data.get("amount"));
  if (kind === "duplicate_updates") return { duplicate_updates: amount };
  const fault = {};
  for (const name of ["times", "every", "chat"]) if (data.get(name)) fault[name] = Number(data.get(name));
  if (data.get("method")) fault.method = data.get("method");
  if (kind === "hang") fault.hang = amount;
  else if (kind === "lose_answer") fault.lose_answer = true;
  else fault.status = Number(kind);
  if (kind === "429") fault.retry_after = amount;
  return fault;
}

export function askReset() {
  confirm({
    title: t("resetWorld"),
    text: t("resetText"),
    submit: t("reset"),
    testid: "reset-dialog",
    onConfirm: () => server.reset(),
  });
}
