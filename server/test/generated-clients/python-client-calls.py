# Five calls with the client that openapi-python-client writes.
import json
import os
from millseal_client import AuthenticatedClient, Client
from millseal_client.api.auth import auth_login
from millseal_client.api.certificates import certificates_notarize, certificates_verify
from millseal_client.api.identities import identities_list
from millseal_client.api.users import users_read_me
from millseal_client.models import (
    CertificateJsonDto,
    CertificatesNotarizeMode,
    CertificatesVerifyMode,
    IdentitiesListMode,
    LoginBodyDto,
)

url = os.environ["API_URL"]
credentials = LoginBodyDto(username=os.environ["USERNAME"], password=os.environ["PASSWORD"])
session = auth_login.sync(client=Client(base_url=url), body=credentials)
client = AuthenticatedClient(base_url=url, token=session.access_token)
me = users_read_me.sync(client=client)
company = os.environ["COMPANY"]
[identity] = identities_list.sync(client=client, mode=IdentitiesListMode.TEST, company=company)
certificate = CertificateJsonDto.from_dict(json.loads(os.environ["CERTIFICATE"]))
notarization = certificates_notarize.sync(
    client=client,
    body=certificate,
    identity=identity.id,
    mode=CertificatesNotarizeMode.TEST,
    company=company,
)
verification = certificates_verify.sync(
    client=client, body=certificate, mode=CertificatesVerifyMode.TEST
)
print(json.dumps([me.username, notarization.hash_.value, verification.hash_.value]))
