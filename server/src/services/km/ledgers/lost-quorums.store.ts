import { sql } from 'kysely'
import type { Mode } from '@millseal/contract'
import type { Query } from '../../../ports/database/database.ts'

export type Loss = { readonly lostAt: Date }

/** Keeps the time of a loss that is known. Returns it if it began before `before` and was not reported. */
export const takeLoss = async (
  tx: Query,
  { mode, now, before }: { readonly mode: Mode; readonly now: Date; readonly before: Date },
): Promise<Loss | undefined> => {
  await sql`
    insert into lost_quorums (mode, lost_at) values (${mode}, ${now}) on conflict (mode) do nothing`.execute(
    tx,
  )
  const { rows } = await sql<Loss>`
    update lost_quorums set reported_at = ${now}
    where mode = ${mode} and reported_at is null and lost_at <= ${before} returning lost_at`.execute(tx)
  return rows[0]
}

/** Returns the loss that is over if it was reported. */
export const endLoss = async (tx: Query, mode: Mode): Promise<Loss | undefined> => {
  const { rows } = await sql<Loss & { readonly isReported: boolean }>`
    delete from lost_quorums where mode = ${mode}
    returning lost_at, reported_at is not null as is_reported`.execute(tx)
  return rows.find(({ isReported }) => isReported)
}
