import type { BigChainTransaction, operations, ProofBundle } from '@millseal/contract'
import type { SignedTransaction } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { recordedHashes } from './recorded-hashes.ts'

/** Everything a third party needs beside the certificate and a policy of its own; no body, no name that is not public. */
export const readProof =
  ({ keys }: CertificateDependencies) =>
  async ({ params, mode }: Call<typeof operations.readProof>): Promise<ProofBundle> => {
    const record = await keys.findRecord({ mode, hash: params.hash.toLowerCase() })
    const { jsonHash, pdfHash } = record === undefined ? {} : recordedHashes(record)
    const evidence =
      record === undefined ? undefined : await keys.prove({ mode, transactionId: record.transactionId })
    if (record === undefined || jsonHash === undefined || evidence === undefined) {
      throw new Problem('not_found')
    }
    const { issuerPublicKey: publicKey } = record
    const issuer = publicKey === undefined ? undefined : await keys.findPublicIdentity({ mode, publicKey })
    const publication =
      issuer?.transactionId === undefined
        ? undefined
        : await keys.findTransaction({ mode, transactionId: issuer.transactionId })
    return {
      formatVersion: 1,
      mode,
      algorithm: 'sha256',
      jsonHash,
      ...(pdfHash === undefined ? {} : { pdfHash }),
      timestamp: record.timestamp.toISOString(),
      transaction: toRaw(record.transaction),
      ...(issuer === undefined
        ? {}
        : {
            identity: {
              did: issuer.did,
              publicKey: issuer.publicKey,
              company: issuer.company.name,
              ...(publication === undefined ? {} : { transaction: toRaw(publication) }),
            },
          }),
      tlogProof: evidence.tlogProof,
      anchors: [],
    }
  }

/** Readonly here, but the same letters. */
const toRaw = (transaction: SignedTransaction): BigChainTransaction =>
  transaction as unknown as BigChainTransaction
