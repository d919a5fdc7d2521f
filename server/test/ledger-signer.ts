import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import {
  attachSignatures,
  buildCreate,
  buildTransfer,
  completeTransaction,
  encodeBase58,
  type LedgerObject,
  type SignedTransaction,
  type UnsignedTransaction,
  wantedSignatures,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'

/** The owner of a key, who signs records. */
export type LedgerSigner = {
  readonly publicKey: string
  create(data: LedgerObject, metadata?: LedgerObject): SignedTransaction
  /** Gives what it records to somebody else at once, who has signed nothing. */
  createFor(owner: string, data: LedgerObject): SignedTransaction
  transfer(origin: SignedTransaction, to: string): SignedTransaction
}

export const makeLedgerSigner = (): LedgerSigner => {
  const { privateKey, publicKey: key } = generateKeyPairSync('ed25519')
  const { x = '' } = key.export({ format: 'jwk' })
  const publicKey = encodeBase58(Buffer.from(x, 'base64url'))
  const signed = (transaction: UnsignedTransaction): SignedTransaction => {
    const signatures = wantedSignatures(transaction, nodePrimitives).map(({ message, ...wanted }) => ({
      ...wanted,
      signature: sign(null, message, privateKey),
    }))
    const complete = completeTransaction(
      attachSignatures(transaction, signatures, nodePrimitives),
      nodePrimitives,
    )
    if (complete === undefined) throw new Error('The transaction needs other signatures too')
    return complete
  }
  const create = (owner: string, asset: LedgerObject, metadata: LedgerObject | null): SignedTransaction =>
    signed(
      buildCreate(
        { issuers: [publicKey], asset, metadata, recipients: [{ publicKeys: [owner], amount: '1' }] },
        nodePrimitives,
      ),
    )
  return {
    publicKey,
    create: (data, metadata) => create(publicKey, data, metadata ?? null),
    createFor: (owner, data) => create(owner, data, null),
    transfer: (origin, to) =>
      signed(
        buildTransfer(
          {
            spends: [{ transaction: origin, outputIndex: 0 }],
            metadata: null,
            recipients: [{ publicKeys: [to], amount: '1' }],
          },
          nodePrimitives,
        ),
      ),
  }
}

/** The asset of a notarization, of a new certificate. */
export const certificateAsset = (): { jsonHash: string; pdfHash: string; schema: string } => ({
  jsonHash: randomBytes(32).toString('hex'),
  pdfHash: randomBytes(32).toString('hex'),
  schema: 'en10168-v1.0.0',
})
