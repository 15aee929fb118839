/**
 * What this browser remembers between visits: appearance, mode, who one is, what is open. Never anything of
 * the world itself.
 */

const KEY = "sandbox.preferences";

const DEFAULTS = {
  world: null, // which world the people below are of
  mode: null, // "one" | "everyone"; null until chosen, then the window's width decides
  theme: "auto", // "auto" | "light" | "dark"
  sound: false,
  log: false,
  me: null, // the person chosen in "one" mode
  actor: null, // the person chosen on the shared screen
  shared: true, // whether "everyone" shows the shared screen
  hidden: [], // people whose phones "everyone" leaves out
};

let values = { ...load(), ...asked() };

function load() {
  const stored = localStorage.getItem(KEY);
  if (!stored) return { ...DEFAULTS };
  try {
    return { ...DEFAULTS, ...JSON.parse(stored) };
  } catch (error) {
    console.warn("stored preferences are unreadable, starting afresh", error);
    return { ...DEFAULTS };
  }
}

/** What the page's address asks for: `?as=ID` begins as that person alone. */
function asked() {
  const user = Number(new URLSearchParams(location.search).get("as"));
  return user ? { mode: "one", me: user } : {};
}

export const preferences = {
  get: (name) => values[name],
  set(name, value) {
    values = { ...values, [name]: value };
    localStorage.setItem(KEY, JSON.stringify(values));
  },
  /** Forgets the people of another world than this, where their ids stand for others; whom the address asks
   * for is of this one. */
  enter(world) {
    if (values.world === world) return;
    this.forgetPeople();
    this.set("world", world);
    values = { ...values, ...asked() };
  },
  /** Forgets what refers to people of the world; appearance stays. */
  forgetPeople() {
    for (const name of ["me", "actor", "hidden"]) this.set(name, DEFAULTS[name]);
  },
};

/** Shows the chosen theme; "auto" follows the system, also when it changes. */
export function applyTheme() {
  const chosen = preferences.get("theme");
  const dark = chosen === "dark" || (chosen === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
