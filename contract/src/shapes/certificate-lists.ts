import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { callerKinds, certificateMailKinds, certificateStates } from '../vocabulary.ts'
import { certificateMail, Release } from './certificates.ts'
import { Id, ModeValue, oneOf, output, Reasons, Timestamp } from './common.ts'
import { Correction } from './corrections.ts'

export const Count = output('CertificateCountDto', {
  count: Type.Integer({ minimum: 0, maximum: limits.countedPerState }),
  isExact: Type.Boolean({ description: 'false if there are more' }),
})

export const CertificateCounts = output(
  'CertificateCountsDto',
  {
    awaitingRelease: Count,
    accepted: Count,
    running: Count,
    notarized: Count,
    failed: Count,
    received: Type.Optional(Count),
  },
  { description: 'Issued certificates by state, and received ones once the company is verified' },
)
export type CertificateCounts = Static<typeof CertificateCounts>

export const Caller = output('CallerDto', {
  kind: oneOf(callerKinds),
  id: Id,
  name: Type.Optional(
    Type.String({
      description: 'The user name, or the name of the application or token, if it still exists',
    }),
  ),
})

const LifeMail = output('LifeMailDto', { about: oneOf(certificateMailKinds), ...certificateMail })

/** Steps that have not happened are missing; so are times of certificates that an earlier release notarized. */
export const CertificateLife = output('CertificateLifeDto', {
  id: Id,
  mode: ModeValue,
  state: oneOf(certificateStates),
  accepted: output('AcceptedDto', { at: Timestamp, by: Type.Optional(Caller) }),
  release: Type.Optional(Release),
  replaces: Type.Optional(
    output('ReplacesDto', {
      id: Type.String({ format: 'uuid', description: 'The certificate that it was submitted to replace' }),
      reason: Type.String(),
      at: Type.Optional(Type.String({ format: 'date-time', description: 'When the ledger recorded it' })),
      reasons: Reasons,
    }),
  ),
  rendered: Type.Optional(
    output('RenderedDto', {
      at: Type.Optional(Timestamp),
      pdfHash: Type.String({ description: 'SHA-256 of the PDF, hex' }),
    }),
  ),
  recorded: Type.Optional(
    output('RecordedDto', {
      at: Type.String({ format: 'date-time', description: 'By the clock of the ledger' }),
      transactionId: Type.String(),
      entry: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Its index in the log, if the ledger is a log' }),
      ),
    }),
  ),
  confirmed: Type.Optional(
    output(
      'ConfirmedDto',
      { at: Timestamp, by: Type.Array(Type.String({ description: 'The name of the key of a cosigner' })) },
      { description: 'A quorum of other organisations had signed that the ledger has the entry' },
    ),
  ),
  completed: Type.Optional(
    output(
      'CompletedDto',
      { at: Type.Optional(Timestamp) },
      { description: 'Its events and mails were written' },
    ),
  ),
  failed: Type.Optional(
    output('FailedDto', { at: Type.Optional(Timestamp), error: Type.String(), reasons: Reasons }),
  ),
  corrections: Type.Array(Correction, {
    description: 'Withdrawal and replacements that were made here, oldest first',
  }),
  mails: Type.Array(LifeMail, { description: 'For a month, oldest first' }),
})
export type CertificateLife = Static<typeof CertificateLife>
