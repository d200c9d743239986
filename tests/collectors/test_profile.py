"""The profile: KnowU's sections, FingerTip's fields, and faults with their lines."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collectors.profile import Profile, load_profile, profile_template
from heed.errors import UsageError
from heed.language import Language


def load(tmp_path: Path, text: str) -> Profile:
    path = tmp_path / "profile.yaml"
    path.write_text(text, encoding="utf-8")
    return load_profile(path)


def test_each_leaf_is_a_value_in_the_order_of_the_sections(tmp_path: Path) -> None:
    profile = load(tmp_path, "preferences:\n  diet: {coffee: oat milk}\nidentity:\n  age: 34\n  born: 1990-01-02\n")
    assert profile.leaves == (
        ("identity.age", 34),
        ("identity.born", "1990-01-02"),
        ("preferences.diet.coffee", "oat milk"),
    )


def test_documents_are_never_read_out(tmp_path: Path) -> None:
    profile = load(tmp_path, "identity:\n  auth_documents: {passport: E12345678, badge: SRE-7}\n  age: 3\n")
    assert "E12345678" not in str(profile) and "SRE-7" not in str(profile)
    assert profile.get("identity.auth_documents.passport") == "[id]"


def test_flat_fields_find_their_section(tmp_path: Path) -> None:
    profile = load(tmp_path, "sex: female\nage: 29\naddress: Shenzhen\nphone_brand: vivo\nidentity: {nickname: Xu}\n")
    assert profile.get("identity.sex") == "female"
    assert profile.get("identity.nickname") == "Xu"
    assert profile.get("digital_context.phone_brand") == "vivo"
    assert profile.places[0].address == "Shenzhen"


def test_places_have_coordinates_and_networks(tmp_path: Path) -> None:
    profile = load(tmp_path, "locations:\n  home: {latitude: 40.1, longitude: 116.2, wifi: Nest, label: HomeLab}\n")
    (home,) = profile.places
    assert (home.name, home.latitude, home.wifi) == ("home", 40.1, ("Nest",))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            "identity:\n  age: 34\nlocation:\n  home: {}\n",
            "line 4: there is no section called 'location'. Did you mean",
        ),
        ("identity: 34\n", "line 1: identity must be"),
        ("identity:\n  age: 1\n  age: 2\n", "line 3: 'age' is there twice"),
        ("- a\n", "line 1: The profile must be"),
        ("identity:\n  name: [1\n", "line 3:"),
        ("locations:\n  home:\n    latitude: 91\n", r"line 3: locations.home.latitude: .*less than or equal to 90"),
        ("locations:\n  home: here\n", "line 2: the location 'home' must have fields"),
        ("age: !!python/object:os.system {}\n", "line 1:"),
    ],
)
def test_a_fault_names_its_line(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        load(tmp_path, text)


def test_an_absent_file_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="heed init"):
        load_profile(tmp_path / "none.yaml")


@pytest.mark.parametrize("language", Language)
def test_the_template_is_empty_and_valid_once_filled_in(tmp_path: Path, language: Language) -> None:
    template = profile_template(language)
    assert load(tmp_path, template) == Profile()
    lines = template.splitlines(keepends=True)
    filled = "".join(line if line.startswith("# ") and line[2] != " " else line.removeprefix("#") for line in lines)
    profile = load(tmp_path, filled)
    assert profile.get("identity.age") == 34
    assert [place.name for place in profile.places] == ["home", "work"]


def test_the_benchmark_personas_load(shared: Path) -> None:
    for path in (shared / "bench" / "knowu" / "profiles").glob("*.yaml"):
        profile = load_profile(path)
        assert len(profile.leaves) > 50
        assert {place.key for place in profile.places} == {"home", "work"}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=60))
def test_any_text_is_a_profile_or_a_usage_error(tmp_path: Path, text: str) -> None:
    try:
        load(tmp_path, f"identity:\n  age: 3\n{text}")
    except UsageError as error:
        assert "profile.yaml" in str(error)
