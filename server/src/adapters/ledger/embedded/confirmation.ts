import { checkpointIn, collectCosignatures, type NoteKey, splitNote } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Confirmations } from '../../../ports/ledger/confirmations.ts'
import { readCosigned } from './cosigned-file.ts'
import type { CosignerState } from './cosigner-worker.ts'
import type { RecordedConfirmations } from './confirmations.ts'
import type { Cosigning } from './cosigning.ts'
import type { LogCosigners } from './log-cosigners.ts'
import type { TileFolder } from './tile-folder.ts'

/** What a quorum of cosigners has confirmed, and whether it follows the log, as any process can see it from the files. */
export type Confirmation = Confirmations & {
  /** Whether the policy is about this log. */
  isForLog(): Promise<boolean>
  /** What each cosigner did since this process became the writer; empty in other processes. */
  readonly states: readonly CosignerState[]
}

/** A cosigner that fails is asked again after up to a minute. */
const allowedMs = 30_000

export const createConfirmation = ({
  folder,
  clock,
  cosigning,
  cosigners,
  confirmations,
  prove,
  readKey,
}: {
  readonly folder: TileFolder
  readonly clock: Clock
  readonly cosigning: Cosigning
  readonly cosigners: LogCosigners['cosigners']
  readonly confirmations: RecordedConfirmations
  readonly prove: Confirmations['prove']
  readonly readKey: () => Promise<NoteKey>
}): Confirmation => ({
  find: confirmations.find,
  until: confirmations.until,
  readSize: confirmations.readSize,
  isForLog: async () => cosigning.isFor(await readKey()),
  prove,
  async readHolders() {
    const held = await confirmations.readHeld()
    return cosigners.map(({ name, key }) => ({ name, keyName: key.name, held: held.get(key.name) }))
  },
  count: (checkpoint) => ({ signed: countIn(checkpoint, cosigners), of: cosigners.length }),
  get states() {
    return cosigning.states
  },
  async check() {
    const note = await folder.readCheckpoint()
    if (note === undefined || !cosigning.isFor(await readKey())) return
    const newest = checkpointIn(note)
    const cosigned = await readCosigned(folder.files, newest.origin)
    if (cosigned !== undefined && splitNote(cosigned).text === splitNote(note).text) return
    const confirmed = cosigned === undefined ? undefined : checkpointIn(cosigned)
    const isRecent = ageMs(newest.time, clock) <= allowedMs
    const isBehind =
      confirmed !== undefined && ageMs(confirmed.time, clock) <= ageMs(newest.time, clock) + allowedMs
    if (isRecent && isBehind) return
    throw new Error(
      [
        `no quorum of cosigners: ${confirmed?.size ?? 0} of ${newest.size} entries are confirmed`,
        ...cosigning.states.flatMap(({ name, failure }) =>
          failure === undefined ? [] : [`${name}: ${failure}`],
        ),
      ].join('; '),
    )
  },
})

/** A line that is not valid does not count. */
const countIn = (checkpoint: string, cosigners: LogCosigners['cosigners']): number => {
  const keys = cosigners.map(({ key }) => key)
  const valid = collectCosignatures(splitNote(checkpoint), keys, nodePrimitives)
  return new Set(valid.map(({ key }) => key)).size
}

const ageMs = (time: string | undefined, clock: Clock): number =>
  time === undefined ? 0 : clock.now() - Date.parse(time)
