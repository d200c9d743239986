"""The shop and the food-delivery app: goods, cart, checkout and a final confirmation. Nothing is paid."""

from urllib.parse import parse_qsl

from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.intents import split_uri
from virtual_phone.ui import catalogue
from virtual_phone.ui.catalogue import Goods, Store
from virtual_phone.ui.page import HEIGHT, MARGIN, STATUS_BAR, WIDTH, ScreenPage, Tool, center_note, go
from virtual_phone.ui.screens.form import draw, page_for
from virtual_phone.ui.tree import Action, Box, ViewNode, ViewStyle
from virtual_phone.ui.words import listed, word

_SEARCH_KEYS = ("q", "keyword", "search")
_DELIVERY = 5
"""Yuan."""
_CELL = 486
_GAP = 24


def _name(state: PhoneState, thing: Goods | Store) -> str:
    return thing.name[state.identity.language]


def _asked(activity: RunningActivity) -> str:
    """The search text in the address that opened the app."""
    query = dict(parse_qsl(activity.intent.data.partition("?")[2]))
    return next((query[key] for key in _SEARCH_KEYS if key in query), "")


def _found(texts: list[str], wanted: str) -> bool:
    return any(wanted.casefold().strip() in text.casefold() for text in texts)


def _search_bar(page: ScreenPage) -> str:
    """The search field with the cart beside it; returns the search text."""
    shown = page.search_bar("search", word(page.state, "search"), _asked(page.activity), right=WIDTH - 180)
    _cart_icon(page, STATUS_BAR + 78)
    return shown


def _cart_icon(page: ScreenPage, middle: int) -> None:
    count = sum(page.state.baskets.of(page.activity.package).values())
    icon = Box(WIDTH - 156, middle - 60, WIDTH - 36, middle + 60)
    page.fix(
        ViewNode(
            "icon",
            icon,
            description=word(page.state, "cart"),
            style=ViewStyle(glyph="cart", size=72),
            tap=go(".CartActivity"),
        )
    )
    if count:
        badge = Box(icon.right - 54, icon.top, icon.right, icon.top + 54)
        style = ViewStyle(fill="danger", ink="#ffffff", radius=27, size=32, align="center", bold=True)
        page.fix(ViewNode("text", badge, text=str(count), resource="cart_count", style=style))


def shop(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """Goods in two columns, or the cart when the address that opened the app asks for it."""
    if "cart" in split_uri(activity.intent.data)[0]:
        return cart(state, activity)
    if (listed_page := page_for(activity)) is not None:
        return draw(listed_page, state, activity)
    page = ScreenPage(state, activity)
    wanted = _search_bar(page)
    sold = [one for one in catalogue.goods(activity.package).values() if _found(list(one.name.values()), wanted)]
    for index, one in enumerate(sold):
        _card(page, one, index % 2)
    if len(sold) % 2:
        page.gap(_CELL + 228)
    if not sold:
        center_note(page, word(state, "nothing_found", wanted))
    return page.finish()


def _card(page: ScreenPage, one: Goods, column: int) -> None:
    left, top = MARGIN - 6 + column * (_CELL + _GAP - 12), page.y
    cell = Box(left, top, left + _CELL - 12, top + _CELL + 204)
    card = ViewNode(
        "group",
        cell,
        resource="goods",
        style=ViewStyle(fill="card", radius=42),
        tap=go(".GoodsActivity", goods=one.key),
    )
    picture = Box(cell.left + 18, top + 18, cell.right - 18, top + _CELL - 42)
    card.children = [
        ViewNode("icon", picture, style=ViewStyle(fill=one.color, ink="#ffffff", radius=30, glyph=one.glyph, size=228)),
        _label(Box(cell.left + 30, picture.bottom + 18, cell.right - 24, picture.bottom + 126), _name(page.state, one)),
        _label(
            Box(cell.left + 30, picture.bottom + 132, cell.right - 24, picture.bottom + 210),
            _money(one.price),
            size=51,
            ink="danger",
            bold=True,
        ),
    ]
    page.put(card)
    if column:
        page.gap(_CELL + 228)


def _label(box: Box, text: str, *, size: int = 39, ink: str = "ink", bold: bool = False) -> ViewNode:
    return ViewNode("text", box, text=text, style=ViewStyle(size=size, ink=ink, bold=bold))


def _money(yuan: int) -> str:
    return f"¥{yuan}"


def goods(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """One article: picture, price and the buttons that add it to the cart."""
    page = ScreenPage(state, activity)
    tool = Tool("cart", word(state, "cart"), go(".CartActivity"))
    one = catalogue.goods(activity.package).get(str(activity.intent.extras.get("goods", "")))
    page.bar(_name(state, one) if one else state.apps.label(activity.package), tools=[tool])
    if one is None:
        center_note(page, word(state, "not_for_sale"))
        return page.finish()
    box = Box(MARGIN, page.y + 12, WIDTH - MARGIN, page.y + 912)
    page.put(
        ViewNode("icon", box, style=ViewStyle(fill=one.color, ink="#ffffff", radius=60, glyph=one.glyph, size=480))
    )
    page.y = box.bottom + 42
    page.text(_money(one.price), size=72, ink="danger", bold=True)
    page.text(_name(state, one), size=54, bold=True)
    page.text(one.about[state.identity.language], ink="faint")
    page.gap(24)
    page.button(word(state, "add_to_cart"), _put(one), resource="add_to_cart")
    page.button(word(state, "buy_now"), _buy(one), filled=False, resource="buy_now")
    return page.finish()


def _put(one: Goods, count: int = 1) -> Action:
    return lambda state: state.baskets.put(state.apps.foreground.package, one.key, count)


def _buy(one: Goods) -> Action:
    def buy(state: PhoneState) -> None:
        _put(one)(state)
        go(".CartActivity")(state)

    return buy


def restaurants(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The restaurants that match the search, or the hotels when the address that opened the app asks for them."""
    if (listed_page := page_for(activity)) is not None:
        return draw(listed_page, state, activity)
    page = ScreenPage(state, activity)
    wanted = _search_bar(page)
    found = [one for one in catalogue.stores(activity.package) if _found(_offers(one), wanted)]
    for one in found:
        _restaurant(page, one)
    if not found:
        center_note(page, word(state, "nothing_found", wanted))
    return page.finish()


def _offers(one: Store) -> list[str]:
    return [*one.name.values(), *(name for dish in one.goods for name in dish.name.values())]


def _restaurant(page: ScreenPage, one: Store) -> None:
    state, top = page.state, page.y
    card = ViewNode(
        "group",
        Box(MARGIN - 18, top, WIDTH - MARGIN + 18, top + 516),
        resource="restaurant",
        style=ViewStyle(fill="card", radius=54),
        tap=go(".MenuActivity", store=one.key),
    )
    left, right = card.box.left + 42, card.box.right - 42
    dishes = listed(state, (_name(state, dish) for dish in one.goods))
    banner = ViewStyle(fill=one.color, ink="#ffffff", radius=54, glyph=one.glyph, size=168)
    card.children = [
        ViewNode("icon", Box(card.box.left, top, card.box.right, top + 300), style=banner),
        _label(Box(left, top + 318, right - 240, top + 396), _name(state, one), size=51, bold=True),
        _label(Box(left, top + 396, right, top + 492), dishes, size=36, ink="faint"),
        ViewNode(
            "text",
            Box(right - 240, top + 318, right, top + 396),
            text=word(state, "minutes", one.minutes),
            style=ViewStyle(size=39, ink="primary", align="right", bold=True),
        ),
    ]
    page.put(card)
    page.gap(546)


def menu(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """A restaurant's dishes with a plus beside each; the total at the bottom."""
    page = ScreenPage(state, activity)
    one = catalogue.store(activity.package, str(activity.intent.extras.get("store", "")))
    if one is None:
        page.bar(state.apps.label(activity.package))
        center_note(page, word(state, "not_for_sale"))
        return page.finish()
    page.bar(_name(state, one), subtitle=word(state, "minutes", one.minutes))
    for dish in one.goods:
        _line(page, dish, dish.about[state.identity.language])
    if state.baskets.of(activity.package):
        _bottom(page, word(state, "go_to_cart"), go(".CartActivity"), "go_to_cart")
    return page.finish()


def _line(page: ScreenPage, one: Goods, about: str) -> None:
    """A row with an article, its price and its number in the cart."""
    count = page.state.baskets.of(page.activity.package).get(one.key, 0)
    top = page.y
    row = page.row(_name(page.state, one), f"{_money(one.price)} · {about}", glyph=one.glyph, color=one.color,
                   resource="line", room=300)  # fmt: skip
    right = WIDTH - MARGIN
    plus = Box(right - 96, top + 54, right, top + 150)
    name = _name(page.state, one)
    row.children.append(_round(plus, "plus", f"{word(page.state, 'more')} {name}", _put(one)))
    if count:
        box = Box(right - 180, top + 54, right - 96, top + 150)
        style = ViewStyle(size=45, align="center", bold=True)
        row.children.append(ViewNode("text", box, text=str(count), resource="count", style=style))
        minus = Box(right - 276, top + 54, right - 180, top + 150)
        row.children.append(_round(minus, "minus", f"{word(page.state, 'less')} {name}", _put(one, -1)))


def _round(box: Box, glyph: str, label: str, tap: Action) -> ViewNode:
    style = ViewStyle(fill="accent", ink="on_accent", radius=48, glyph=glyph, size=54)
    return ViewNode("button", box, description=label, style=style, tap=tap)


def _bottom(page: ScreenPage, label: str, tap: Action, resource: str) -> None:
    """The total and the button to the next step, in a fixed strip."""
    strip = page.footer(192)
    page.fix(ViewNode("group", Box(0, strip.top, WIDTH, HEIGHT), style=ViewStyle(fill="surface")))
    total = Box(MARGIN, strip.top, WIDTH // 2, strip.bottom)
    page.fix(ViewNode("text", total, text=_money(_sum(page)), resource="total", style=ViewStyle(size=66, bold=True)))
    box = Box(WIDTH // 2, strip.top + 36, WIDTH - MARGIN, strip.top + 156)
    style = ViewStyle(fill="primary", ink="on_primary", radius=60, size=42, bold=True, align="center")
    page.fix(ViewNode("button", box, text=label, resource=resource, style=style, tap=tap))


def _contents(page: ScreenPage) -> list[tuple[Goods, int]]:
    sold = catalogue.goods(page.activity.package)
    return [(sold[key], count) for key, count in page.state.baskets.of(page.activity.package).items() if key in sold]


def _sum(page: ScreenPage) -> int:
    return sum(one.price * count for one, count in _contents(page))


def cart(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The cart: articles, their numbers, and the button to the checkout."""
    page = ScreenPage(state, activity)
    page.bar(word(state, "cart"))
    for one, _ in _contents(page):
        _line(page, one, one.about[state.identity.language])
    if _contents(page):
        _bottom(page, word(state, "checkout"), go(".CheckoutActivity"), "checkout")
    else:
        center_note(page, word(state, "cart_empty"))
    return page.finish()


def checkout(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The checkout: delivery address and total; the next page is the last one."""
    page = ScreenPage(state, activity)
    page.bar(word(state, "checkout"))
    page.row(word(state, "deliver_to"), word(state, "home_address"), glyph="home")
    page.heading(word(state, "your_order"))
    for one, count in _contents(page):
        page.row(f"{count} × {_name(state, one)}", trailing=_money(one.price * count))
    page.row(word(state, "delivery"), trailing=_money(_DELIVERY))
    page.row(word(state, "total"), trailing=_money(_sum(page) + _DELIVERY), bold=True)
    if _contents(page):
        page.button(word(state, "place_order"), go(".ConfirmActivity"), resource="place_order")
    return page.finish()


def confirm_order(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The last page: the amount to pay. There is no button that pays."""
    page = ScreenPage(state, activity)
    page.bar(word(state, "confirm_order"))
    page.gap(160)
    box = Box(WIDTH // 2 - 150, page.y, WIDTH // 2 + 150, page.y + 300)
    page.put(ViewNode("icon", box, style=ViewStyle(fill="accent", ink="on_accent", radius=150, glyph="coin", size=168)))
    page.y = box.bottom + 72
    for text, size, ink in (
        (_money(_sum(page) + _DELIVERY), 96, "ink"),
        (word(state, "not_paid"), 42, "faint"),
    ):
        node = page.text(text, size=size, ink=ink)
        node.style.align = "center"
    page.gap(48)
    page.button(word(state, "back_to_cart"), go(".CartActivity"), filled=False, resource="back_to_cart")
    return page.finish()
