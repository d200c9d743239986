"""heed's own messaging services; they register through the entry point that plug-ins use."""

from agent.channels.builtin.desktop import DesktopService
from agent.channels.builtin.home_assistant import HomeAssistantService
from agent.channels.builtin.ntfy import NtfyService
from agent.channels.builtin.telegram import TelegramService
from agent.channels.service import MessageService

SERVICES: tuple[type[MessageService], ...] = (NtfyService, TelegramService, HomeAssistantService, DesktopService)
