import type { Transaction } from '../../../ports/database/database.ts'
import type { Actor } from '../actor.ts'
import type { KmDependencies } from '../dependencies.ts'
import type { StoredIdentity } from '../keys/identities.store.ts'
import { toIdentityResponses } from '../identities/identity-response.ts'
import type { RevokedBy } from './revoked-by.ts'

type Revoked = {
  readonly identity: StoredIdentity
  readonly reason: string
  readonly by: RevokedBy
  readonly actor: Actor
}

/** Writes the audit entry and the events of the company. */
export const reportRevokedIdentity = async (
  { audit, outbox }: KmDependencies,
  tx: Transaction,
  { identity, reason, by, actor }: Revoked,
): Promise<void> => {
  const { companyId, mode, publicKey, revokedSince } = identity
  await audit.write(tx, {
    ...actor,
    action: 'identities.revoke',
    subject: `identity:${identity.id}`,
    companyId,
    details: { mode, publicKey, since: revokedSince, reason, by },
  })
  const [payload] = await toIdentityResponses(tx, [identity])
  if (payload === undefined) return
  for (const action of ['update_one', 'revoke_one'] as const) {
    const owner = { kind: 'company', id: companyId } as const
    await outbox.write(tx, { resource: 'identities', action, owner, mode, payload })
  }
}
