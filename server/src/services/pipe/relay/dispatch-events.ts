import { uuidv7 } from '../../../lib/uuid.ts'
import type { PipeRoomDependencies } from '../dependencies.ts'
import {
  endHooks,
  findListeners,
  findUndispatched,
  insertRecords,
  markDispatched,
  tryToHold,
} from './outbox.store.ts'

const batchSize = 500

/** Gives every hook that listens its record of an event, in one transaction with the mark that it was done. */
export const dispatchEvents =
  ({ database, clock }: Pick<PipeRoomDependencies, 'database' | 'clock'>, onRecords: () => void) =>
  async (): Promise<boolean> => {
    const { found, recorded } = await database.transaction(async (tx) => {
      if (!(await tryToHold(tx, 'dispatch'))) return { found: 0, recorded: 0 }
      const entries = await findUndispatched(tx, batchSize)
      if (entries.length === 0) return { found: 0, recorded: 0 }
      const nowMs = clock.now()
      const now = new Date(nowMs)
      const ids = entries.map(({ id }) => id)
      const matches = await findListeners(tx, ids)
      if (matches.length > 0) {
        await insertRecords(
          tx,
          matches.map((match) => ({ ...match, id: uuidv7(nowMs) })),
          now,
        )
      }
      const gone = entries.filter(
        ({ ownerKind, resource, action }) =>
          ownerKind === 'company' && resource === 'companies' && action === 'delete_one',
      )
      if (gone.length > 0)
        await endHooks(
          tx,
          gone.map(({ ownerId }) => ownerId),
          now,
        )
      await markDispatched(tx, ids, now)
      return { found: entries.length, recorded: matches.length }
    })
    if (recorded > 0) onRecords()
    return found === batchSize
  }
