"""The executors that heed ships, one small class per function, in the pool's order."""

from executors.builtin.alarms import CancelAlarm
from executors.builtin.apps import LaunchApp, ManageApp
from executors.builtin.calendar import CreateCalendarEvent, CreateReminder, QueryCalendarEvents
from executors.builtin.camera import CaptureImage
from executors.builtin.clock import SetAlarm, SetTimer
from executors.builtin.contacts import SaveContact
from executors.builtin.display import SetDisplay
from executors.builtin.do_not_disturb import SetDoNotDisturb
from executors.builtin.documents import OpenDocument, OpenReadingMaterial, ShareFile
from executors.builtin.everyday_pages import (
    BookMedicalAppointment,
    CheckShoppingOrder,
    OrderFoodDelivery,
    ReserveRestaurant,
    SearchProduct,
    SearchRestaurant,
    SendPackage,
    ShowPickupCode,
    StartWorkout,
    TrackPackage,
    ViewHealthSummary,
)
from executors.builtin.home import ActivateHomeScene, ControlSmartDevice, QuerySmartDeviceState
from executors.builtin.knowledge_pages import (
    ClockInOut,
    JoinOnlineMeeting,
    OpenCourse,
    PlanRouteAndNavigate,
    PlayVideo,
    ReadNews,
    SearchNearbyPlaces,
    SearchTransport,
    ShowTransitCode,
    TranslateText,
    WebSearch,
)
from executors.builtin.ledger import RecordExpense
from executors.builtin.mail import ComposeEmail
from executors.builtin.media_files import CleanUpMediaFiles
from executors.builtin.money_pages import (
    BankServiceAssistance,
    BookEventTicket,
    BookHotel,
    BookTransport,
    PayBill,
    ShowPaymentCode,
    TransferMoney,
)
from executors.builtin.people import (
    BlockPhoneNumber,
    MakePhoneCall,
    PublishSocialPost,
    ReportSpamMessage,
    SendInstantMessage,
)
from executors.builtin.playback import ControlMediaPlayback, PlayMusic
from executors.builtin.power_saving import SetPowerSavingMode
from executors.builtin.radios import SetBluetooth, SetConnectivity
from executors.builtin.sound import SetVolumeAndRinger
from executors.builtin.text_messages import SendSms
from executors.builtin.weather import QueryWeather
from executors.executor import Executor

EXECUTORS: tuple[type[Executor], ...] = (
    SetAlarm,
    CancelAlarm,
    SetTimer,
    CreateCalendarEvent,
    QueryCalendarEvents,
    CreateReminder,
    ComposeEmail,
    OpenDocument,
    JoinOnlineMeeting,
    ClockInOut,
    ShareFile,
    OrderFoodDelivery,
    SearchRestaurant,
    ReserveRestaurant,
    TrackPackage,
    SendPackage,
    ShowPickupCode,
    ControlSmartDevice,
    ActivateHomeScene,
    QuerySmartDeviceState,
    BookTransport,
    SearchTransport,
    PlanRouteAndNavigate,
    BookHotel,
    ShowTransitCode,
    SearchProduct,
    CheckShoppingOrder,
    PlayMusic,
    PlayVideo,
    ControlMediaPlayback,
    BookEventTicket,
    MakePhoneCall,
    SendSms,
    SendInstantMessage,
    SaveContact,
    PublishSocialPost,
    BlockPhoneNumber,
    ReportSpamMessage,
    StartWorkout,
    ViewHealthSummary,
    BookMedicalAppointment,
    BankServiceAssistance,
    TransferMoney,
    PayBill,
    RecordExpense,
    ShowPaymentCode,
    TranslateText,
    OpenCourse,
    OpenReadingMaterial,
    QueryWeather,
    ReadNews,
    WebSearch,
    SearchNearbyPlaces,
    SetPowerSavingMode,
    SetBluetooth,
    SetConnectivity,
    SetDoNotDisturb,
    SetVolumeAndRinger,
    SetDisplay,
    LaunchApp,
    ManageApp,
    CleanUpMediaFiles,
    CaptureImage,
)
