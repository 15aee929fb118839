/** The dialogs that add a person to the world, and rename one. */

import { choice, field, openForm } from "./dialogs.js";
import { server } from "./server.js";
import { language, t } from "./strings.js";

const LANGUAGES = [
  ["ru", "Русский"],
  ["en", "English"],
  ["de", "Deutsch"],
  ["uk", "Українська"],
];

/** @param {(user: number) => void} onAdded */
export function openPersonForm(onAdded) {
  openForm({
    title: t("newPerson"),
    testid: "person-dialog",
    submit: t("add"),
    fields: [
      field(t("firstName"), "first_name", { required: true, maxlength: 64 }),
      field(t("lastName"), "last_name", { maxlength: 64 }),
      field(t("username"), "username", {
        pattern: "[A-Za-z][A-Za-z0-9_]{3,31}",
        placeholder: "anna_k",
        title: t("usernameRule"),
      }),
      choice(t("appLanguage"), "language_code", LANGUAGES, { value: language }),
    ],
    onSubmit: async (data) => {
      const person = Object.fromEntries([...data].filter(([, value]) => value !== ""));
      const { id } = await server.addUser(person);
      onAdded(id);
    },
  });
}

/** @param {import("./server.js").Person} person */
export function openNameForm(person) {
  openForm({
    title: t("renamePerson"),
    testid: "name-dialog",
    submit: t("save"),
    fields: [
      field(t("firstName"), "first_name", { required: true, maxlength: 64, value: person.first_name }),
      field(t("lastName"), "last_name", { maxlength: 64, value: person.last_name ?? "" }),
    ],
    onSubmit: (data) => server.renameUser(person.id, Object.fromEntries(data)),
  });
}
