import { generateKeyPairSync, sign } from 'node:crypto'
import { portablePrimitives, verifyTransaction } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { certificateAsset, makeLedgerSigner } from '../../../server/test/ledger-signer.ts'
import { alternate, costOf } from '../rounds.ts'
import type { Bench } from '../row.ts'

/** The transaction of a notarization, verified by OpenSSL and by the code that runs in a browser; one thread. */
export const measure = async ({ report }: Bench): Promise<void> => {
  const transaction = makeLedgerSigner().create(certificateAsset())
  const { publicKey: key, privateKey } = generateKeyPairSync('ed25519')
  const message = Buffer.alloc(32, 1)
  const publicKey = Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url')
  const check = { publicKey, message, signature: sign(null, message, privateKey) }
  const cost = (times: number, act: () => unknown) =>
    costOf(times, () => {
      if (act() === false) throw new Error('The signature is not valid')
    })
  const { medians, ratios } = await alternate({
    signature: () => cost(1_000, () => nodePrimitives.verifyEd25519(check)),
    portable: () => cost(100, () => portablePrimitives.verifyEd25519(check)),
    whole: () => cost(1_000, () => verifyTransaction(transaction, nodePrimitives)),
    portableWhole: () => cost(100, () => verifyTransaction(transaction, portablePrimitives)),
  })
  report.cpu('verify a transaction, OpenSSL', medians.whole, 'µs')
  report.cpu('verify a transaction, as in a browser', medians.portableWhole, 'µs')
  const toSignature = ratios(({ whole, signature }) => whole.cpuMicroseconds / signature.cpuMicroseconds)
  report.ratio('whole transaction : its signature alone, OpenSSL', toSignature)
  const toOpenSsl = ratios(({ portable, signature }) => portable.cpuMicroseconds / signature.cpuMicroseconds)
  report.ratio('signature, portable : OpenSSL', toOpenSsl)
}
