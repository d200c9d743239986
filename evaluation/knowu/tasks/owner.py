"""The owner's own last touch in a task: heed leaves the button that sends, posts or orders to them."""

from android_bridge.device import Device
from android_bridge.facts.hierarchy import Hierarchy, Node
from executors.steps.drivers import open_driver
from executors.steps.find import label_texts
from executors.steps.last_buttons import last_button
from function_pool.risk import Risk


async def press_last_button(device: Device) -> str:
    """Press the one last button of the page that is open, as the owner would.

    Returns its label; empty where the page has none or several, so that nothing was pressed. Raises ``DeviceError``.
    """
    async with open_driver(device, with_helper=False) as driver:
        buttons = list(_last_buttons(await driver.views()))
        if len(buttons) != 1:
            return ""
        node, label = buttons[0]
        await driver.tap(node.bounds.center)
        return label


def _last_buttons(hierarchy: Hierarchy) -> list[tuple[Node, str]]:
    """The buttons that name what they do (class R0 leaves out those that only might do something)."""
    touchable = [node for node in hierarchy.nodes() if node.clickable and node.enabled]
    named = [(node, label_texts(node)) for node in touchable]
    return [
        (node, " ".join(texts) or node.resource_id)
        for node, texts in named
        if last_button(texts, node.resource_id, Risk.R0) is not None
    ]
