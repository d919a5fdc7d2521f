# Five calls with the client that openapi-generator writes for Python.
import json
import os
import openapi_client as generated

configuration = generated.Configuration(host=os.environ["API_URL"])
with generated.ApiClient(configuration) as client:
    credentials = generated.LoginBodyDto(username=os.environ["USERNAME"], password=os.environ["PASSWORD"])
    configuration.access_token = generated.AuthApi(client).auth_login(credentials).access_token
    me = generated.UsersApi(client).users_read_me()
    company, mode = os.environ["COMPANY"], "test"
    [identity] = generated.IdentitiesApi(client).identities_list(mode=mode, company=company)
    certificate = generated.CertificateJsonDto.from_dict(json.loads(os.environ["CERTIFICATE"]))
    certificates = generated.CertificatesApi(client)
    notarization = certificates.certificates_notarize(
        identity=str(identity.id), mode=mode, certificate_json_dto=certificate, company=company
    )
    verification = certificates.certificates_verify(mode=mode, certificate_json_dto=certificate)
    print(json.dumps([me.username, notarization.hash.value, verification.hash.value]))
