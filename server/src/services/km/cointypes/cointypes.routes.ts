import { type CoinTypeRecord, coinTypes, operations } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { KmDependencies } from '../dependencies.ts'
import { countNodesOf } from '../nodes/nodes.store.ts'
import { recordOperatorChange } from '../record-operator-change.ts'
import {
  findCoinType,
  findCoinTypes,
  insertCoinType,
  lockCoinType,
  removeCoinType,
  type StoredCoinType,
  saveCoinTypeStatus,
} from './cointypes.store.ts'
import { ledgerCoinType } from './usable-coin-type.ts'

type Dependencies = Pick<KmDependencies, 'database' | 'clock' | 'audit'>

export const coinTypeRoutes = (deps: Dependencies): readonly Binding[] => [
  bind(operations.createCoinType, (call) => {
    const { bip44Id } = call.body
    if (bip44Id !== ledgerCoinType) {
      throw new Problem('coin_type_unsupported', { details: [`/bip44Id must be ${ledgerCoinType}`] })
    }
    return call.commit(async (tx) => {
      const now = deps.clock.now()
      const made = await insertCoinType(tx, { id: uuidv7(now), bip44Id }, new Date(now))
      if (made === undefined) throw new Problem('coin_type_exists')
      await recordOperatorChange(deps.audit, tx, {
        by: call,
        change: { action: 'cointypes.create', subject: `cointype:${bip44Id}`, details: {} },
      })
      return toResponse(made)
    })
  }),
  bind(operations.listCoinTypes, async () => {
    const stored = await findCoinTypes(deps.database.query)
    return stored.filter(({ status }) => status === 'active').map(({ bip44Id }) => bip44Id)
  }),
  bind(operations.readCoinType, async ({ params }) => {
    const stored = await findCoinType(deps.database.query, params.coinType)
    if (stored === undefined) throw new Problem('not_found')
    return toResponse(stored)
  }),
  bind(operations.toggleCoinType, (call) => {
    const bip44Id = call.params.coinType
    if (!(coinTypes as readonly number[]).includes(bip44Id)) throw new Problem('coin_type_unacceptable')
    return call.commit(async (tx) => {
      const stored = await lockCoinType(tx, bip44Id)
      if (stored === undefined) throw new Problem('not_found')
      const status = stored.status === 'active' ? 'inactive' : 'active'
      const updatedAt = new Date(deps.clock.now())
      await saveCoinTypeStatus(tx, { bip44Id, status }, updatedAt)
      await recordOperatorChange(deps.audit, tx, {
        by: call,
        change: { action: 'cointypes.toggle', subject: `cointype:${bip44Id}`, details: { status } },
      })
      return toResponse({ ...stored, status, updatedAt })
    })
  }),
  bind(operations.deleteCoinType, (call) => {
    const bip44Id = call.params.coinType
    return call.commit(async (tx) => {
      if ((await lockCoinType(tx, bip44Id)) === undefined) throw new Problem('not_found')
      if ((await countNodesOf(tx, bip44Id)) > 0) throw new Problem('coin_type_in_use')
      await removeCoinType(tx, bip44Id)
      await recordOperatorChange(deps.audit, tx, {
        by: call,
        change: { action: 'cointypes.delete', subject: `cointype:${bip44Id}`, details: {} },
      })
      return bip44Id
    })
  }),
]

const toResponse = ({ createdAt, updatedAt, ...coinType }: StoredCoinType): CoinTypeRecord => ({
  ...coinType,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
