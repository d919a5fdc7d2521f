import type { Mode } from '@millseal/contract'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'
import type { LogReviews } from '../../../ports/database/tables.ts'

export type LogReview = Selectable<LogReviews>

/** Has no effect if the row exists. */
export const insertLogReview = async (query: Query, row: Insertable<LogReviews>): Promise<void> => {
  await query
    .insertInto('logReviews')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Reviews of logs with another name that this log is not known to have. */
export const findReviewsOfOtherLogs = (
  query: Query,
  { mode, log }: { readonly mode: Mode; readonly log: string },
): Promise<LogReview[]> =>
  query
    .selectFrom('logReviews as review')
    .selectAll()
    .where('mode', '=', mode)
    .where('log', '<>', log)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('logReviews as own')
            .select('own.mode')
            .where('own.mode', '=', mode)
            .where('own.log', '=', log)
            .whereRef('own.publicKey', '=', 'review.publicKey')
            .whereRef('own.reviewId', '=', 'review.reviewId'),
        ),
      ),
    )
    .execute()

/** Of these reviews, those of which no log says yet that they ended. */
export const findUnendedLogReviews = (query: Query, reviewIds: readonly string[]): Promise<LogReview[]> =>
  query
    .selectFrom('logReviews')
    .selectAll()
    .where('reviewId', '=', sql<string>`any (${[...reviewIds]}::uuid[])`)
    .where('endedBy', 'is', null)
    .execute()

export const markEnded = async (
  query: Query,
  { mode, publicKey, log, reviewId }: LogReview,
  transactionId: string,
): Promise<void> => {
  await query
    .updateTable('logReviews')
    .set({ endedBy: transactionId })
    .where('mode', '=', mode)
    .where('publicKey', '=', publicKey)
    .where('log', '=', log)
    .where('reviewId', '=', reviewId)
    .execute()
}

/** The reviews that logs have of these keys, newest first. */
export const findLogReviews = (
  query: Query,
  { mode, publicKeys }: { readonly mode: Mode; readonly publicKeys: readonly string[] },
): Promise<LogReview[]> =>
  publicKeys.length === 0
    ? Promise.resolve([])
    : query
        .selectFrom('logReviews')
        .selectAll()
        .where('mode', '=', mode)
        .where('publicKey', 'in', publicKeys)
        .orderBy('reviewId', 'desc')
        .execute()
