import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Certificate, CertificateHash, CertificateJson, Notarization } from '../shapes/certificates.ts'
import { byId, Id, idOf, oneOf } from '../shapes/common.ts'
import { certificateStates } from '../vocabulary.ts'

const certificates = { service: 'certificate-service', access: 'bearer', company: 'required' } as const
const read = [{ resource: 'certificates', action: 'read_one' }] as const

const notarization = {
  ...certificates,
  variant: 'both',
  method: 'POST',
  description:
    'Starts a background job: the hashes of the JSON and of its PDF go onto the ledger, issuer and receivers get both by mail, and the event notarize_one follows. A certificate that is on the ledger already is answered with its transaction.',
  scope: [{ resource: 'certificates', action: 'notarize_one' }],
  mode: 'query',
  liveGate: true,
  query: Type.Object({ identity: idOf('The identity that signs') }),
  body: { kind: 'document', accepts: ['application/json'], schema: CertificateJson },
  answer: { kind: 'json', status: 201, schema: Notarization },
  errors: ['certificate_invalid', 'schema_unknown', 'identity_not_usable', 'not_found'],
} as const

export const notarizeCertificate = operation({
  ...notarization,
  id: 'certificates.notarize',
  path: '/certificates/notarize',
  summary: 'Notarize a certificate',
})

export const notarizeCertificateFile = operation({
  ...notarization,
  id: 'certificates.notarize_file',
  path: '/certificates/notarize-file',
  summary: 'Notarize a certificate file',
})

export const listCertificates = operation({
  ...certificates,
  variant: 'current',
  id: 'certificates.list',
  method: 'GET',
  path: '/certificates',
  summary: 'The certificates of the company and their notarization',
  scope: [{ resource: 'certificates', action: 'read_many' }, ...read],
  mode: 'query',
  query: Type.Object({
    state: Type.Optional(oneOf(certificateStates)),
    hash: Type.Optional(CertificateHash),
    identity: Type.Optional(Id),
  }),
  answer: { kind: 'json', status: 200, schema: Type.Array(Certificate) },
  list: true,
})

const one = {
  ...certificates,
  variant: 'current',
  method: 'GET',
  scope: read,
  mode: 'record',
  params: byId,
} as const

export const readCertificate = operation({
  ...one,
  id: 'certificates.read',
  path: '/certificates/{id}',
  summary: 'Where the notarization of a certificate stands',
  answer: { kind: 'json', status: 200, schema: Certificate },
})

export const readCertificateJson = operation({
  ...one,
  id: 'certificates.read_json',
  path: '/certificates/{id}/json',
  summary: 'The certificate as it was received',
  description: 'Byte for byte, while it is retained.',
  answer: { kind: 'content', status: 200, types: ['application/json'] },
  errors: ['certificate_erased'],
})

export const readCertificatePdf = operation({
  ...one,
  id: 'certificates.read_pdf',
  path: '/certificates/{id}/pdf',
  summary: 'The notarized PDF of a certificate',
  description: 'While it is retained.',
  answer: { kind: 'content', status: 200, types: ['application/pdf'] },
  errors: ['certificate_pending', 'certificate_erased'],
})
