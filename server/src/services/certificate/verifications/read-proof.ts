import type { BigChainTransaction, operations, ProofBundle } from '@millseal/contract'
import type { SignedTransaction } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { recordedHashes } from './recorded-hashes.ts'

/** Everything a third party needs besides the certificate and a trust policy: no body, no name that is not public. */
export const readProof = async (
  { keys }: CertificateDependencies,
  { params, mode }: Call<typeof operations.readProof>,
): Promise<ProofBundle> => {
  const record = await keys.findRecord({ mode, hash: params.hash.toLowerCase() })
  if (record === undefined) throw new Problem('not_found')
  const { jsonHash, pdfHash } = recordedHashes(record)
  const evidence = await keys.prove({ mode, transactionId: record.transactionId })
  if (jsonHash === undefined || evidence === undefined) throw new Problem('not_found')
  const { issuerPublicKey: publicKey } = record
  const issuer = publicKey === undefined ? undefined : await keys.findPublicIdentity({ mode, publicKey })
  const transactionId = issuer?.transactionId
  const publication = transactionId && (await keys.findTransaction({ mode, transactionId }))
  return {
    formatVersion: 1,
    mode,
    algorithm: 'sha256',
    jsonHash,
    pdfHash,
    timestamp: record.timestamp.toISOString(),
    transaction: toRaw(record.transaction),
    identity: issuer && {
      did: issuer.did,
      publicKey: issuer.publicKey,
      company: issuer.company.name,
      transaction: publication ? toRaw(publication) : undefined,
    },
    tlogProof: evidence.tlogProof,
    anchors: [],
  }
}

/** The contract's type of a transaction is mutable; the content is the same. */
const toRaw = (transaction: SignedTransaction): BigChainTransaction =>
  transaction as unknown as BigChainTransaction
