import type { Identity, operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { didOf, encodeBase58 } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import { actorOf } from '../actor.ts'
import { assertUsableCoinType } from '../cointypes/usable-coin-type.ts'
import type { KmDependencies } from '../dependencies.ts'
import { lockWallet } from '../keys/wallets.store.ts'
import { toIdentityResponse } from './identity-response.ts'
import { insertIdentity, nextIndex } from '../keys/identities.store.ts'

/** Locks the wallet, so that the indices of a branch have no gaps. */
export const createIdentity = async (
  deps: KmDependencies,
  call: Call<typeof operations.createIdentity>,
): Promise<Identity> => {
  const { body, companyId, mode } = call
  await assertUsableCoinType(deps.database.query, body.coinType, '/coinType')
  const { coinType, account, change = 0, name } = body
  return call.commit(async (tx) => {
    const wallet = await lockWallet(tx, { id: body.wallet, companyId, mode })
    if (wallet === undefined) throw new Problem('not_found', { reasons: [because('wallet_unknown')] })
    const { id: walletId, encryptedRoot } = wallet
    if (encryptedRoot === null) throw new Problem('wallet_disabled')
    const branch = { walletId, coinType, account, change }
    const index = await nextIndex(tx, branch)
    const key = await deps.vault.derive({ walletId, mode, encrypted: encryptedRoot }, { ...branch, index })
    const publicKey = encodeBase58(key)
    const now = deps.clock.now()
    const identity = {
      ...branch,
      id: uuidv7(now),
      companyId,
      mode,
      index,
      publicKey,
      did: didOf(key),
      name: name?.trim() ?? null,
    }
    const created = await insertIdentity(tx, identity, new Date(now))
    if (created === undefined) {
      throw new Problem('identity_exists', {
        reasons: [because('key_in_other_wallet')],
      })
    }
    const payload = toIdentityResponse(created, [])
    await deps.audit.write(tx, {
      ...actorOf(call),
      action: 'identities.create',
      subject: `identity:${created.id}`,
      companyId,
      details: {
        mode,
        wallet: walletId,
        account,
        change,
        index,
        publicKey,
        name,
      },
    })
    const owner = { kind: 'company', id: companyId } as const
    await deps.outbox.write(tx, { resource: 'identities', action: 'create_one', owner, mode, payload })
    return payload
  })
}
