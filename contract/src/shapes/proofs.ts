import { type Static, Type } from 'typebox'
import { JsonObject, output } from './common.ts'
import { BigChainTransaction } from './transactions.ts'

const Index = Type.Integer({ minimum: 0 })
const Path = Type.String({
  description: 'Base64 of the hashes of the inclusion proof, 32 bytes each, from the leaf up',
})
const Time = Type.Optional(
  Type.String({ description: 'When the log recorded it; absent in entries older than this format' }),
)

const ProofEntry = output('ProofEntryDto', {
  transaction: BigChainTransaction,
  time: Time,
  index: Index,
  path: Path,
})

/** Everything an offline verification needs, except the certificate and a trust policy: docs/bundle.md. */
export const ProofBundle = output('ProofBundleDto', {
  formatVersion: Type.Integer({ minimum: 2, maximum: 3 }),
  entry: output('ProofCertificateDto', { transaction: BigChainTransaction, time: Time }),
  proof: Type.String({ description: 'C2SP tlog-proof of `entry`, with the checkpoint' }),
  identity: Type.Optional(ProofEntry),
  review: Type.Optional(ProofEntry),
  status: Type.Array(
    output('ProofStatusDto', {
      subject: Type.String(),
      next: Type.String(),
      entries: Type.Array(Index),
      index: Index,
      path: Path,
    }),
    { description: 'Leaves of the status tree: of the certificate, then of the key of its signer' },
  ),
  corrections: Type.Array(ProofEntry, { description: 'The entries that `status` lists' }),
  state: Type.Optional(
    output(
      'ProofStateDto',
      { path: Path },
      { description: 'Format 3: of the state leaf, the last entry; absent if the log has none yet' },
    ),
  ),
  stamps: Type.Optional(
    Type.Array(JsonObject, { description: 'Format 3: what others say of the time of a checkpoint' }),
  ),
  countersignatures: Type.Optional(
    Type.Array(JsonObject, { description: 'Format 3: what other companies say of the certificate' }),
  ),
})
export type ProofBundle = Static<typeof ProofBundle>
