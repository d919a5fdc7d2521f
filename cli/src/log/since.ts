import { type Check, type JsonValue, type Mode, modeOf, originOf, type TrustPolicy } from '@millseal/proof'
import { messageOf } from '../frame/error-message.ts'
import { LogRenamed, LogsApart, readContinuation, type SignedCheckpoint } from './continuation.ts'
import { noteOfBundle, readHeldNote, verifyHeld } from './held-checkpoint.ts'
import { openHttpLog } from '@millseal/node/http-log'

export type Since = { readonly check: Check; readonly apart?: LogsApart }

type Question = {
  /** An older bundle or checkpoint. */
  readonly path: string
  readonly server: string
  /** If the name of the log does not say it. */
  readonly mode: Mode
  readonly policy: TrustPolicy
  /** The bundle that was verified: the log must continue its checkpoint, too. */
  readonly bundle: JsonValue | undefined
}

/** Proves that the log which is served now continues the older checkpoint and that of the bundle. */
export const checkSince = async (question: Question): Promise<Since> => {
  try {
    return { check: { name: 'log', outcome: 'passed', says: await provenSince(question) } }
  } catch (error) {
    const says = messageOf(error)
    return error instanceof LogsApart && !(error instanceof LogRenamed)
      ? { check: { name: 'log', outcome: 'failed', says }, apart: error }
      : { check: { name: 'log', outcome: 'unknown', says: `--since could not be checked: ${says}` } }
  }
}

const provenSince = async ({ path, server, mode, policy, bundle }: Question): Promise<string> => {
  const { checkpoint: older, key } = verifyHeld(await readHeldNote(path), policy)
  const inBundle = noteOfBundle(bundle)
  const known: SignedCheckpoint[] = [older]
  if (inBundle !== undefined && originOf(inBundle) === older.origin)
    known.push(verifyHeld(inBundle, policy).checkpoint)
  const log = openHttpLog(`${server}/ledger/${modeOf(older.origin) ?? mode}`)
  const newest = await readContinuation(log, { known, key })
  const date = older.time === undefined ? '' : ` of ${older.time}`
  return `The log has ${newest.size} entries and continues the ${older.size} entries${date} in ${path}`
}
