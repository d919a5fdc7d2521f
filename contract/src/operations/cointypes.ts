import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { CoinTypeValue } from '../shapes/common.ts'
import { CoinTypeRecord, CreateCoinType } from '../shapes/networks.ts'

const coinTypes = { service: 'km-service', variant: 'both' } as const
const byCoinType = Type.Object({ coinType: CoinTypeValue })

export const createCoinType = operation({
  ...coinTypes,
  id: 'cointypes.create',
  method: 'POST',
  path: '/cointypes',
  summary: 'Add a coin type',
  access: 'user',
  scope: [{ resource: 'cointypes', action: 'create_one' }],
  admin: true,
  body: { kind: 'json', schema: CreateCoinType },
  answer: { kind: 'json', status: 201, schema: CoinTypeRecord },
  errors: ['coin_type_unsupported', 'coin_type_exists'],
})

export const listCoinTypes = operation({
  ...coinTypes,
  id: 'cointypes.list',
  method: 'GET',
  path: '/cointypes',
  summary: 'List the supported coin types',
  description: 'The answer is a list of BIP-44 numbers.',
  access: 'bearer',
  scope: [{ resource: 'cointypes', action: 'read_many' }],
  answer: { kind: 'json', status: 200, schema: Type.Array(Type.Integer()) },
})

export const readCoinType = operation({
  ...coinTypes,
  id: 'cointypes.read',
  method: 'GET',
  path: '/cointypes/{coinType}',
  summary: 'Read a coin type',
  access: 'bearer',
  scope: [{ resource: 'cointypes', action: 'read_one' }],
  params: byCoinType,
  answer: { kind: 'json', status: 200, schema: CoinTypeRecord },
})

export const toggleCoinType = operation({
  ...coinTypes,
  id: 'cointypes.toggle',
  method: 'PATCH',
  path: '/cointypes/{coinType}',
  summary: 'Enable or disable a coin type',
  description: 'While a coin type is disabled, nothing can be created, signed or sent with it.',
  access: 'user',
  scope: [{ resource: 'cointypes', action: 'update_one' }],
  admin: true,
  params: byCoinType,
  answer: { kind: 'json', status: 200, schema: CoinTypeRecord },
  errors: ['coin_type_unacceptable'],
})

export const deleteCoinType = operation({
  ...coinTypes,
  id: 'cointypes.delete',
  method: 'DELETE',
  path: '/cointypes/{coinType}',
  summary: 'Remove a coin type',
  description: 'Returns its number.',
  access: 'user',
  scope: [{ resource: 'cointypes', action: 'delete_one' }],
  admin: true,
  params: byCoinType,
  answer: { kind: 'json', status: 200, schema: Type.Integer() },
  errors: ['coin_type_in_use'],
})
