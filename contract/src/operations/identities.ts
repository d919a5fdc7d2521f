import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { byId, Id, idOf, KnownCoinType, oneOf } from '../shapes/common.ts'
import { RevokeIdentity } from '../shapes/corrections.ts'
import {
  CreateIdentity,
  DidDocument,
  Identity,
  PublicIdentity,
  PublishIdentity,
  UpdateIdentity,
} from '../shapes/identities.ts'
import { identityStates } from '../vocabulary.ts'

const identities = {
  service: 'km-service',
  variant: 'both',
  access: 'bearer',
  company: 'required',
  mode: 'query',
  liveGate: true,
} as const
const level = Type.Integer({ minimum: 0, maximum: limits.derivationIndex.max })

export const createIdentity = operation({
  ...identities,
  id: 'identities.create',
  method: 'POST',
  path: '/identities',
  summary: 'Create an identity',
  description:
    'An identity is a key pair derived from the wallet. The service assigns the next index of the account.',
  scope: [{ resource: 'identities', action: 'create_one' }],
  body: { kind: 'json', schema: CreateIdentity },
  answer: { kind: 'json', status: 201, schema: Identity },
  errors: ['coin_type_unsupported', 'not_found', 'wallet_disabled', 'identity_exists'],
})

export const listIdentities = operation({
  ...identities,
  id: 'identities.list',
  method: 'GET',
  path: '/identities',
  summary: 'List the identities of the company',
  description: `The first page has the newest identities; each page has the oldest of them first. The first page has the headers \`X-Total-Count\`, at most ${limits.countedEntries}, and \`X-Total-Count-Exact\`, which is false if there are more.`,
  scope: [{ resource: 'identities', action: 'read_many' }],
  query: Type.Object({
    coinType: Type.Optional(KnownCoinType),
    account: Type.Optional(level),
    index: Type.Optional(level),
    status: Type.Optional(oneOf(identityStates)),
    text: Type.Optional(
      Type.String({
        ...limits.searchText,
        description: 'Part of the name or of the DID. Case does not matter',
      }),
    ),
  }),
  answer: { kind: 'json', status: 200, schema: Type.Array(Identity) },
  list: true,
})

export const listPublicIdentities = operation({
  ...identities,
  variant: 'current',
  id: 'identities.list_public',
  method: 'GET',
  path: '/identities/public',
  summary: 'List the public identities of all companies',
  description:
    'The answer contains nothing about wallets. To get the identities of one company, use `company`.',
  scope: [{ resource: 'identities', action: 'read_many' }],
  query: Type.Object({ company: Type.Optional(idOf('Only the identities of this company')) }),
  answer: { kind: 'json', status: 200, schema: Type.Array(PublicIdentity) },
  list: true,
})

export const readPublicIdentity = operation({
  ...identities,
  variant: 'current',
  id: 'identities.read_public',
  method: 'GET',
  path: '/identities/public/{id}',
  summary: 'Read a public identity of any company',
  scope: [{ resource: 'identities', action: 'read_one' }],
  params: byId,
  answer: { kind: 'json', status: 200, schema: PublicIdentity },
})

export const readIdentity = operation({
  ...identities,
  id: 'identities.read',
  method: 'GET',
  path: '/identities/{id}',
  summary: 'Read an identity',
  scope: [{ resource: 'identities', action: 'read_one' }],
  params: byId,
  answer: { kind: 'json', status: 200, schema: Identity },
})

export const updateIdentity = operation({
  ...identities,
  variant: 'current',
  id: 'identities.update',
  method: 'PATCH',
  path: '/identities/{id}',
  summary: 'Name an identity',
  description: 'The name tells the identities of a company apart. It is published nowhere.',
  scope: [{ resource: 'identities', action: 'update_one' }],
  params: byId,
  body: { kind: 'json', schema: UpdateIdentity },
  answer: { kind: 'json', status: 200, schema: Identity },
  errors: ['id_mismatch'],
})

export const readDidDocument = operation({
  ...identities,
  id: 'identities.read_did',
  method: 'GET',
  path: '/identities/{id}/did',
  summary: 'Read the DID document of an identity',
  params: byId,
  answer: { kind: 'json', status: 200, schema: DidDocument },
})

export const notarizeIdentity = operation({
  ...identities,
  id: 'identities.notarize',
  method: 'POST',
  alsoMethods: ['PATCH'],
  path: '/identities/{identityId}/notarize',
  summary: 'Publish an identity, permanently',
  description:
    'Records the public key on the ledger. From then on, verifications name the company. If the company is verified, its review is recorded too. You cannot undo this. Calling it again changes nothing.',
  scope: [
    { resource: 'identities', action: 'update_one' },
    { resource: 'identities', action: 'notarize_one' },
    { resource: 'identities', action: 'create_one' },
  ],
  params: Type.Object({ identityId: Id }),
  body: { kind: 'json', schema: PublishIdentity, optional: true },
  answer: { kind: 'json', status: 200, schema: Identity },
  errors: ['identity_not_usable', 'wallet_disabled'],
  idempotency: 'repeatable',
})

export const revokeIdentity = operation({
  ...identities,
  variant: 'current',
  id: 'identities.revoke',
  method: 'POST',
  path: '/identities/{id}/revoke',
  summary: 'Revoke an identity, permanently',
  description:
    'For a lost or stolen key. It can no longer sign here, and the ledger says that certificates recorded from `since` on are not to be trusted; earlier ones stay valid. Signed with the key itself. Operators of the service call it without a company; then the operator key of the log signs. Calling it again changes nothing, unless the operator names an earlier time. To record a revocation that was signed elsewhere, for example with the recovery key, use `POST /transactions/send`: the entry on the ledger has the same effects.',
  orOperator: true,
  scope: [{ resource: 'identities', action: 'revoke_one' }],
  params: byId,
  body: { kind: 'json', schema: RevokeIdentity },
  answer: { kind: 'json', status: 200, schema: Identity },
  errors: ['identity_not_usable', 'transaction_invalid', 'role_missing'],
})
