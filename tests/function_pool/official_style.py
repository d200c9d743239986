"""A pool in the shape of the benchmark's release: 61 functions, Chinese texts, ``dict`` parameters, no risk."""

from typing import Any

_VERBS = ("打开", "查询", "预订", "发送", "设置", "播放", "分享", "取消", "创建", "搜索")
_THINGS = ("闹钟", "日程", "外卖", "快递", "机票", "音乐")


def _parameter(kind: str, must_fill: str, value: Any = "non-enumerable") -> dict[str, Any]:
    return {"description": "参数说明", "type": kind, "must_fill": must_fill, "value": value}


def _function(name: str, description: str) -> dict[str, Any]:
    return {
        "name": name,
        "description": description,
        "similar": ["book_transport"],
        "parameters": {
            "对象": _parameter("string", "required"),
            "方式": _parameter("string", "optional", ["默认", "快速", "静默"]),
            "选项": _parameter("dict", "optional", {"城市": "string", "数量": "int"}),
            "标签": _parameter("list", "optional"),
            "比例": _parameter("float", "optional"),
        },
    }


def official_style_pool() -> dict[str, Any]:
    """61 functions: 60 made ones and the one whose schema is public."""
    pool = {
        f"function_{row}_{column}": _function(f"function_{row}_{column}", f"{verb}{thing}")
        for row, verb in enumerate(_VERBS)
        for column, thing in enumerate(_THINGS)
    }
    pool["book_transport"] = {
        "name": "book_transport",
        "description": "预订交通工具",
        "similar": [],
        "parameters": {
            "transport_type": _parameter("string", "required", ["flight", "train", "taxi"]),
            "start_location": _parameter("string", "required"),
            "end_location": _parameter("string", "required"),
            "passenger_num": _parameter("int", "optional"),
        },
    }
    return pool
