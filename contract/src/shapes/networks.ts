import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { activity } from '../vocabulary.ts'
import {
  CoinTypeValue,
  input,
  ModeValue,
  oneOf,
  output,
  Reasons,
  repeatedId,
  stored,
  Timestamp,
} from './common.ts'

export const CreateCoinType = input('CreateCoinTypeDto', { bip44Id: CoinTypeValue })

export const CoinTypeRecord = output('CoinTypeDto', {
  ...stored,
  bip44Id: CoinTypeValue,
  status: oneOf(activity),
})
export type CoinTypeRecord = Static<typeof CoinTypeRecord>

const Name = Type.String(limits.nodeName)
const ConnectionUrl = Type.String({
  minLength: 1,
  maxLength: limits.url.maxLength,
  description: '"embedded", or the URL of a BigchainDB-compatible network',
})

export const CreateNode = input('CreateNodeDto', {
  name: Name,
  coinType: CoinTypeValue,
  connectionUrl: ConnectionUrl,
})
export type CreateNode = Static<typeof CreateNode>

export const UpdateNode = input('UpdateNodeDto', {
  ...repeatedId,
  name: Type.Optional(Name),
  connectionUrl: Type.Optional(ConnectionUrl),
  status: Type.Optional(oneOf(activity)),
})
export type UpdateNode = Static<typeof UpdateNode>

export const LedgerNode = output('NodeDto', {
  ...stored,
  name: Name,
  coinType: CoinTypeValue,
  connectionUrl: ConnectionUrl,
  status: oneOf(activity),
  mode: ModeValue,
  health: Type.Optional(
    output('NodeHealthDto', {
      reachable: Type.Boolean(),
      checkedAt: Timestamp,
      error: Type.Optional(Type.String()),
      reasons: Reasons,
    }),
  ),
})
export type LedgerNode = Static<typeof LedgerNode>
