"""The form of requests, and errors in it, for any method."""

from typing import Any

import httpx
import pytest

from tests.e2e.telegram import Json
from tests.patience import PATIENCE
from tests.sandbox.telegram import LIVE, OURS, SERVER, CheckedTelegram, Refused, sentence


@pytest.fixture
async def http(telegram: CheckedTelegram) -> Any:
    async with httpx.AsyncClient(base_url=f"{telegram.url}/bot{telegram.token}", timeout=PATIENCE) as client:
        yield client


async def test_the_address_a_form_json_and_multipart_all_carry_parameters(
    ada: int, http: httpx.AsyncClient
) -> None:
    """From DOCS, «Making requests»."""
    fields = {"chat_id": str(ada), "text": "one & two"}
    answers = [
        await http.get("/sendMessage", params=fields),
        await http.post("/sendMessage", params=fields),
        await http.post("/sendMessage", data=fields),
        await http.post("/sendMessage", json=fields),
        await http.post("/sendMessage", data=fields, files={}),
        await http.post("/sendMessage", files={name: (None, value) for name, value in fields.items()}),
    ]
    assert [answer.json()["result"]["text"] for answer in answers] == ["one & two"] * len(answers)
    assert {answer.headers["Content-Type"] for answer in answers} == {"application/json"}


async def test_method_names_have_no_case(http: httpx.AsyncClient) -> None:
    """From DOCS, «Making requests»."""
    assert (await http.get("/GETME")).json()["ok"]


async def test_an_unknown_method_is_not_found(http: httpx.AsyncClient) -> None:
    """From SERVER, on_cmd."""
    answer = await http.get("/getRich")
    assert answer.status_code == 404
    assert answer.json() == {"ok": False, "error_code": 404, "description": "Not Found: method not found"}


async def test_a_method_that_telegram_has_and_the_sandbox_has_not_says_so(telegram: CheckedTelegram) -> None:
    """From OURS."""
    answer = await telegram.api("sendPoll", chat_id=1, question="?", options=["a", "b"])
    assert (answer["error_code"], answer["description"]) == (
        501,
        "Not Implemented: the sandbox does not do sendPoll",
    )


async def test_the_status_is_the_error_code(http: httpx.AsyncClient) -> None:
    """From SERVER, Query::set_error."""
    answer = await http.post("/sendMessage", json={"chat_id": 1, "text": "x"})
    assert answer.status_code == answer.json()["error_code"] == 400


@pytest.mark.parametrize(
    ("token", "code", "words"),
    [("8101000101:somebody-elses", 401, "Unauthorized"), ("no-token", 404, "Not Found")],
)
async def test_a_wrong_token_is_turned_away(
    telegram: CheckedTelegram, token: str, code: int, words: str
) -> None:
    """From SERVER and ClientManager.cpp: 401 for a token of another bot, 404 for what is none."""
    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        answer = await client.get(f"{telegram.url}/bot{token}/getMe")
    assert (answer.status_code, answer.json()["description"]) == (code, words)


async def test_a_body_that_is_no_json_object_is_refused(http: httpx.AsyncClient) -> None:
    """From SERVER, HttpReader: a JSON body must be an object."""
    headers = {"Content-Type": "application/json"}
    for body in ("[1]", "{", '"x"'):
        answer = await http.post("/getMe", content=body, headers=headers)
        assert answer.json()["description"] == "Bad Request: can't parse request body as JSON object"


async def test_numbers_and_booleans_may_come_as_text(ada: int, http: httpx.AsyncClient) -> None:
    """From SERVER, to_bool: «true», «yes» and «1» in any case are true, everything else is false."""
    for text, is_protected in (("True", True), ("yes", True), ("1", True), ("0", False), ("on", False)):
        fields = {"chat_id": f" {ada}", "text": "x", "protect_content": text}
        message = (await http.post("/sendMessage", data=fields)).json()["result"]
        assert message.get("has_protected_content", False) is is_protected


def markup(**fields: Any) -> Json:
    return {"reply_markup": fields}


def inline(**button: Any) -> Json:
    return markup(inline_keyboard=[[button]])


IN_BUTTON = "can't parse inline keyboard button: "

REFUSALS = [
    Refused("without text, wherever it is sent to", {"chat_id": 0}, "message text is empty", LIVE),
    Refused("without a chat", {"text": "x"}, "chat_id is empty", LIVE),
    Refused("to an empty chat", {"chat_id": "", "text": "x"}, "chat_id is empty", LIVE),
    Refused("to chat 0", {"chat_id": 0, "text": "x"}, "chat not found", LIVE),
    Refused("to chat -1", {"chat_id": -1, "text": "x"}, "chat not found", LIVE),
    Refused("to a chat that is no number", {"chat_id": "club", "text": "x"}, "chat not found", LIVE),
    Refused("to a name nobody has", {"chat_id": "@nobody_has_it", "text": "x"}, "chat not found", LIVE),
    Refused(
        "with a keyboard that is no array",
        markup(inline_keyboard="x"),
        'field "inline_keyboard" must be of type Array',
        LIVE,
    ),
    Refused(
        "with a forced reply that is no boolean",
        markup(force_reply="yes"),
        'field "force_reply" must be of type Boolean',
        LIVE,
    ),
    Refused(
        "with a removal that is no boolean",
        markup(remove_keyboard="yes"),
        'field "remove_keyboard" must be of type Boolean',
        LIVE,
    ),
    Refused(
        "with a selection that is no boolean",
        markup(keyboard=[[{"text": "A"}]], selective="yes"),
        'field "selective" must be of type Boolean',
        LIVE,
    ),
    Refused(
        "with a button without text", inline(callback_data="x"), IN_BUTTON + 'Can\'t find field "text"', LIVE
    ),
    Refused(
        "with a wrong type deep in a button",
        inline(text="x", switch_inline_query_chosen_chat={"allow_user_chats": 1}),
        IN_BUTTON + 'Field "allow_user_chats" must be of type Boolean',
        LIVE,
    ),
    Refused(
        "with a keyboard that is no JSON",
        {"reply_markup": "{"},
        "can't parse reply keyboard markup JSON object",
        SERVER,
    ),
    Refused("with a list as a keyboard", {"reply_markup": "[]"}, "object expected as reply markup", SERVER),
    Refused(
        "with a preview option that is no boolean",
        {"link_preview_options": {"is_disabled": "yes"}},
        'field "is_disabled" must be of type Boolean',
        LIVE,
    ),
    Refused(
        "with an answer to nothing",
        {"reply_parameters": {"quote": "x"}},
        'can\'t find field "message_id"',
        LIVE,
    ),
    Refused(
        "with an entity without length",
        {"entities": [{"type": "bold", "offset": 0}]},
        "can't parse MessageEntity: Can't find field \"length\"",
        SERVER,
    ),
    Refused(
        "with a thread that is no number",
        {"message_thread_id": "first"},
        'parameter "message_thread_id" must be of type Integer',
        OURS,
    ),
    Refused("with a misspelt parameter", {"parse_mod": "HTML"}, 'unknown parameter "parse_mod"', OURS),
    Refused(
        "with a misspelt field of a button",
        inline(text="x", callback_date="x"),
        IN_BUTTON + 'Unknown field "callback_date"',
        OURS,
    ),
    Refused(
        "with a misspelt field elsewhere",
        {"link_preview_options": {"disabled": True}},
        'unknown field "disabled"',
        OURS,
    ),
]


@pytest.mark.parametrize("case", REFUSALS, ids=sentence)
async def test_a_message_is_refused(telegram: CheckedTelegram, ada: int, case: Refused) -> None:
    is_whole = not case.sent.keys() & {"chat_id", "text"}
    sent = {"chat_id": ada, "text": "x", **case.sent} if is_whole else case.sent

    assert await telegram.refusal("sendMessage", **sent) == case.description
