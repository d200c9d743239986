"""The tables of facts agree with the pool and with each other."""

import pytest

from executors.apps import app_called, apps
from executors.pages import Pages, pages
from function_pool.app_names import chinese_app_names
from function_pool.spec import default_pool

TABLE = [(function, table) for function, table in pages().items()]


def test_every_way_to_name_an_app_means_one_app() -> None:
    for name, app in apps().items():
        assert {app_called(word) for word in (name, chinese_app_names()[name], *app.also)} == {name}


def test_an_app_can_be_opened_or_has_a_site() -> None:
    assert [name for name, app in apps().items() if not (app.packages or app.web)] == ["HomeKit bridge"]


@pytest.mark.parametrize(("function", "table"), TABLE, ids=[function for function, _ in TABLE])
def test_pages_name_apps_arguments_and_values_that_there_are(function: str, table: Pages) -> None:
    spec = default_pool().get(function)
    codes = {f"{name}_{spelling}" for name, spellings in table.codes.items() for spelling in spellings}
    known = {*spec.parameters, *table.joins, *codes}
    for page in table.pages:
        assert not page.app or page.app in apps()
        assert page.needs <= known
        assert page.source
        for name, values in page.when.items():
            assert set(values) <= {*spec.parameters[name].choices, "true", "false"}
        if spec.parameters[table.by].choices:
            assert set(page.serves) <= {*spec.parameters[table.by].choices, "*", "none"}


@pytest.mark.parametrize(("function", "table"), TABLE, ids=[function for function, _ in TABLE])
def test_every_app_that_the_pool_offers_leads_somewhere(function: str, table: Pages) -> None:
    served = {value for page in table.pages for value in (page.serves or (page.app,))}
    offered = [str(value) for value in default_pool().get(function).parameters[table.by].choices]
    left = [value for value in offered if value not in served and value not in apps()]
    assert left in ([], ["none"], ["local_file"])


def test_no_page_of_a_payment_takes_an_amount_or_a_payee() -> None:
    for function in ("transfer_money", "pay_bill", "show_payment_code"):
        assert all(not page.needs for page in pages()[function].pages)
