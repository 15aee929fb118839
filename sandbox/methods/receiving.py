"""Methods to receive updates, by polling or by a webhook."""

from sandbox.errors import conflict
from sandbox.methods.registry import Call, method
from sandbox.model import Json
from sandbox.schema.sizes import MAX_POLL_SECONDS, MAX_UPDATES


@method("getUpdates")
async def get_updates(call: Call) -> list[Json]:
    """Wait for updates."""
    updates = call.sandbox.updates
    if call.sandbox.webhook.url:
        raise conflict(
            "can't use getUpdates method while webhook is active;"
            " use deleteWebhook to delete the webhook first"
        )
    updates.set_allowed(call.get("allowed_updates"))
    limit = min(max(call.get("limit", MAX_UPDATES), 1), MAX_UPDATES)
    timeout = min(max(call.get("timeout", 0), 0), MAX_POLL_SECONDS)
    return await updates.poll(call.get("offset", 0), limit, timeout)


@method("setWebhook")
def set_webhook(call: Call) -> bool:
    """Set a webhook; an empty ``url`` removes it."""
    updates = call.sandbox.updates
    updates.set_allowed(call.get("allowed_updates"))
    if call.get("drop_pending_updates"):
        updates.reset()
    call.sandbox.webhook.set(call["url"], call.get("secret_token"), call.get("max_connections"))
    return True


@method("deleteWebhook")
def delete_webhook(call: Call) -> bool:
    """Remove the webhook."""
    if call.get("drop_pending_updates"):
        call.sandbox.updates.reset()
    call.sandbox.webhook.delete()
    return True


@method("getWebhookInfo")
def get_webhook_info(call: Call) -> Json:
    """Return the webhook's address and state."""
    return call.sandbox.webhook.info()
