"""Screenshots in the media store."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from android_bridge.commands import sql_like
from android_bridge.facts.content import rows
from collectors.context import Dimension
from collectors.source import PhoneValues, ReaderNeed, Reading, ReadingCost, Source

SCREENSHOTS = rows(
    "content://media/external/images/media", ("date_added", "_size"), where=sql_like("relative_path", "Screenshots")
)


class ScreenshotSource(Source):
    """The number of old screenshots (trashed ones do not count)."""

    name = "screenshots"
    dimension = Dimension.DEVICE
    needs = (ReaderNeed(SCREENSHOTS, fresh=900.0, cost=ReadingCost.SLOW),)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        midnight = phone.now.replace(hour=0, minute=0, second=0, microsecond=0)
        before = midnight - timedelta(days=self.config.old_screenshot_days)
        pictures = [(_moment(row["date_added"]), int(row["_size"] or 0)) for row in phone[SCREENSHOTS].items]
        old = [(added, size) for added, size in pictures if added < before]
        if not old:
            return []
        oldest = min(added for added, _ in old).astimezone(phone.now.tzinfo)
        value = {
            "count": len(old),
            "before": before.date().isoformat(),
            "oldest": oldest.date().isoformat(),
            "bytes": sum(size for _, size in old),
        }
        return [Reading("media.screenshots_old", value)]


def _moment(seconds: str | None) -> datetime:
    return datetime.fromtimestamp(int(seconds or 0), UTC)
