"""Ed25519 without the cofactor, and without the corner cases in which implementations differ."""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493

_Y_OF_ORDER_8 = int.from_bytes(
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"
)
_Y_OF_SMALL_ORDER = {0, 1, P - 1, _Y_OF_ORDER_8, P - _Y_OF_ORDER_8}


def verify(key: bytes, message: bytes, signature: bytes) -> bool:
    """OpenSSL compares R as bytes; the other checks are those of docs/bundle.md."""
    if len(key) != 32 or len(signature) != 64:
        return False
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    if s >= L or not is_strict(key) or not is_strict(r):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def is_strict(point: bytes) -> bool:
    y = int.from_bytes(point, "little") & (2**255 - 1)
    return y < P and y not in _Y_OF_SMALL_ORDER
