"""Pages for reading, watching, travelling and searching."""

from executors.pages import PageExecutor


class SearchTransport(PageExecutor):
    """Timetables and connections."""

    function = "search_transport"


class PlanRouteAndNavigate(PageExecutor):
    """A route in a map app."""

    function = "plan_route_and_navigate"


class ShowTransitCode(PageExecutor):
    """The code that opens the gate of a metro or bus."""

    function = "show_transit_code"


class PlayVideo(PageExecutor):
    """A video app's search."""

    function = "play_video"


class TranslateText(PageExecutor):
    """A translator with the text filled in."""

    function = "translate_text"


class OpenCourse(PageExecutor):
    """A course app, or its search."""

    function = "open_course"


class ReadNews(PageExecutor):
    """A news app, or a site's search."""

    function = "read_news"


class WebSearch(PageExecutor):
    """A search engine, or an https address."""

    function = "web_search"


class SearchNearbyPlaces(PageExecutor):
    """A map's search."""

    function = "search_nearby_places"


class JoinOnlineMeeting(PageExecutor):
    """The meeting's page; links only to the platform's own hosts."""

    function = "join_online_meeting"


class ClockInOut(PageExecutor):
    """The attendance page; the owner confirms there."""

    function = "clock_in_out"
