import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { Id, idOf, JsonObject, output, Timestamp } from './common.ts'

const exact = (description: string) => Type.Optional(Type.String({ ...limits.auditFilter, description }))
const time = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', ...limits.timestamp, description }))

export const auditFilter = Type.Object({
  actor: exact('Such as `user:<id>`, `application:<id>` or `command`'),
  action: exact('Such as `companies.review`'),
  subject: exact('Such as `company:<id>`'),
  company: Type.Optional(idOf('Only entries about this company')),
  from: time('Only entries of this time or later'),
  to: time('Only entries before this time'),
})

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
