import { type SqlBool, sql } from 'kysely'
import { because } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'
import { readReasons } from '../../../lib/stored-reasons.ts'
import { reasonWithoutSecrets, withoutSecrets } from '../../../lib/without-secrets.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { FailedJob, OwnWork, WorkCounts } from '../../../ports/jobs/failed-work.ts'
import { notarizationChannel } from './queue.store.ts'

export const notarizationKind = 'notarization'

const maxErrorLength = 300
const uniqueViolation = '23505'

/** Notarizations as operators of the service see them: the failed ones, as long as the certificate is retained. */
export const createNotarizationWork = ({ clock }: { readonly clock: Clock }): OwnWork => ({
  async count(query) {
    const { rows } = await sql<WorkCounts>`
      select
        (select count(*)::int from certificates where next_attempt_at is not null and state = 'accepted') as waiting,
        (select count(*)::int from certificates where next_attempt_at is not null and state = 'running') as active,
        (select count(*)::int from certificates where state = 'failed' and body is not null
          and release is distinct from 'refused') as failed,
        (select greatest(0, coalesce(extract(epoch from ${new Date(clock.now())}::timestamptz - min(next_attempt_at)), 0))::float8
          from certificates where next_attempt_at is not null and state = 'accepted') as overdue_seconds`.execute(
      query,
    )
    return rows[0] ?? { waiting: 0, active: 0, failed: 0, overdueSeconds: 0 }
  },
  async list(query, { after, limit }) {
    const found = failed(query).orderBy('updatedAt', 'desc').orderBy('id', 'desc').limit(limit)
    const page =
      after === undefined
        ? found
        : found.where(sql<SqlBool>`(updated_at, id) < (${after.failedAt}::timestamptz, ${after.id}::uuid)`)
    return (await page.execute()).map(toFailedJob)
  },
  async find(query, id) {
    const row = await failed(query).where('id', '=', id).executeTakeFirst()
    return row && toFailedJob(row)
  },
  async runAgain(tx, id) {
    const now = new Date(clock.now())
    const started = await tx
      .updateTable('certificates')
      .set({ state: 'accepted', error: null, reasons: null, attempts: 0, nextAttemptAt: now, updatedAt: now })
      .where('id', '=', id)
      .where('state', '=', sql.lit('failed'))
      .where('body', 'is not', null)
      .where('release', 'is distinct from', 'refused')
      .returning('id')
      .executeTakeFirst()
      .catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error && error.code === uniqueViolation)) throw error
        throw new Problem('job_not_repeatable', { reasons: [because('submitted_again')] })
      })
    if (started === undefined) return false
    await sql`select pg_notify(${notarizationChannel}, '')`.execute(tx)
    return true
  },
})

const failed = (query: Query) =>
  query
    .selectFrom('certificates')
    .select(['id', 'createdAt', 'updatedAt', 'attempts', 'error', 'reasons', 'companyId', 'mode'])
    .where('state', '=', sql.lit('failed'))
    .where('body', 'is not', null)
    .where('release', 'is distinct from', 'refused')

type Row = Awaited<ReturnType<ReturnType<typeof failed>['execute']>>[number]

const toFailedJob = ({ id, createdAt, updatedAt, companyId, mode, ...row }: Row): FailedJob => ({
  id,
  kind: notarizationKind,
  createdAt,
  failedAt: updatedAt,
  attempts: row.attempts,
  error: withoutSecrets(row.error ?? '', maxErrorLength),
  reasons: readReasons(row)?.map(reasonWithoutSecrets),
  data: { certificateId: id, companyId, mode },
})
