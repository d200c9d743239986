"""Payment pages: opened, never filled in, never confirmed."""

from executors.pages import PageExecutor


class TransferMoney(PageExecutor):
    """The transfer page; payee and amount are deliberately not filled in."""

    function = "transfer_money"


class PayBill(PageExecutor):
    """The page of that kind of bill."""

    function = "pay_bill"


class ShowPaymentCode(PageExecutor):
    """The code to pay or to be paid; whoever scans it can use it."""

    function = "show_payment_code"


class BankServiceAssistance(PageExecutor):
    """The bank's branches on a map, or its app's first page."""

    function = "bank_service_assistance"


class BookTransport(PageExecutor):
    """The page of a taxi, train or flight; the owner books and pays."""

    function = "book_transport"


class BookHotel(PageExecutor):
    """A hotel search with dates; the owner books and pays."""

    function = "book_hotel"


class BookEventTicket(PageExecutor):
    """A ticket search; the owner chooses seats and pays."""

    function = "book_event_ticket"
