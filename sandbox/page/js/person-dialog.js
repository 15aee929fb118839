/** The dialog that adds a person to the world. */

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
