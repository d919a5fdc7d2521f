import type { CertificateDependencies } from '../dependencies.ts'
import type { RunningNotarization } from './progress.store.ts'
import { groupSteps } from './grouped-steps.ts'
import { runNotarization } from './run-notarization.ts'

/** Runs a notarization as a worker does that has claimed it; does nothing if it has ended. */
export const runClaimed = async (
  deps: CertificateDependencies,
  certificateId: string,
  signal: AbortSignal = AbortSignal.timeout(600_000),
): Promise<void> => {
  const running = await claimOne(deps, certificateId)
  if (running !== undefined)
    await runNotarization({ ...deps, steps: groupSteps(deps, () => 1) }, running, signal)
}

/** Claims one notarization as a worker does. Undefined if it has ended. */
export const claimOne = async (
  { database }: Pick<CertificateDependencies, 'database'>,
  certificateId: string,
): Promise<RunningNotarization | undefined> => {
  const row = await database.query
    .updateTable('certificates')
    .set((of) => ({ state: 'running', attempts: of('attempts', '+', 1) }))
    .where('id', '=', certificateId)
    .where('state', 'in', ['accepted', 'running'])
    .returningAll()
    .executeTakeFirst()
  return row?.body ? { ...row, body: row.body, hasLook: true } : undefined
}
