import type { Mode } from '@millseal/contract'
import { checkpointIn, isSameHead, originOf } from '@millseal/proof'
import type { Query } from '../../../ports/database/database.ts'
import type { Confirmations } from '../../../ports/ledger/confirmations.ts'
import { createStatusOfLog } from './corrections.ts'
import { readCosigned } from './cosigned-file.ts'
import { createEntryProver, type ProverDependencies } from './entry-prover.ts'
import type { IndexReader } from './index-reader.ts'
import type { EntryReader } from './read-ledger.ts'
import { createLedgerReading } from './reading.ts'
import type { TileFolder } from './tile-folder.ts'

/** An idle log appends a state leaf once a day, so two checkpoints with the same status can be that far apart. */
const allowedMs = 90_000_000

/** Proves against the newest checkpoint that a quorum has cosigned, whose status tree is kept beside that of the newest one. */
export const createConfirmedProofs = ({
  folder,
  query,
  mode,
  index,
  entries,
  readKey,
  find,
}: {
  readonly folder: TileFolder
  readonly query: Query
  readonly mode: Mode
  readonly index: IndexReader
  readonly entries: EntryReader
  readonly readKey: ProverDependencies['readKey']
  readonly find: Confirmations['find']
}): Confirmations['prove'] => {
  const readConfirmed = async () => {
    const note = await folder.readCheckpoint()
    return note === undefined ? undefined : await readCosigned(folder.files, originOf(note))
  }
  const confirmed: TileFolder = { ...folder, readCheckpoint: readConfirmed }
  const status = createStatusOfLog({ folder: confirmed, query, mode })
  const prover = createEntryProver({ folder: confirmed, entries, status, readKey })
  const reading = createLedgerReading({ index, entries, prover })

  const saysAsMuch = async (): Promise<boolean> => {
    const [newest, cosigned] = [await folder.readCheckpoint(), await readConfirmed()]
    if (newest === undefined || cosigned === undefined) return false
    const [now, then] = [checkpointIn(newest), checkpointIn(cosigned)]
    if (now.status === undefined || then.status === undefined || !isSameHead(now.status, then.status))
      return false
    return Date.parse(now.time ?? '') - Date.parse(then.time ?? '') <= allowedMs
  }
  return async (wanted) => {
    const ids = new Set(wanted.transactionIds)
    if (!(await saysAsMuch()) || (await find([...ids])).size < ids.size) return undefined
    return await reading.proveRecords(wanted)
  }
}
