"""Broccoli 1.2.6 (versionCode 1020600): the list of recipes, one recipe, and its form.

Its recipes are the rows of its own database (``databases/broccoli``). Ids, words and what a touch does are those of its
source (github.com/flauschtrud/broccoli at v1.2.6): ``fragment_recipes.xml``, ``recipe_item.xml``,
``activity_recipe_details.xml``, ``content_recipe_details.xml``, ``activity_new_recipe.xml``, ``menu/details.xml``,
``RecipeFragment.java``, ``RecipeDetailsActivity.java``, ``CreateAndEditRecipeActivity.java``, ``RecipeDAO.java``.

Left out, and not shown: the drawer, search, seasons, categories, photos, sharing, the cooking assistant.
"""

from typing import Any

from virtual_phone import fonts
from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.packages import data_folder
from virtual_phone.state.sqlite_files import rows_in, with_row, without_row
from virtual_phone.ui.alert import ASKS, NEGATIVE, POSITIVE, AlertButton, AlertCard, ask, close, menu
from virtual_phone.ui.page import MARGIN, STATUS_BAR, WIDTH, ScreenPage, go, number_of
from virtual_phone.ui.tree import Action, Box, ViewNode, ViewStyle
from virtual_phone.ui.words import word

_DETAILS = "com.flauschcode.broccoli.recipe.details.RecipeDetailsActivity"
_EDITOR = "com.flauschcode.broccoli.recipe.crud.CreateAndEditRecipeActivity"
_FIELDS = {
    "title": "title", "description": "description", "source": "source", "servings": "servings",
    "preparationTime": "recipe_time", "ingredients": "ingredients", "directions": "directions",
}  # fmt: skip
"""Columns in the order of the form, with the words on their fields."""
_IDS = {"preparationTime": "new_preparation_time"}
_CARD = 300
Row = dict[str, Any]


def _path(package: str) -> str:
    return f"{data_folder(package)}/databases/broccoli"


def _file(state: PhoneState, package: str) -> bytes:
    return state.files.as_root.read(_path(package)).read()


def _store(state: PhoneState, package: str, file: bytes) -> None:
    state.files.as_root.put(_path(package), file)


def _recipe(state: PhoneState, activity: RunningActivity) -> Row | None:
    query = "SELECT * FROM recipes WHERE recipeId = ?"
    found = rows_in(_file(state, activity.package), query, number_of(activity, "recipe"))
    return found[0] if found else None


# --- the list -------------------------------------------------------------------------------------------------------
def broccoli(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """All recipes by title."""
    page = ScreenPage(state, activity)
    page.bar(word(state, "all_recipes"), back=False)
    query = "SELECT * FROM recipes ORDER BY title COLLATE NOCASE"
    found = rows_in(_file(state, activity.package), query)
    for recipe in found:
        _card(page, recipe)
    if not found:
        page.text(word(state, "no_recipes"))
    box = Box(WIDTH - MARGIN - 168, page.footer_top - 222, WIDTH - MARGIN, page.footer_top - 54)
    style = ViewStyle(fill="accent", ink="on_accent", radius=84, glyph="plus", size=72)
    label = word(state, "new_recipe")
    page.fix(ViewNode("button", box, resource="fab_recipes", description=label, style=style, tap=go(_EDITOR)))
    return page.finish(resource="recycler_view")


def _card(page: ScreenPage, recipe: Row) -> None:
    box = Box(24, page.y + 12, WIDTH - 24, page.y + _CARD)
    shown = go(_DETAILS, recipe=str(recipe["recipeId"]))
    card = ViewNode("group", box, style=ViewStyle(fill="card", radius=12), tap=shown)
    photo = Box(box.left, box.top, box.left + 270, box.bottom)
    style = ViewStyle(glyph="picture", size=90, ink="faint")
    label = word(page.state, "recipe_photo")
    card.children = [ViewNode("icon", photo, resource="card_image", description=label, style=style)]
    top = box.top + 24
    for name, size in (("title", 48), ("description", 38), ("source", 36)):
        text = str(recipe[name] or "")
        lines = len(fonts.wrap(text, size, box.right - photo.right - 48, 2)) if text else 0
        place = Box(photo.right + 24, top, box.right - 24, top + round(lines * size * 1.32))
        if lines and place.bottom <= box.bottom:
            resource = f"card_text_view_{name}"
            card.children.append(ViewNode("text", place, text=text, resource=resource, style=ViewStyle(size=size)))
            top = place.bottom + 6
    page.put(card)
    page.gap(_CARD)


# --- one recipe -----------------------------------------------------------------------------------------------------
def broccoli_recipe(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """A recipe, with *Edit* and *Delete* behind *More options*."""
    recipe = _recipe(state, activity)
    asks = activity.fields.get(ASKS, "")
    if recipe is not None and asks == "menu":
        identifier = str(recipe["recipeId"])
        return menu([(word(state, "edit"), go(_EDITOR, recipe=identifier)), (word(state, "delete"), ask("delete"))])
    if recipe is not None and asks == "delete":
        return _delete(state, activity, recipe)
    page = ScreenPage(state, activity)
    page.bar("")
    if recipe is None:
        return page.finish()
    _tool(page, 0, "dots", "", word(state, "more_options"), ask("menu"))
    name = "unlike" if recipe["favorite"] else "like"
    _tool(page, 1, "heart", f"action_details_{name}", word(state, f"{name}_recipe"), _like(recipe))
    page.text(str(recipe["title"]).strip(), size=60, bold=True, resource="details_title")
    for column in ("servings", "preparationTime", "description", "source"):
        if recipe[column]:
            resource = "details_preparation_time" if column == "preparationTime" else f"details_{column}"
            page.text(str(recipe[column]), resource=resource)
    for column in ("ingredients", "directions"):
        if recipe[column]:
            page.heading(word(state, _FIELDS[column]))
            for line in filter(str.strip, str(recipe[column]).splitlines()):
                page.text(line.strip())
    return page.finish(resource="scroll_view")


def _tool(page: ScreenPage, number: int, glyph: str, resource: str, label: str, tap: Action) -> None:
    box = Box(WIDTH - 138 - 120 * number, STATUS_BAR + 12, WIDTH - 18 - 120 * number, STATUS_BAR + 132)
    style = ViewStyle(glyph=glyph, size=66)
    page.fix(ViewNode("button", box, resource=resource, description=label, style=style, tap=tap))


def _like(recipe: Row) -> Action:
    def action(state: PhoneState) -> None:
        package = state.apps.foreground.package
        row = {**recipe, "favorite": 0 if recipe["favorite"] else 1}
        _store(state, package, with_row(_file(state, package), "recipes", row))

    return action


def _delete(state: PhoneState, activity: RunningActivity, recipe: Row) -> ViewNode:
    card = AlertCard(state, activity)
    card.text(word(state, "delete_recipe"), resource="android:id/message")

    def delete(state: PhoneState) -> None:
        package = state.apps.foreground.package
        _store(state, package, without_row(_file(state, package), "recipes", "recipeId", recipe["recipeId"]))
        state.apps.back()

    return card.finish(
        [AlertButton(POSITIVE, word(state, "delete"), delete), AlertButton(NEGATIVE, word(state, "cancel"), close)]
    )


# --- the form -------------------------------------------------------------------------------------------------------
def broccoli_editor(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The form for a new recipe or one that is there; leaving it with changes asks first."""
    recipe = _recipe(state, activity)
    values = {name: activity.fields.get(_id(name), str((recipe or {}).get(name) or "")) for name in _FIELDS}
    changed = any(value != str((recipe or {}).get(name) or "") for name, value in values.items())
    if activity.fields.get(ASKS):
        return _discard(state, activity)
    page = ScreenPage(state, activity)
    leave = ask("discard") if changed else None
    close_box = Box(18, STATUS_BAR + 12, 138, STATUS_BAR + 132)
    style = ViewStyle(glyph="close", size=66)
    page.bar("", back=False)
    page.fix(ViewNode("button", close_box, description="Navigate up", style=style, tap=leave or _leave))
    title = Box(162, STATUS_BAR, WIDTH - 300, STATUS_BAR + 144)
    page.fix(ViewNode("text", title, text=word(state, "new_recipe"), style=ViewStyle(size=57, bold=True)))
    save_box = Box(WIDTH - 240, STATUS_BAR + 12, WIDTH - 18, STATUS_BAR + 132)
    save = ViewNode("button", save_box, resource="button_save_recipe", tap=_save(recipe, values))
    save.text = word(state, "save").upper()
    save.style = ViewStyle(size=42, bold=True, align="center")
    page.fix(save)
    page.gap(24)
    root = _form(page, activity, values)
    root.back = leave
    return root


def _id(column: str) -> str:
    return _IDS.get(column, f"new_{column}")


def _form(page: ScreenPage, activity: RunningActivity, values: dict[str, str]) -> ViewNode:
    """The fields in a page that scrolls (a ``NestedScrollView``)."""
    view = Box(0, page.y, WIDTH, page.footer_top)
    fields: list[ViewNode] = []
    y = page.y + 24
    for name, label in _FIELDS.items():
        lines = max(1, len(fonts.wrap(values[name], 42, WIDTH - 2 * MARGIN - 48, 12)))
        box = Box(MARGIN, y, WIDTH - MARGIN, y + 84 + lines * 56)
        node = ViewNode("field", box, text=values[name], hint=word(page.state, label), resource=_id(name))
        node.focused = activity.focus == _id(name)
        node.style = ViewStyle(size=42, radius=12, border="primary" if node.focused else "line")
        node.tap = _focus(_id(name), values[name])
        fields.append(node)
        y = box.bottom + 36
    overflow = max(0, y - view.bottom)
    fields = [node.moved(-min(activity.scroll, overflow)) for node in fields]
    page.fix(ViewNode("scroll", view, scroll_range=overflow, children=fields))
    return page.finish()


def _focus(field: str, value: str) -> Action:
    return lambda state: state.apps.focus(field, value)


def _leave(state: PhoneState) -> None:
    state.apps.back()


def _discard(state: PhoneState, activity: RunningActivity) -> ViewNode:
    card = AlertCard(state, activity)
    card.text(word(state, "discard_changes"), resource="android:id/message")
    return card.finish(
        [AlertButton(POSITIVE, word(state, "discard"), _leave), AlertButton(NEGATIVE, word(state, "cancel"), close)]
    )


def _save(recipe: Row | None, values: dict[str, str]) -> Action:
    """``onSaveClick``: without a title it stays; a new recipe is shown afterwards."""

    def action(state: PhoneState) -> None:
        if not values["title"].strip():
            return
        package = state.apps.foreground.package
        row = {"favorite": 0, "imageName": "", **(recipe or {}), **values}
        file = with_row(_file(state, package), "recipes", row)
        _store(state, package, file)
        state.apps.back()
        if recipe is None:
            (newest,) = rows_in(file, "SELECT max(recipeId) AS id FROM recipes")
            go(_DETAILS, recipe=str(newest["id"]))(state)

    return action
