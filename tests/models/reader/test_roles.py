"""Each parameter that can stand in a text has one role."""

from importlib.resources import files

import yaml

from function_pool.spec import default_pool
from models.reader.roles import role_of, roles

POOL = default_pool()
TABLE: dict[str, list[str]] = yaml.safe_load(files("models.reader").joinpath("data", "roles.yaml").read_text("utf-8"))


def test_a_parameter_has_at_most_one_role() -> None:
    for spec in POOL:
        for name in spec.parameters:
            found = [role for role, known in TABLE.items() if name in known or f"{spec.name}.{name}" in known]
            role = role_of(spec.name, name)
            assert found == ([role] if role else []), (spec.name, name)


def test_each_required_parameter_that_is_no_choice_has_a_role() -> None:
    without = {
        (spec.name, name)
        for spec in POOL
        for name, parameter in spec.parameters.items()
        if parameter.required and not parameter.choices and parameter.type != "bool" and not role_of(spec.name, name)
    }
    assert without == set()


def test_the_table_names_parameters_of_the_pool_only() -> None:
    known = {shown for spec in POOL for name in spec.parameters for shown in (name, f"{spec.name}.{name}")}
    assert {parameter for listed in TABLE.values() for parameter in listed} - known == set()


def test_one_name_may_have_a_role_by_function() -> None:
    assert (role_of("create_reminder", "content"), role_of("send_sms", "content")) == ("title", "message")
    assert role_of("set_alarm", "time") == "when"
    assert role_of("set_alarm", "vibrate") is None


def test_the_network_has_one_output_per_role() -> None:
    assert roles() == tuple(TABLE)
