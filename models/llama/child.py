"""The model process: ``python -m models.llama.child``. Orders come in on stdin, replies go out on stdout.

It ends when its stdin does, so it never outlives the daemon. A thread reads the orders, so that a cancellation is
seen while the model computes.
"""

import faulthandler
import os
import queue
import sys
import threading
from typing import TextIO

from heed.errors import Bug, PersonError, PromptTooLongError
from models.llama import memory
from models.llama.native import StopFlag
from models.llama.protocol import ORDERS, CancelOrder, DecideOrder, FailureReply, LoadOrder, Reply, WarmOrder
from models.llama.session import Stopped
from models.llama.worker import Worker


class Inbox:
    """Orders as they arrive; a cancellation takes effect at once, on the order that is under way."""

    def __init__(self, stop: StopFlag) -> None:
        self._stop = stop
        self._orders: queue.SimpleQueue[LoadOrder | WarmOrder | DecideOrder] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._current = 0
        self._cancelled = 0
        """Ids grow, so everything up to this one is cancelled."""

    def read(self, lines: TextIO) -> None:
        """Sort incoming orders until the daemon closes the pipe, then end the process."""
        for line in lines:
            order = ORDERS.validate_json(line)
            if isinstance(order, CancelOrder):
                self.cancel(order.id)
            else:
                self._orders.put(order)
        os._exit(0)  # the main thread may be deep inside llama.cpp

    def next(self) -> LoadOrder | WarmOrder | DecideOrder:
        """The next order; the stop flag is set only if it was cancelled while it waited."""
        order = self._orders.get()
        with self._lock:
            self._current = 0 if isinstance(order, LoadOrder) else order.id
            self._stop.clear()
            if 0 < self._current <= self._cancelled:
                self._stop.set()
        return order

    def cancel(self, order: int) -> None:
        """Stop the order, whether it is under way or still waits; one that is done is left alone."""
        with self._lock:
            self._cancelled = max(order, self._cancelled)
            if self._current == order:
                self._stop.set()


def main() -> None:
    """Load what the first order names, then carry out orders until stdin ends."""
    faulthandler.enable()
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)  # native code may print to stdout: keep the replies apart
    stop = StopFlag()
    inbox = Inbox(stop)
    threading.Thread(target=inbox.read, args=(sys.stdin,), daemon=True).start()
    worker = _load(inbox.next(), stop)
    reply: Reply = worker if isinstance(worker, FailureReply) else worker.loaded
    print(reply.model_dump_json(), file=replies)
    while isinstance(worker, Worker):
        reply = _carry_out(worker, inbox)
        print(reply.model_dump_json(), file=replies)


def _load(order: LoadOrder | WarmOrder | DecideOrder, stop: StopFlag) -> Worker | FailureReply:
    if not isinstance(order, LoadOrder):
        raise Bug("The first order to a model process has to be `load`.")
    memory.limit(order.config.memory_limit)
    try:
        return Worker(order, stop)
    except PersonError as error:
        return FailureReply(id=0, message=error.message, remedy=error.remedy)


def _carry_out(worker: Worker, inbox: Inbox) -> Reply:
    order = inbox.next()
    if isinstance(order, LoadOrder):
        raise Bug("A model process loads one model.")
    deadline = threading.Timer(order.timeout, inbox.cancel, (order.id,))
    deadline.daemon = True
    deadline.start()
    try:
        return worker.decide(order) if isinstance(order, DecideOrder) else worker.warm(order)
    except Stopped:
        return FailureReply(id=order.id, stopped=True)
    except PersonError as error:
        too_long = isinstance(error, PromptTooLongError)
        return FailureReply(id=order.id, too_long=too_long, message=error.message, remedy=error.remedy)
    finally:
        deadline.cancel()


if __name__ == "__main__":
    main()
