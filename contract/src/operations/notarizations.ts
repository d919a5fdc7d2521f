import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { CertificateJson } from '../shapes/certificate-checks.ts'
import { CertificateCounts, CertificateLife } from '../shapes/certificate-lists.ts'
import { Certificate, CertificateMail, Notarization } from '../shapes/certificates.ts'
import { byId, Id, idOf, oneOf } from '../shapes/common.ts'
import { ReasonOfCorrection, RefuseCertificate } from '../shapes/corrections.ts'
import {
  answersToFindings,
  certificateSorts,
  certificateStates,
  directions,
  sortOrders,
} from '../vocabulary.ts'

const time = Type.String({ format: 'date-time', ...limits.timestamp })
const certificates = { service: 'certificate-service', access: 'bearer', company: 'required' } as const
const read = [{ resource: 'certificates', action: 'read_one' }] as const

const notarization = {
  ...certificates,
  variant: 'both',
  method: 'POST',
  description:
    'Starts a background job, which records the hashes of the JSON and the PDF on the ledger, e-mails both files to issuer and receivers, and publishes the event `notarize_one`. If the certificate is already on the ledger, the answer is its transaction, with whose it is in `issuer`. The operator of the service limits the certificates per company and day (UTC); repeating a request does not count. If the company demands a release (`fourEyes`), the job waits in the state `awaitingRelease` until another person calls `POST /certificates/{id}/release`. With `replaces` and `reason` it also replaces a certificate: the job ends when the ledger has both entries, and people who get both certificates get one mail.',
  scope: [{ resource: 'certificates', action: 'notarize_one' }],
  memberRole: 'clerk',
  mode: 'query',
  liveGate: true,
  query: Type.Object({
    identity: idOf('The identity that signs'),
    own: Type.Optional(
      Type.Boolean({
        description:
          'Record an own entry although another company was first. Only for the company that the certificate names as its seller by its reviewed VAT id',
      }),
    ),
    onFindings: Type.Optional(
      oneOf(answersToFindings, {
        default: 'accept',
        description:
          'refuse: a certificate with findings is not notarized, and `details` lists them. The findings are those that its validation reports. `onFindings` of the company refuses them in any case.',
      }),
    ),
    replaces: Type.Optional(
      idOf(
        'A notarized certificate of the company in the same mode. Notarizing this one then also records that it replaces that one, signed with the identity that signed that one. Applications need the scope `certificates:replace_one` as well',
      ),
    ),
    reason: Type.Optional(ReasonOfCorrection),
  }),
  body: { kind: 'document', accepts: ['application/json'], schema: CertificateJson },
  answer: { kind: 'json', status: 201, schema: Notarization },
  errors: [
    'certificate_invalid',
    'file_too_costly',
    'findings_refused',
    'schema_unknown',
    'identity_not_usable',
    'seller_differs',
    'not_the_seller',
    'certificate_limit_reached',
    'certificate_corrected',
    'queue_full',
    'service_queue_full',
    'not_found',
  ],
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
  summary: 'List and search the certificates that the company issued or received',
  description: `Every filter narrows the list. Periods begin at \`From\` and end before \`To\`. Without \`sort\` or \`order\`, the newest come first. With \`notarizedFrom\` or \`notarizedTo\` but no \`text\`, and for received certificates, dates are those of notarization. The first page has the headers \`X-Total-Count\`, at most ${limits.countedCertificates}, and \`X-Total-Count-Exact\`, which is false if there are more.`,
  scope: [{ resource: 'certificates', action: 'read_many' }, ...read],
  mode: 'query',
  query: Type.Object({
    direction: Type.Optional(
      oneOf(directions, {
        default: 'issued',
        description:
          'received: notarized certificates that name the VAT id of your company as a receiver. Your company must be verified, in test mode too',
      }),
    ),
    state: Type.Optional(oneOf(certificateStates)),
    hash: Type.Optional(
      Type.String({
        ...limits.hash,
        description: 'The hash of the JSON or the PDF in hex, or its first 8 characters or more',
      }),
    ),
    identity: Type.Optional(Id),
    family: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9-]+$',
        ...limits.familyName,
        examples: ['en10168'],
        description:
          'The family of its schema, as in `GET /certificates/families`; of an imported type, the type without `-schemas`',
      }),
    ),
    text: Type.Optional(
      Type.String({
        ...limits.searchText,
        description:
          'Words or parts of words, in any order, all of which occur in number, order, delivery, heats, product, customer or seller. Case and accents do not matter; words of one or two letters are found at the beginning of a word. Finds certificates until their retention ends',
      }),
    ),
    sort: Type.Optional(
      oneOf(certificateSorts, {
        default: 'date',
        description:
          'number: as people count, so 9 comes before 10; party: the customer of issued and the seller of received certificates. Certificates without one, and those whose retention ended, come last in ascending order',
      }),
    ),
    order: Type.Optional(
      oneOf(sortOrders, { description: 'Without it, dates are descending, and everything else ascending' }),
    ),
    createdFrom: Type.Optional(time),
    createdTo: Type.Optional(time),
    notarizedFrom: Type.Optional(time),
    notarizedTo: Type.Optional(time),
  }),
  answer: { kind: 'json', status: 200, schema: Type.Array(Certificate) },
  errors: ['company_unverified'],
  list: true,
})

export const countCertificates = operation({
  ...certificates,
  variant: 'current',
  id: 'certificates.count',
  method: 'GET',
  path: '/certificates/counts',
  summary: 'Count the certificates of the company by state',
  scope: [{ resource: 'certificates', action: 'read_many' }, ...read],
  mode: 'query',
  answer: { kind: 'json', status: 200, schema: CertificateCounts },
})

export const mailCertificateAgain = operation({
  ...certificates,
  variant: 'current',
  id: 'certificates.mail_again',
  method: 'POST',
  path: '/certificates/{id}/mail-again',
  summary: 'Mail a notarized certificate again',
  description:
    'Sends PDF and JSON to the contacts of your company and to everybody whom the certificate names, as when it was notarized. The same rules decide who gets a mail, and the quota of the day counts. Withdrawn and replaced certificates are not mailed again. The answer says what becomes of each mail; so does `GET /certificates/{id}/life`.',
  scope: [{ resource: 'mails', action: 'retry_one' }],
  memberRole: 'operator',
  liveGate: true,
  mode: 'record',
  params: byId,
  answer: { kind: 'json', status: 200, schema: Type.Array(CertificateMail) },
  errors: ['certificate_failed', 'certificate_pending', 'certificate_erased', 'certificate_corrected'],
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
  summary: 'Read the status of a notarization',
  description: 'Verified companies that received the certificate can read it too, without its mails.',
  answer: { kind: 'json', status: 200, schema: Certificate },
})

export const readCertificateJson = operation({
  ...one,
  id: 'certificates.read_json',
  path: '/certificates/{id}/json',
  summary: 'Download the certificate as received',
  description: 'Returns the exact bytes, also to its receivers, until the retention ends.',
  answer: { kind: 'content', status: 200, types: ['application/json'] },
  errors: ['certificate_erased'],
})

export const readCertificatePdf = operation({
  ...one,
  id: 'certificates.read_pdf',
  path: '/certificates/{id}/pdf',
  summary: 'Download the notarized PDF of a certificate',
  description: 'Available, also to its receivers, until the retention ends.',
  answer: { kind: 'content', status: 200, types: ['application/pdf'] },
  errors: ['certificate_pending', 'certificate_erased'],
})

export const readCertificateLife = operation({
  ...one,
  id: 'certificates.read_life',
  path: '/certificates/{id}/life',
  summary: 'Read what happened to a certificate, and when',
  description:
    'Only for the company that issued it. `GET /events` and `GET /mails` with `certificate` answer the deliveries to webhooks and mail hooks.',
  answer: { kind: 'json', status: 200, schema: CertificateLife },
})

const decision = {
  ...certificates,
  variant: 'current',
  method: 'POST',
  access: 'user',
  liveGate: true,
  mode: 'record',
  params: byId,
  answer: { kind: 'json', status: 200, schema: Certificate },
  errors: ['release_own', 'release_decided'],
} as const

export const releaseCertificate = operation({
  ...decision,
  id: 'certificates.release',
  path: '/certificates/{id}/release',
  summary: 'Release a certificate that somebody else submitted',
  description:
    'Starts its notarization. An approver releases what an application submitted, because admins may know its secret. Calling it again changes nothing.',
  memberRole: 'approver',
  // The console releases many, one after the other.
  limit: { perMinute: 120 },
})

export const refuseCertificate = operation({
  ...decision,
  id: 'certificates.refuse',
  path: '/certificates/{id}/refuse',
  summary: 'Refuse to release a certificate, or take back your own',
  description:
    'Ends it as `failed`, and mails the reason to the person who submitted it and to the contacts of the company. The same certificate can then be submitted again. Clerks can take back their own. Calling it again changes nothing.',
  memberRole: 'clerk',
  body: { kind: 'json', schema: RefuseCertificate },
})
