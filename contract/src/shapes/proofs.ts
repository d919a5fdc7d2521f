import { type Static, Type } from 'typebox'
import { JsonObject, ModeValue, oneOf, output, Timestamp } from './common.ts'
import { BigChainTransaction } from './transactions.ts'

/** Everything a third party needs beside the certificate and a trust policy of its own; never the certificate itself. */
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
      company: Type.Optional(Type.String({ description: 'Only when the identity is public' })),
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
