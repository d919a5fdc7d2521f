import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { identityStates } from '../vocabulary.ts'
import {
  CoinTypeValue,
  DerivationIndex,
  Id,
  input,
  ModeValue,
  oneOf,
  output,
  repeatedId,
  stored,
  Timestamp,
} from './common.ts'
import { CompanyReference } from './people.ts'

const Change = Type.Integer({ minimum: 0, maximum: 1, default: 0 })
const Did = Type.String({ ...limits.did, description: 'did:key of the public key' })
const PublicKey = Type.String({ ...limits.publicKey, description: 'Ed25519, base58' })

const Name = Type.String({
  ...limits.identityName,
  pattern: '\\S',
  description: 'What your company calls it, for example the department; published nowhere',
  examples: ['Plate mill 2'],
})

export const CreateIdentity = input('CreateIdentityDto', {
  coinType: Type.Integer({
    minimum: 0,
    maximum: limits.coinType.max,
    description: 'Must be 822',
    examples: [822],
  }),
  account: Type.Integer({
    minimum: 0,
    maximum: limits.derivationIndex.max,
    description: 'The first level of the derivation, for example a department',
  }),
  change: Type.Optional(Change),
  wallet: Id,
  name: Type.Optional(Name),
})
export type CreateIdentity = Static<typeof CreateIdentity>

export const UpdateIdentity = input('UpdateIdentityDto', {
  ...repeatedId,
  name: Type.Union([Name, Type.Null()], { description: 'null takes the name away' }),
})
export type UpdateIdentity = Static<typeof UpdateIdentity>

export const PublishIdentity = input('PublishIdentityDto', {
  recoveryDid: Type.Optional(
    Type.String({
      ...limits.did,
      description:
        'did:key of another Ed25519 key, which may revoke this one. You cannot change it after the first publication',
    }),
  ),
})
export type PublishIdentity = Static<typeof PublishIdentity>

const RevokedSince = Type.Optional(
  Type.String({
    format: 'date-time',
    description: 'Certificates recorded from then on are not trusted; only if the key is revoked',
  }),
)

export const Identity = output('IdentityDto', {
  ...stored,
  coinType: CoinTypeValue,
  account: DerivationIndex,
  index: Type.Integer({ minimum: 0, description: 'Assigned by the service' }),
  change: Change,
  mode: ModeValue,
  did: Did,
  publicKey: PublicKey,
  name: Type.Optional(Type.String({ description: 'What the company calls it' })),
  status: oneOf(identityStates),
  revokedSince: RevokedSince,
  isPublic: Type.Boolean({ description: 'Never becomes false again' }),
  wallet: Id,
  transactions: Type.Array(Id, { description: 'The newest 100' }),
})
export type Identity = Static<typeof Identity>

export const PublicIdentity = output('PublicIdentityDto', {
  id: Id,
  coinType: CoinTypeValue,
  mode: ModeValue,
  did: Did,
  publicKey: PublicKey,
  status: oneOf(identityStates),
  revokedSince: RevokedSince,
  company: CompanyReference,
  notarizedAt: Timestamp,
  transactionId: Type.Optional(Type.String()),
})
export type PublicIdentity = Static<typeof PublicIdentity>

const DidFragments = Type.Array(Type.String())
const didKey = {
  id: Type.String(),
  controller: Type.String(),
  publicKeyBase58: Type.String(),
  publicKeyBase64: Type.Optional(Type.String()),
}

export const DidDocument = output('DidDocDto', {
  '@context': Type.Array(Type.String()),
  id: Did,
  publicKey: Type.Array(
    output('DidPublicKeyDto', { ...didKey, type: oneOf(['Ed25519VerificationKey2018']) }),
  ),
  authentication: DidFragments,
  assertionMethod: DidFragments,
  capabilityDelegation: DidFragments,
  capabilityInvocation: DidFragments,
  keyAgreement: Type.Array(
    output('DidKeyAgreementDto', { ...didKey, type: oneOf(['X25519KeyAgreementKey2019']) }),
  ),
})
export type DidDocument = Static<typeof DidDocument>
