import { encodeBase58 } from '../encoding/base58.ts'
import type { Primitives } from '../primitives.ts'
import { buildCreate } from './build.ts'
import { attachSignatures, completeTransaction, wantedSignatures } from './sign.ts'
import type { LedgerObject, SignedTransaction } from './transaction.ts'

export type CreateSigner = {
  readonly publicKey: Uint8Array
  readonly sign: (message: Uint8Array) => Uint8Array
}

/** A CREATE that one key signs and owns, without metadata. The same asset gives the same transaction. */
export const signCreate = (
  asset: LedgerObject,
  { publicKey, sign }: CreateSigner,
  primitives: Primitives,
): SignedTransaction => {
  const owner = encodeBase58(publicKey)
  const unsigned = buildCreate(
    { issuers: [owner], asset, metadata: null, recipients: [{ publicKeys: [owner], amount: '1' }] },
    primitives,
  )
  const signatures = wantedSignatures(unsigned, primitives).map(({ message, ...wanted }) => ({
    ...wanted,
    signature: sign(message),
  }))
  const complete = completeTransaction(attachSignatures(unsigned, signatures, primitives), primitives)
  if (complete === undefined) throw new Error('The signed transaction is not complete')
  return complete
}
