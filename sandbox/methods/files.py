"""The method to download files."""

from sandbox.errors import bad_request
from sandbox.methods.registry import Call, method
from sandbox.model import Json
from sandbox.schema.sizes import MAX_DOWNLOAD_BYTES


@method("getFile")
def get_file(call: Call) -> Json:
    """Return the path to download a file from: ``/file/bot<token>/<file_path>``."""
    file = call.world.files.get(call["file_id"])
    if file is None:
        raise bad_request("invalid file_id")
    if len(file.content) > MAX_DOWNLOAD_BYTES:
        raise bad_request("file is too big")
    return {
        "file_id": file.file_id,
        "file_unique_id": file.unique_id,
        "file_size": len(file.content),
        "file_path": file.path,
    }
