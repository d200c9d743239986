"""The calls of the golden matrix: at least two per function, and the phone they meet."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from virtual_phone import PhoneState
from virtual_phone.state.intents import IntentFilter
from virtual_phone.state.packages import ActivitySpec

Arguments = Mapping[str, Any]
_SEND = "android.intent.action.SEND"


class Guest(NamedTuple):
    """An app that a test phone has besides the standard ones."""

    package: str
    label: str
    schemes: tuple[str, ...] = ()
    shares: bool = False


GUESTS = (
    Guest("org.joinmastodon.android", "Mastodon", shares=True),
    Guest("com.sina.weibo", "Weibo", ("sinaweibo",), shares=True),
    Guest("com.MobileTicket", "12306"),
    Guest("com.jingdong.app.mall", "JD", ("openapp.jdmobile",)),
    Guest("com.alibaba.android.rimet", "DingTalk", ("dingtalk",), shares=True),
    Guest("com.xiaomi.smarthome", "Mi Home"),
    Guest("cmb.pb", "China Merchants Bank"),
    Guest("com.duolingo", "Duolingo"),
    Guest("com.hicorenational.antifraud", "Anti-Fraud"),
    Guest("com.unionpay", "UnionPay", ("upwallet",)),
    Guest("com.greenline.guahao", "WeDoctor"),
    Guest("com.ximalaya.ting.android", "Ximalaya"),
    Guest("com.wolt.android", "Wolt"),
    Guest("com.lidl.eci.lidlplus", "Lidl Plus"),
    Guest("com.sf.activity", "SF"),
    Guest("com.sankuai.movie", "Maoyan"),
)


def furnish(state: PhoneState) -> None:
    """What the calls are about: more apps, files, an appointment, something playing."""
    for guest in GUESTS:
        app = state.apps.install(guest.package, guest.label, screen="form")
        app.version_name = "0.1"
        handles = (
            [IntentFilter(action=["android.intent.action.VIEW"], scheme=list(guest.schemes))] if guest.schemes else []
        )
        handles += [IntentFilter(action=[_SEND], type=["text/plain", "image/*"])] if guest.shares else []
        app.activities[".LinkActivity"] = ActivitySpec(screen="form", handles=handles)
    now = state.clock.wall()
    state.media.add("Documents", "Quarterly report.pdf", now - timedelta(days=2), 4000)
    state.media.add("Download", "notes.txt", now - timedelta(days=3), 900)
    state.media.add("DCIM/Camera", "IMG_0001.jpg", now - timedelta(days=1), 5000)
    for days in (40, 50):
        state.media.add("Pictures/Screenshots", f"Screenshot_{days}.png", now - timedelta(days=days), 1000)
    state.media.trash(state.media.add("Download", "old.pdf", now - timedelta(days=60), 100))
    state.calendar.add("Team meeting", now + timedelta(hours=2))
    state.audio.play("com.spotify.music", "Morning", "Alice")
    state.audio.session.position = 60_000  # type: ignore[union-attr]
    state.battery.set(level=40, plugged=False)


CASES: Mapping[str, Sequence[Arguments]] = {
    "set_alarm": [
        {"time": "18:30", "label": "Gym"},
        {"time": "07:30", "repeat_days": ["mon", "tue"], "vibrate": False},
        {"time": "09:15"},
    ],
    "cancel_alarm": [{"search_mode": "next"}, {"search_mode": "label", "label": "Work"}, {"search_mode": "all"}],
    "set_timer": [{"duration_seconds": 300}, {"duration_seconds": 90, "label": "Tea"}],
    "create_calendar_event": [
        {"title": "Dentist", "start_time": "2026-02-09T09:00:00", "location": "Main St 1", "reminder_minutes": 30},
        {
            "title": "Stand-up",
            "start_time": "2026-02-09T10:00:00",
            "end_time": "2026-02-09T10:15:00",
            "recurrence": "weekly",
        },
    ],
    "query_calendar_events": [
        {"start_time": "2026-02-06T00:00:00", "end_time": "2026-02-07T00:00:00"},
        {"start_time": "2026-02-06T00:00:00", "end_time": "2026-02-07T00:00:00", "keyword": "dentist"},
    ],
    "create_reminder": [
        {"content": "Water the plants", "due_time": "2026-02-06T19:00:00"},
        {"content": "Buy milk", "list_name": "shopping", "priority": "high"},
    ],
    "compose_email": [
        {"to": ["boss@example.com"], "subject": "Weekly report", "body": "Done: a & b", "cc": ["team@example.com"]},
        {
            "to": ["boss@example.com"],
            "subject": "Report",
            "body": "Attached.",
            "attachment_uri": "/sdcard/Documents/Quarterly report.pdf",
            "app_name": "Gmail",
        },
    ],
    "open_document": [{"file_name": "Quarterly report", "file_type": "pdf", "page": 3}, {"file_name": "notes.txt"}],
    "join_online_meeting": [
        {"platform": "Zoom", "meeting_id": "123456789", "password": "abc"},
        {"platform": "Google Meet", "meeting_url": "https://meet.google.com/abc-defg-hij"},
    ],
    "clock_in_out": [
        {"action": "clock_in", "platform": "DingTalk"},
        {"action": "clock_out", "platform": "other", "note": "late shift"},
    ],
    "share_file": [
        {"content_uri_or_path": "/sdcard/DCIM/Camera/IMG_0001.jpg", "target_app": "WhatsApp", "recipient": "Bob Li"},
        {"content_uri_or_path": "/sdcard/DCIM/Camera/IMG_0001.jpg", "caption": "Look!"},
    ],
    "order_food_delivery": [
        {"keyword": "牛肉面", "platform_info": "Meituan", "quantity": 2},
        {"keyword": "pizza", "platform_info": "Uber Eats", "delivery_address": "Main St 1"},
        {"keyword": "pho", "platform_info": "Wolt"},
        {"keyword": "Beef noodles", "platform_info": "Meituan"},
    ],
    "search_restaurant": [
        {"keyword": "ramen", "location": "Xuhui"},
        {"keyword": "sushi", "platform_info": "Google Maps", "price_range": "cheap"},
    ],
    "reserve_restaurant": [
        {
            "restaurant_name": "Lulu",
            "phone_number": "+862163222624",
            "platform_info": "phone",
            "party_size": 4,
        },
        {
            "restaurant_name": "Lulu",
            "platform_info": "OpenTable",
            "party_size": 2,
            "reserve_time": "2026-02-07T19:00:00",
        },
    ],
    "track_package": [{"tracking_number": "SF1234567890"}, {"order_platform": "Taobao"}],
    "send_package": [
        {"sender_address": "Main St 1", "receiver_address": "Side St 2", "receiver_phone": "+8613800138000"},
        {"sender_address": "Main St 1", "receiver_address": "Side St 2", "carrier": "UPS"},
        {
            "sender_address": "Main St 1",
            "receiver_address": "Side St 2",
            "receiver_name": "Bob Li",
            "receiver_phone": "+8613800138000",
            "carrier": "SF",
        },
    ],
    "show_pickup_code": [{"platform_info": "Taobao"}, {"platform_info": "Cainiao", "station": "North gate"}],
    "control_smart_device": [
        {"device_name": "Desk lamp", "action": "turn_on"},
        {"device_name": "Bedroom lamp", "action": "set_value", "value": "30%"},
        {"device_name": "Lamp", "action": "turn_on", "platform": "Mi Home"},
    ],
    "activate_home_scene": [{"scene_name": "Evening"}, {"scene_name": "Away", "platform": "Mi Home"}],
    "query_smart_device_state": [
        {"device_name": "Bedroom temperature"},
        {"device_name": "Bedroom lamp", "attribute": "brightness", "platform": "Home Assistant"},
    ],
    "book_transport": [
        {"transport_type": "high_speed_rail", "start_location": "Shanghai", "end_location": "Beijing"},
        {"transport_type": "taxi", "start_location": "Home", "end_location": "Pudong Airport", "platform_info": "Uber"},
    ],
    "search_transport": [
        {"transport_type": "subway", "start_location": "Xujiahui", "end_location": "Lujiazui"},
        {"transport_type": "flight", "start_location": "Shanghai", "end_location": "Tokyo"},
    ],
    "plan_route_and_navigate": [
        {"destination": "The Bund", "map_app": "Amap", "travel_mode": "walk"},
        {"destination": "The Bund", "map_app": "Google Maps", "start_navigation": True},
    ],
    "book_hotel": [
        {"city_or_hotel": "Hangzhou", "check_in_date": "2026-02-13", "check_out_date": "2026-02-14", "guest_num": 2},
        {"city_or_hotel": "Suzhou", "platform_info": "Meituan"},
    ],
    "show_transit_code": [{"code_type": "metro"}, {"code_type": "train", "platform_info": "12306"}],
    "search_product": [
        {"keyword": "running shoes & socks", "platform_info": "Taobao", "price_max": 500},
        {"keyword": "键盘", "platform_info": "JD"},
    ],
    "check_shopping_order": [
        {"view": "orders", "platform_info": "Taobao"},
        {"view": "cart", "platform_info": "Amazon"},
    ],
    "play_music": [{"query": "Jay Chou", "app_name": "Spotify"}, {"query": "morning news", "app_name": "Ximalaya"}],
    "play_video": [{"query": "lofi", "app_name": "YouTube"}, {"query": "舞蹈", "app_name": "Bilibili", "episode": 2}],
    "control_media_playback": [{"action": "pause"}, {"action": "next", "app_name": "Spotify"}],
    "book_event_ticket": [
        {"event_name": "Dune", "event_type": "movie", "platform_info": "Meituan", "ticket_num": 2},
        {"event_name": "Coldplay", "platform_info": "Ticketmaster"},
        {"event_name": "Dune", "event_type": "movie", "platform_info": "Maoyan"},
    ],
    "make_phone_call": [
        {"contact_name": "Mum"},
        {"phone_number": "+8613911223344", "app_name": "WhatsApp", "call_type": "video"},
    ],
    "send_sms": [
        {"recipient": "Alice Chen", "content": "On my way"},
        {"recipient": "+447700900461", "content": "Hi; it's me", "sim_slot": 2},
    ],
    "send_instant_message": [
        {"recipient": "Bob Li", "content": "Lunch?", "app_name": "WhatsApp"},
        {"recipient": "Bob", "content": "Lunch?", "app_name": "WeChat"},
        {"recipient": "Bob Li", "content": "Lunch?", "app_name": "WeChat"},
    ],
    "save_contact": [
        {"name": "Carol", "phone_number": "+447700900461", "email": "carol@example.com"},
        {"name": "Bob Li", "phone_number": "+447700900462"},
    ],
    "publish_social_post": [
        {"content": "Good night", "platform_info": "Mastodon", "visibility": "public"},
        {"content": "周末", "platform_info": "Weibo", "image_uris": ["/sdcard/DCIM/Camera/IMG_0001.jpg"]},
    ],
    "block_phone_number": [{"phone_number": "+447700900461", "reason": "scam"}, {"phone_number": "10086"}],
    "report_spam_message": [
        {"sender_number": "10690000", "message_excerpt": "You have won", "report_channel": "12321"},
        {"sender_number": "10690000", "report_channel": "message_app"},
        {"sender_number": "10690000", "report_channel": "anti_fraud_app"},
    ],
    "start_workout": [
        {"sport_type": "running", "app_name": "Google Fit"},
        {"sport_type": "yoga", "app_name": "Alipay Sports"},
    ],
    "view_health_summary": [
        {"metric": "sleep"},
        {"metric": "steps", "app_name": "Google Fit", "date_range": "this week"},
    ],
    "book_medical_appointment": [
        {"service": "insurance_code", "platform_info": "Alipay"},
        {"service": "registration", "hospital": "Huashan", "department": "skin", "platform_info": "hospital site"},
        {"service": "registration", "hospital": "Huashan", "department": "skin", "platform_info": "WeDoctor"},
    ],
    "bank_service_assistance": [
        {"bank_name": "ICBC", "service_type": "open an account", "location_constraint": "Xuhui"},
        {"bank_name": "China Merchants Bank", "service_type": "card", "tasks": "new card"},
    ],
    "transfer_money": [
        {"payee": "Alice Chen", "amount": "206", "platform_info": "Alipay", "note": "dinner"},
        {"payee": "Alice Chen", "amount": "20", "platform_info": "PayPal"},
    ],
    "pay_bill": [
        {"bill_type": "electricity", "amount": "88.50", "platform_info": "Alipay"},
        {"bill_type": "credit_card", "platform_info": "UnionPay"},
    ],
    "record_expense": [
        {"amount": "31.60", "category": "food", "note": "lunch"},
        {"amount": "5000", "category": "salary", "type": "income", "date": "2026-02-05"},
    ],
    "show_payment_code": [
        {"code_type": "pay", "platform_info": "Alipay"},
        {"code_type": "receive", "platform_info": "Alipay"},
        {"code_type": "membership", "platform_info": "Lidl Plus"},
    ],
    "translate_text": [
        {"text": "Where is the station?", "target_language": "Chinese"},
        {"text": "Guten Tag", "target_language": "Klingon", "app_name": "Google Translate"},
    ],
    "open_course": [
        {"course_name": "Linear algebra", "lesson": "3"},
        {"course_name": "Spanish", "platform_info": "Duolingo"},
    ],
    "open_reading_material": [
        {"topic_or_title": "diffusion models", "source": "arXiv"},
        {"topic_or_title": "Quarterly report", "source": "local_file"},
    ],
    "query_weather": [
        {},
        {"location": "Hangzhou", "date": "2026-02-07", "info_type": "air_quality"},
        {"info_type": "alert"},
    ],
    "read_news": [{"topic": "chips", "source": "Google News"}, {"source": "Weibo Hot", "max_items": 5}],
    "web_search": [{"query": "tide times"}, {"query": "docs", "url": "https://example.com/a?b=c"}],
    "search_nearby_places": [{"keyword": "pharmacy", "radius_m": 500}, {"keyword": "cafe", "map_app": "Amap"}],
    "set_power_saving_mode": [{"enabled": True, "trigger_level": 20}, {"enabled": True, "mode": "extreme"}],
    "set_bluetooth": [{"enabled": False}, {"enabled": True, "device_name": "Buds", "action": "connect"}],
    "set_connectivity": [
        {"connection_type": "mobile_data", "enabled": False},
        {"connection_type": "wifi", "enabled": True, "ssid": "Office", "security": "wpa2", "password": "secret pw"},
        {"connection_type": "hotspot", "enabled": True},
        {"connection_type": "nfc", "enabled": False},
        {"connection_type": "location", "enabled": False},
    ],
    "set_do_not_disturb": [{"mode": "priority", "duration_minutes": 60}, {"mode": "total_silence"}],
    "set_volume_and_ringer": [
        {"stream": "media", "level_percent": 60},
        {"stream": "ring", "ringer_mode": "vibrate"},
        {"stream": "ring", "ringer_mode": "silent"},
    ],
    "set_display": [
        {"setting": "brightness", "value": "70%"},
        {"setting": "dark_mode", "value": "on"},
        {"setting": "night_light", "value": "on"},
    ],
    "launch_app": [{"app_name": "微信"}, {"app_name": "Spotify", "page": "library"}],
    "manage_app": [
        {"app_name": "Spotify", "action": "suspend", "duration_minutes": 30},
        {"app_name": "Taobao", "action": "uninstall"},
        {"app_name": "WeChat", "action": "open_settings"},
    ],
    "clean_up_media_files": [
        {"category": "screenshots", "action": "trash", "before_date": "2026-01-15"},
        {"category": "downloads", "action": "restore"},
    ],
    "capture_image": [{"mode": "screenshot"}, {"mode": "video"}],
}
