"""Verifies a time stamp with rfc3161-client: stamp-judge.py <answer in DER> <SHA-256 in hex> <root in PEM>. Prints its time."""
import sys

from cryptography.x509 import load_pem_x509_certificate
from rfc3161_client import VerifierBuilder, VerificationError, decode_timestamp_response

answer, digest, root = sys.argv[1:]
with open(root, "rb") as file:
    verifier = VerifierBuilder().add_root_certificate(load_pem_x509_certificate(file.read())).build()
try:
    with open(answer, "rb") as file:
        response = decode_timestamp_response(file.read())
    verifier.verify(response, bytes.fromhex(digest))
except (ValueError, VerificationError) as error:
    sys.exit(f"refused: {error}")
print(response.tst_info.gen_time.strftime("%Y-%m-%dT%H:%M:%S.000Z"))
