import { type Static, Type } from 'typebox'
import { inboxDecisions, verdicts } from '../vocabulary.ts'
import { CertificateSummary } from './certificates.ts'
import { Id, ModeValue, oneOf, output, Timestamp } from './common.ts'

const about = {
  hash: Type.Optional(
    Type.String({ description: 'SHA-256 of the canonical JSON, hex; absent without data' }),
  ),
  mode: ModeValue,
  summary: CertificateSummary,
}

/** The payload of the events about decisions, for the company that decided and for the one that issued. */
export const DecidedCertificate = output('DecidedCertificateDto', {
  ...about,
  receiver: output('DecidingCompanyDto', { id: Id, name: Type.String() }),
  decision: oneOf([...inboxDecisions, 'undone']),
  at: Timestamp,
  reason: Type.Optional(
    Type.String({ description: 'The issuer reads that of a rejection, the company that decided any' }),
  ),
  inbox: Type.Optional(
    Type.String({ format: 'uuid', description: 'The entry of the desk, for the company that decided' }),
  ),
})
export type DecidedCertificate = Static<typeof DecidedCertificate>

/** The payload of the event about something accepted that is no longer valid. */
export const AlarmedCertificate = output('AlarmedCertificateDto', {
  ...about,
  inbox: Id,
  verdict: oneOf(verdicts, { description: 'withdrawn, replaced, revoked, or another than genuine' }),
  acceptedAt: Timestamp,
  at: Timestamp,
})
export type AlarmedCertificate = Static<typeof AlarmedCertificate>
