"""A flood of triggers displaces neither messages and calls nor those of other senders."""

from agent.loop.trigger_queue import MOST_WAITING, TriggerQueue
from collectors.context import Trigger, TriggerKind

WAITING_MESSAGE = Trigger(kind=TriggerKind.SMS_RECEIVED, data={"id": 1, "number": "+8613800000000", "text": "hi"})


def advert(number: int, package: str = "com.example.shop", **more: str) -> Trigger:
    return Trigger(kind=TriggerKind.NOTIFICATION, data={"package": package, "text": f"Sale {number}", **more})


def chat(number: int, sender: str) -> Trigger:
    return advert(number, "com.whatsapp", sender=sender)


def sms(number: int, sender: str) -> Trigger:
    return Trigger(kind=TriggerKind.SMS_RECEIVED, data={"id": number, "number": sender, "text": "x"})


async def drained(queue: TriggerQueue) -> list[Trigger]:
    found: list[Trigger] = []
    while queue._waiting:
        found.append((await queue.get())[0])
    return found


async def test_notifications_during_a_question_push_no_message_and_no_call_out() -> None:
    queue, call = TriggerQueue(), Trigger(kind=TriggerKind.CALL, data={"state": "idle", "number": "1"})
    for one in (WAITING_MESSAGE, chat(0, "Mum"), call, Trigger(kind=TriggerKind.CLOCK)):
        queue.put(one, 0.0)
    for number in range(4000):
        queue.put(advert(number), 1.0)
    left = await drained(queue)
    assert left[:3] == [WAITING_MESSAGE, chat(0, "Mum"), call]
    assert Trigger(kind=TriggerKind.CLOCK) in left
    assert len(left) == 4 + MOST_WAITING


async def test_messages_of_one_sender_push_no_other_senders_message_out() -> None:
    queue = TriggerQueue()
    queue.put(WAITING_MESSAGE, 0.0)
    queue.put(chat(0, "Mum"), 0.0)
    for number in range(2, 500):
        queue.put(sms(number, "spam"), 1.0)
        queue.put(chat(number, "a group"), 1.0)
    left = await drained(queue)
    assert left[:2] == [WAITING_MESSAGE, chat(0, "Mum")]
    assert len(left) == MOST_WAITING


async def test_one_loud_app_pushes_no_other_apps_notification_out() -> None:
    queue = TriggerQueue()
    queue.put(advert(0, "com.example.bank"), 0.0)
    for number in range(500):
        queue.put(advert(number), 1.0)
    assert advert(0, "com.example.bank") in await drained(queue)


async def test_of_many_senders_the_newest_stay_and_the_queue_is_bounded() -> None:
    queue = TriggerQueue()
    for number in range(500):
        queue.put(sms(number, f"sender {number}"), 1.0)
    left = await drained(queue)
    assert left == [sms(number, f"sender {number}") for number in range(500 - MOST_WAITING, 500)]


async def test_what_was_put_back_comes_first_and_a_state_counts_once() -> None:
    queue = TriggerQueue()
    queue.put(sms(1, "a"), 0.0)
    queue.put(Trigger(kind=TriggerKind.BATTERY_LEVEL, data={"level": 50}), 0.0)
    queue.put(Trigger(kind=TriggerKind.BATTERY_LEVEL, data={"level": 49}), 0.0)
    queue.put_back(sms(0, "b"), 0.0)
    assert [one.data.get("id") or one.data.get("level") for one in await drained(queue)] == [None, 1, 49]


async def test_triggers_from_long_ago_are_dropped() -> None:
    queue = TriggerQueue()
    queue.put(sms(1, "a"), 10.0)
    queue.put(sms(2, "a"), 400.0)
    queue.drop_before(200.0)
    assert await drained(queue) == [sms(2, "a")]
