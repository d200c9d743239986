"""Named configurations of what decides on a day: the reasoners, and baselines beside them."""

from collections.abc import Mapping

from heed.model import Frozen
from models.config import ModelsConfig, ReasonerKind
from virtual_phone.scenario import Scenario


class Configuration(Frozen):
    """What decides."""

    reasoner: ReasonerKind = ReasonerKind.ROUTINES
    habits: bool = True
    """Whether the person's behaviour log is read."""
    situations: bool = True
    """Whether situations are on, as the scenario says."""
    reader: bool = True
    """Whether incoming texts are read for what they call for."""

    def models(self, configured: ModelsConfig) -> ModelsConfig:
        """Returns the section ``models`` to play with."""
        reader = configured.reader.model_copy(update={"enabled": self.reader})
        return configured.model_copy(update={"reasoner": self.reasoner, "reader": reader})

    def scenario(self, scenario: Scenario) -> Scenario:
        """Returns the scenario to play."""
        switched_off = {**({} if self.habits else {"behaviour": ""}), **({} if self.situations else {"situations": []})}
        return scenario.model_copy(update={"persona": scenario.persona.model_copy(update=switched_off)})


CONFIGURATIONS: Mapping[str, Configuration] = {
    **{kind.value: Configuration(reasoner=kind) for kind in ReasonerKind},
    "rules": Configuration(habits=False, reader=False),
    "reader": Configuration(habits=False, situations=False),
    "silent": Configuration(habits=False, situations=False, reader=False),
}
BASELINES = ("silent", "rules", "reader")
"""The configurations that are played beside the chosen one."""
