import { uuidv7 } from '../../../lib/uuid.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { endMailHooks } from '../mailhooks/mailhooks.store.ts'
import { orderMails } from '../mails/orders.store.ts'
import {
  endHooks,
  findListeners,
  findUndispatched,
  insertRecords,
  markDispatched,
  tryToHold,
} from './outbox.store.ts'

const batchSize = 500

/** Gives every hook that listens its record of an event, and orders the mails of mail hooks, in one transaction with the mark that it was done. */
export const dispatchEvents =
  (
    { database, clock }: Pick<PipeDependencies, 'database' | 'clock'>,
    { onRecords, onOrders }: { readonly onRecords: () => void; readonly onOrders: () => void },
  ) =>
  async (): Promise<boolean> => {
    const { found, recorded, ordered } = await database.transaction(async (tx) => {
      if (!(await tryToHold(tx, 'dispatch'))) return nothing
      const entries = await findUndispatched(tx, batchSize)
      if (entries.length === 0) return nothing
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
      const orders = await orderMails(tx, ids)
      const gone = entries.filter(
        ({ ownerKind, resource, action }) =>
          ownerKind === 'company' && resource === 'companies' && action === 'delete_one',
      )
      if (gone.length > 0) {
        const companyIds = gone.map(({ ownerId }) => ownerId)
        await endHooks(tx, companyIds, now)
        await endMailHooks(tx, companyIds, now)
      }
      await markDispatched(tx, ids, now)
      return { found: entries.length, recorded: matches.length, ordered: orders }
    })
    if (recorded > 0) onRecords()
    if (ordered > 0) onOrders()
    return found === batchSize
  }

const nothing = { found: 0, recorded: 0, ordered: 0 }
