import { type CoinTypeRecord, coinTypes, operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { type Binding, bindTo, type Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { KmDependencies } from '../dependencies.ts'
import { recordOperatorChange } from '../record-operator-change.ts'
import {
  countNodesOf,
  deleteCoinType,
  findCoinType,
  findCoinTypes,
  insertCoinType,
  lockCoinType,
  type StoredCoinType,
  saveCoinTypeStatus,
} from './cointypes.store.ts'
import { ledgerCoinType } from './usable-coin-type.ts'

export const coinTypeRoutes = (deps: KmDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.createCoinType, create),
    bind(operations.listCoinTypes, async ({ database }) => {
      const stored = await findCoinTypes(database.query)
      return stored.filter(({ status }) => status === 'active').map(({ bip44Id }) => bip44Id)
    }),
    bind(operations.readCoinType, async ({ database }, { params }) => {
      const stored = await findCoinType(database.query, params.coinType)
      if (stored === undefined) throw new Problem('not_found')
      return toResponse(stored)
    }),
    bind(operations.toggleCoinType, toggle),
    bind(operations.deleteCoinType, remove),
  ]
}

const create = async (
  deps: KmDependencies,
  call: Call<typeof operations.createCoinType>,
): Promise<CoinTypeRecord> => {
  const { bip44Id } = call.body
  if (bip44Id !== ledgerCoinType) {
    throw new Problem('coin_type_unsupported', {
      reasons: [because('must_be', { value: ledgerCoinType, place: '/bip44Id' })],
    })
  }
  return call.commit(async (tx) => {
    const now = deps.clock.now()
    const created = await insertCoinType(tx, { id: uuidv7(now), bip44Id }, new Date(now))
    if (created === undefined) throw new Problem('coin_type_exists')
    const subject = `cointype:${bip44Id}`
    await recordOperatorChange(deps, tx, { call, action: 'cointypes.create', subject, details: {} })
    return toResponse(created)
  })
}

const toggle = async (
  deps: KmDependencies,
  call: Call<typeof operations.toggleCoinType>,
): Promise<CoinTypeRecord> => {
  const bip44Id = call.params.coinType
  if (!(coinTypes as readonly number[]).includes(bip44Id)) throw new Problem('coin_type_unacceptable')
  return call.commit(async (tx) => {
    const stored = await lockCoinType(tx, bip44Id)
    if (stored === undefined) throw new Problem('not_found')
    const status = stored.status === 'active' ? 'inactive' : 'active'
    const updatedAt = new Date(deps.clock.now())
    await saveCoinTypeStatus(tx, bip44Id, { status, updatedAt })
    const subject = `cointype:${bip44Id}`
    await recordOperatorChange(deps, tx, { call, action: 'cointypes.toggle', subject, details: { status } })
    return toResponse({ ...stored, status, updatedAt })
  })
}

const remove = (deps: KmDependencies, call: Call<typeof operations.deleteCoinType>): Promise<number> => {
  const bip44Id = call.params.coinType
  return call.commit(async (tx) => {
    if ((await lockCoinType(tx, bip44Id)) === undefined) throw new Problem('not_found')
    if ((await countNodesOf(tx, bip44Id)) > 0) throw new Problem('coin_type_in_use')
    await deleteCoinType(tx, bip44Id)
    const subject = `cointype:${bip44Id}`
    await recordOperatorChange(deps, tx, { call, action: 'cointypes.delete', subject, details: {} })
    return bip44Id
  })
}

const toResponse = ({ createdAt, updatedAt, ...coinType }: StoredCoinType): CoinTypeRecord => ({
  ...coinType,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
