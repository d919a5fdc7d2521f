import { type Static, Type } from 'typebox'
import { JsonObject, ModeValue, oneOf, output, Timestamp } from './common.ts'
import { BigChainTransaction } from './transactions.ts'

/** Everything an offline verification needs, except the certificate and a trust policy. */
export const ProofBundle = output('ProofBundleDto', {
  formatVersion: Type.Integer({ minimum: 1 }),
  mode: ModeValue,
  algorithm: oneOf(['sha256']),
  jsonHash: Type.String(),
  pdfHash: Type.Optional(Type.String()),
  timestamp: Timestamp,
  transaction: BigChainTransaction,
  identity: Type.Optional(
    output('ProofIdentityDto', {
      did: Type.String(),
      publicKey: Type.String(),
      company: Type.Optional(Type.String({ description: 'Only if the identity is public' })),
      transaction: Type.Optional(BigChainTransaction),
    }),
  ),
  tlogProof: Type.String({
    description: 'C2SP tlog-proof: index, inclusion path, checkpoint and cosignatures',
  }),
  anchors: Type.Array(
    output('ProofAnchorDto', { kind: Type.String(), checkpointHash: Type.String(), evidence: JsonObject }),
  ),
})
export type ProofBundle = Static<typeof ProofBundle>
