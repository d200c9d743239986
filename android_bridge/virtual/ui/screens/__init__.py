"""A builder per kind of screen; ``apps.yaml`` names the one that an activity shows."""

from collections.abc import Callable, Mapping

from android_bridge.virtual.state import PhoneState
from android_bridge.virtual.state.apps import Activity
from android_bridge.virtual.ui.screens import (
    clock,
    generic,
    home,
    library,
    messages,
    music,
    people,
    planning,
    settings,
    shop,
    telephone,
)
from android_bridge.virtual.ui.tree import Node

SCREENS: Mapping[str, Callable[[PhoneState, Activity], Node]] = {
    "alarm_editor": clock.alarm_editor,
    "alarms": clock.clock,
    "app_info": settings.app_info,
    "browser": generic.browser,
    "calendar": planning.calendar,
    "call": telephone.call,
    "camera": generic.camera,
    "cart": shop.cart,
    "checkout": shop.checkout,
    "chooser": generic.chooser,
    "confirm_order": shop.confirm_order,
    "contact": people.contact,
    "contact_editor": people.contact_editor,
    "contacts": people.contacts,
    "conversation": messages.conversation,
    "conversations": messages.conversations,
    "dialer": telephone.dialer,
    "event": planning.event,
    "event_editor": planning.event_editor,
    "file": library.file,
    "files": library.files,
    "folder": library.folder,
    "gallery": library.gallery,
    "goods": shop.goods,
    "landing": generic.landing,
    "launcher": home.launcher,
    "mail_compose": messages.mail_compose,
    "menu": shop.menu,
    "music": music.music,
    "photo": library.photo,
    "restaurants": shop.restaurants,
    "search": generic.search,
    "settings": settings.settings,
    "shop": shop.shop,
    "sign_in": generic.sign_in,
    "trash": library.trash,
    "uninstall": settings.uninstall,
}
