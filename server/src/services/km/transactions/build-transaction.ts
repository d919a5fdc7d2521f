import type { MakeTransaction, operations, RawTransaction } from '@millseal/contract'
import { because, type Reason } from '@millseal/contract/reasons'
import { buildCreate, buildTransfer, type LedgerObject, type UnsignedTransaction } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { nodePrimitives } from '@millseal/proof/node'
import { Problem } from '../../../lib/problem.ts'
import type { Ledger } from '../../../ports/ledger/ledger.ts'
import { assertUsableCoinType } from '../cointypes/usable-coin-type.ts'
import type { KmDependencies } from '../dependencies.ts'
import { rejectInvalid } from './add-signatures.ts'
import { toRaw } from './raw-transaction.ts'

type Options = NonNullable<MakeTransaction['bcdbOptions']>

const place = '/bcdbOptions'

/** Stores nothing. */
export const buildTransaction = async (
  { database, routing }: KmDependencies,
  { body, mode }: Call<typeof operations.buildTransaction>,
): Promise<RawTransaction> => {
  await assertUsableCoinType(database.query, body.coinType, '/coinType')
  const options = body.bcdbOptions ?? missing(place)
  const unsigned = await rejectInvalid(async () =>
    options.operation === 'CREATE' ? create(options) : transfer(() => routing.active(mode), options),
  )
  return toRaw(unsigned)
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
  activeLedger: () => Promise<Ledger>,
  { transferOptions = missing(`${place}/transferOptions`) }: Options,
): Promise<UnsignedTransaction> => {
  const { unspentOutputs, metadata, recipients } = transferOptions
  const ledger = await activeLedger()
  const ids = [...new Set(unspentOutputs.map(({ txId }) => txId))]
  const found = new Map(await Promise.all(ids.map(async (id) => [id, await ledger.find(id)] as const)))
  const spends = unspentOutputs.map(({ txId, outputIndex }, at) => {
    const transaction = found.get(txId)?.transaction
    const output = `${place}/transferOptions/unspentOutputs/${at}`
    if (transaction === undefined) throw invalid(because('not_on_ledger', { place: `${output}/txId` }))
    if (transaction.outputs[outputIndex] === undefined)
      throw invalid(because('not_an_output', { place: `${output}/outputIndex` }))
    return { transaction, outputIndex }
  })
  return buildTransfer({ metadata: metadata as LedgerObject | null, recipients, spends }, nodePrimitives)
}

const missing = (at: string): never => {
  throw invalid(because('is_required', { place: at }))
}

const invalid = (reason: Reason): Problem => new Problem('transaction_invalid', { reasons: [reason] })
