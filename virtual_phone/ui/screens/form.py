"""Apps whose screens are forms and lists, from data (``forms.yaml``); their last buttons do nothing."""

import functools
from collections.abc import Mapping
from importlib import resources
from typing import Literal

import yaml
from pydantic import Field, TypeAdapter

from heed.model import Frozen
from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.ui.page import ScreenPage, go
from virtual_phone.ui.screens.generic import landing, received, show_received
from virtual_phone.ui.tree import Action, ViewNode

PRESSED = "pressed"
"""The field of the activity that holds the id of the last button, once it was pressed."""
Labels = Mapping[Literal["en", "zh"], str]


class FormField(Frozen):
    """A text field; ``from`` names the parameters of the intent that fill it."""

    id: str
    label: Labels
    filled_from: tuple[str, ...] = Field(default=(), alias="from")
    password: bool = False


class FormRow(Frozen):
    """A row of the list; with ``found_by`` it is there once that field has a text."""

    id: str
    title: Labels
    found_by: str = ""
    opens: str = ""


class FormButton(Frozen):
    """A button; without ``opens`` it is the last one, and only notes that it was pressed."""

    id: str
    label: Labels
    opens: str = ""


class FormPage(Frozen):
    """One page: see ``forms.yaml``."""

    key: str
    title: Labels
    opens_for: tuple[str, ...] = ()
    fields: tuple[FormField, ...] = ()
    rows: tuple[FormRow, ...] = ()
    shows: tuple[str, ...] = ()
    buttons: tuple[FormButton, ...] = ()


@functools.cache
def _forms() -> Mapping[str, tuple[FormPage, ...]]:
    text = resources.files("virtual_phone.ui").joinpath("forms.yaml").read_text("utf-8")
    return TypeAdapter(dict[str, tuple[FormPage, ...]]).validate_python(yaml.safe_load(text))


def page_for(activity: RunningActivity) -> FormPage | None:
    """The page that an intent opens: the one it names, the one its link is for, or a first page without such words."""
    pages = _forms().get(activity.package, ())
    named = activity.intent.extras.get("page")
    if named:
        return next((page for page in pages if page.key == named), None)
    words = " ".join(f"{name} {value}" for name, value in received(activity))
    fitting = [page for page in pages if any(word in words for word in page.opens_for)]
    return next(iter([*fitting, *(page for page in pages[:1] if not page.opens_for)]), None)


def form(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The page of ``forms.yaml``; a plain one for an app that the table does not have."""
    shown = page_for(activity)
    return landing(state, activity) if shown is None else draw(shown, state, activity)


def draw(form_page: FormPage, state: PhoneState, activity: RunningActivity) -> ViewNode:
    """One page as views."""
    language = state.identity.language
    page, given = ScreenPage(state, activity), dict(received(activity))
    page.bar(form_page.title[language])
    for name in form_page.shows:
        if name in given:
            page.text(given[name], resource=f"shown_{name}")
    values = {field.id: _value(field, activity, given) for field in form_page.fields}
    for field in form_page.fields:
        page.field(field.id, field.label[language], values[field.id], password=field.password)
    for row in form_page.rows:
        text = values.get(row.found_by, given.get(row.found_by, "")) if row.found_by else ""
        if text or not row.found_by:
            title = row.title[language].format(text)
            tap = _open(activity, row.opens, {**values, "chosen": title}) if row.opens else None
            page.row(title, tap=tap, resource=row.id)
    for button in form_page.buttons:
        tap = _open(activity, button.opens, values) if button.opens else _press(button.id)
        page.button(button.label[language], tap, resource=button.id)
    if not activity.intent.extras.get("page"):
        show_received(page)
    return page.finish()


def _value(field: FormField, activity: RunningActivity, given: Mapping[str, str]) -> str:
    first = next((given[name] for name in field.filled_from if name in given), "")
    return activity.fields.get(field.id, first)


def _open(activity: RunningActivity, page: str, values: Mapping[str, str]) -> Action:
    return go(activity.component.partition("/")[2], page=page, **values)


def _press(identifier: str) -> Action:
    return lambda state: state.apps.set_field(PRESSED, identifier)
