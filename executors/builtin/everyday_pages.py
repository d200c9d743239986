"""Pages of shops, restaurants, couriers and health services."""

from executors.pages import PageExecutor


class OrderFoodDelivery(PageExecutor):
    """A delivery app's search; the owner fills the basket, orders and pays."""

    function = "order_food_delivery"


class SearchRestaurant(PageExecutor):
    """A map's or a guide's search."""

    function = "search_restaurant"


class ReserveRestaurant(PageExecutor):
    """The restaurant's page, or the dialler with its number."""

    function = "reserve_restaurant"


class TrackPackage(PageExecutor):
    """The page with parcels, by number or as a list."""

    function = "track_package"


class SendPackage(PageExecutor):
    """A courier's order; its fields cannot be filled from outside."""

    function = "send_package"


class ShowPickupCode(PageExecutor):
    """The page with the code that opens the parcel locker."""

    function = "show_pickup_code"


class SearchProduct(PageExecutor):
    """A shop's search."""

    function = "search_product"


class CheckShoppingOrder(PageExecutor):
    """A shop's orders, cart and refunds."""

    function = "check_shopping_order"


class StartWorkout(PageExecutor):
    """The page that starts a workout."""

    function = "start_workout"


class ViewHealthSummary(PageExecutor):
    """The health app; its data cannot be read over adb."""

    function = "view_health_summary"


class BookMedicalAppointment(PageExecutor):
    """Registration pages of clinics; the owner enters their identity."""

    function = "book_medical_appointment"
