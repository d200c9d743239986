// Deletes for good what names an app or a person; heed ends for it and begins anew.

import { post } from "./api.js";
import { askSure, el, list, t } from "./dom.js";

let form = null;

/** The section with the form, and what was deleted last. */
export function deletion(last) {
  form ??= newForm();
  return el("section.card", { "aria-label": t("deletion") },
    el("h3", {}, t("deletion")), el("p.note", {}, t("deletion_more")), form,
    last.length ? [el("h4", {}, t("deletion_last")), list(last)] : null);
}

/** The form, made once: what is typed in it outlives that the view is drawn anew. Deletes at the second press. */
function newForm() {
  const said = el("p.fault", { role: "alert" });
  const about = el("select", { id: "deletion-about", "aria-label": t("deletion_about") },
    el("option", { value: "app" }, t("deletion_app")), el("option", { value: "person" }, t("deletion_person")));
  const name = el("input", { type: "text", id: "deletion-name", maxlength: 200, required: true, "aria-label": t("deletion_name"), placeholder: t("deletion_name") });
  const pressed = el("button.secondary", { type: "submit" }, t("deletion_do"));
  let asked = false;
  const ask = (sure) => {
    asked = sure;
    askSure(pressed, sure, t("deletion_do"));
  };
  const remove = async (event) => {
    event.preventDefault();
    said.textContent = "";
    if (!asked) return ask(true);
    ask(false);
    try { await post("memory/forget", { [about.value]: name.value }); name.value = ""; } catch (error) { said.textContent = error.message; }
  };
  for (const field of [about, name]) field.addEventListener("input", () => ask(false));
  return [el("form.new-rule", { onsubmit: remove }, about, name, pressed), said];
}
