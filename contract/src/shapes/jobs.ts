import { type Static, Type } from 'typebox'
import { Id, JsonObject, output, Reasons, Timestamp } from './common.ts'

export const FailedJob = output('FailedJobDto', {
  id: Id,
  kind: Type.String(),
  createdAt: Timestamp,
  failedAt: Timestamp,
  attempts: Type.Integer({ minimum: 0 }),
  error: Type.String({ description: 'The last error, without secrets' }),
  reasons: Reasons,
  data: JsonObject,
})
export type FailedJob = Static<typeof FailedJob>
