import type { MakeTransaction, Mode, operations, RawTransaction } from '@millseal/contract'
import {
  buildCreate,
  buildTransfer,
  type LedgerObject,
  type SignedTransaction,
  type UnsignedTransaction,
} from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { nodePrimitives } from '../../../lib/primitives.ts'
import { Problem } from '../../../lib/problem.ts'
import { assertUsableCoinType } from '../cointypes/usable-coin-type.ts'
import type { KmDependencies } from '../dependencies.ts'
import type { LedgerRouting } from '../ledgers/routing.ts'
import { toRaw } from './raw-transaction.ts'
import { refusing } from './sign-unsigned.ts'

type Dependencies = Pick<KmDependencies, 'database'> & { readonly routing: LedgerRouting }
type Options = NonNullable<MakeTransaction['bcdbOptions']>

const place = '/bcdbOptions'

/** Nothing is stored: what is answered belongs to the caller. */
export const buildTransaction =
  (deps: Dependencies) =>
  async ({ body, mode }: Call<typeof operations.buildTransaction>): Promise<RawTransaction> => {
    await assertUsableCoinType(deps.database.query, body.coinType, '/coinType')
    const options = body.bcdbOptions ?? missing(place)
    const built = await refusing(() =>
      options.operation === 'CREATE' ? create(options) : transfer(deps.routing, mode, options),
    )
    return toRaw(built)
  }

const create = ({ createOptions = missing(`${place}/createOptions`) }: Options): UnsignedTransaction =>
  buildCreate(
    {
      asset: createOptions.asset as LedgerObject,
      metadata: createOptions.metadata as LedgerObject | null,
      issuers: createOptions.issuers,
      recipients: createOptions.recipients,
    },
    nodePrimitives,
  )

const transfer = async (
  routing: LedgerRouting,
  mode: Mode,
  { transferOptions = missing(`${place}/transferOptions`) }: Options,
): Promise<UnsignedTransaction> => {
  const { unspentOutputs, metadata, recipients } = transferOptions
  const ids = [...new Set(unspentOutputs.map(({ txId }) => txId))]
  const ledger = await routing.active(mode)
  const found = new Map<string, SignedTransaction>()
  await Promise.all(
    ids.map(async (id) => {
      const entry = await ledger.find(id)
      if (entry !== undefined) found.set(id, entry.transaction)
    }),
  )
  const spends = unspentOutputs.map(({ txId, outputIndex }, at) => {
    const transaction = found.get(txId)
    const output = `${place}/transferOptions/unspentOutputs/${at}`
    if (transaction === undefined) throw invalid(`${output}/txId is not on the ledger`)
    if (transaction.outputs[outputIndex] === undefined)
      throw invalid(`${output}/outputIndex is not an output of it`)
    return { transaction, outputIndex }
  })
  return buildTransfer({ metadata: metadata as LedgerObject | null, recipients, spends }, nodePrimitives)
}

const missing = (at: string): never => {
  throw invalid(`${at} is required`)
}

const invalid = (detail: string): Problem => new Problem('transaction_invalid', { details: [detail] })
