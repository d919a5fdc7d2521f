import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { idOf, oneOf } from '../shapes/common.ts'
import { answersToFindings } from '../vocabulary.ts'

const batch = {
  service: 'certificate-service',
  variant: 'current',
  method: 'POST',
  access: 'bearer',
  company: 'required',
  mode: 'query',
  body: { kind: 'document', accepts: ['application/x-ndjson', 'application/zip'] },
  answer: { kind: 'content', status: 200, types: ['application/x-ndjson'], streamed: true },
  idempotency: 'repeatable',
} as const

const lines = `The body is NDJSON, a certificate in each line, or a zip archive of their files: up to ${limits.batchItems} of them. The answer has a line for each, in their order, as soon as it is known: \`item\` counts from 1, \`name\` is the file in the archive, \`status\` is what the answer to this certificate alone would have had, with that answer in \`answer\` or \`error\`. The last line has \`end\`, and counts: without it the answer was cut off, and the same body can be sent again.`

export const notarizeCertificates = operation({
  ...batch,
  id: 'certificates.notarize_many',
  path: '/certificates/notarize-many',
  summary: 'Notarize many certificates',
  description: `Does with each what \`POST /certificates/notarize\` does. A certificate that was accepted before is not notarized twice, so a batch can be repeated as a whole. ${lines}`,
  scope: [
    { resource: 'certificates', action: 'notarize_many' },
    { resource: 'certificates', action: 'notarize_one' },
  ],
  memberRole: 'clerk',
  liveGate: true,
  query: Type.Object({
    identity: idOf('The identity that signs'),
    onFindings: Type.Optional(
      oneOf(answersToFindings, {
        default: 'accept',
        description: 'refuse: certificates with findings are not notarized, as if each had been sent alone',
      }),
    ),
  }),
})

export const verifyCertificates = operation({
  ...batch,
  id: 'certificates.verify_many',
  path: '/certificates/verify-many',
  summary: 'Verify many certificates',
  description: `Does with each what \`POST /certificates/verify\` does; only an archive can contain PDFs. ${lines}`,
  scope: [
    { resource: 'certificates', action: 'validate_many' },
    { resource: 'certificates', action: 'validate_one' },
  ],
})
