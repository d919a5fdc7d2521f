import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { Id, idOf, JsonObject, oneOf, output, Timestamp } from './common.ts'

const exact = (description: string) => Type.Optional(Type.String({ ...limits.auditFilter, description }))
const time = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', ...limits.timestamp, description }))

export const auditFilter = Type.Object({
  actor: exact('Such as `user:<id>`, `application:<id>` or `command`'),
  action: exact('Such as `companies.review`'),
  exceptAction: exact('No entries of this action, such as `keys.sign`'),
  subject: exact('Such as `company:<id>`'),
  company: Type.Optional(idOf('Only entries about this company')),
  from: time('Only entries of this time or later'),
  to: time('Only entries before this time'),
})

export const auditExport = Type.Object({
  ...auditFilter.properties,
  format: oneOf(['csv', 'ndjson'], { description: 'One line per entry, with a header in CSV' }),
  after: Type.Optional(idOf('Only entries older than this one, to continue an export')),
})

export const AuditVerification = output('AuditVerificationDto', {
  intact: Type.Boolean({ description: 'Whether the log is what it was when it was chained' }),
  head: Type.Optional(
    output('AuditHeadDto', { position: Type.Integer(), hash: Type.String({ description: 'SHA-256, hex' }) }),
  ),
  archived: Type.Optional(
    output(
      'AuditArchiveDto',
      { position: Type.Integer(), hash: Type.String({ description: 'SHA-256, hex' }), archivedAt: Timestamp },
      { description: 'The last entry that is in a file and no longer here' },
    ),
  ),
  waiting: Type.Integer({ description: 'Entries of the last minute that are not in the chain yet' }),
  recorded: Type.Optional(
    output('RecordedAuditHeadDto', {
      position: Type.Integer(),
      hash: Type.String(),
      transactionId: Type.String({ description: 'On the live log' }),
      recordedAt: Timestamp,
    }),
  ),
  faults: Type.Array(
    output('AuditFaultDto', {
      kind: oneOf(['altered', 'removed', 'inserted', 'chain', 'head'], {
        description:
          'inserted: not by the service, or while the clock was wrong. chain: the chain itself was changed. head: the chain differs from a head on the log',
      }),
      position: Type.Optional(Type.Integer()),
      entry: Type.Optional(Id),
      transactionId: Type.Optional(Type.String()),
    }),
    { description: 'The first 100 of each kind of check' },
  ),
})
export type AuditVerification = Static<typeof AuditVerification>

export const AuditEntry = output('AuditEntryDto', {
  id: Id,
  at: Timestamp,
  actor: Type.String(),
  actorName: Type.Optional(
    Type.String({ description: 'The username, if the actor is a user who still exists' }),
  ),
  action: Type.String(),
  subject: Type.String(),
  company: Type.Optional(Id),
  ipAddress: Type.Optional(Type.String()),
  details: JsonObject,
})
export type AuditEntry = Static<typeof AuditEntry>
