import type { Identity, operations } from '@millseal/contract'
import { didOf, encodeBase58 } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import { assertUsableCoinType } from '../cointypes/usable-coin-type.ts'
import type { KmDependencies } from '../dependencies.ts'
import { lockWallet } from '../wallets/wallets.store.ts'
import { toIdentityResponse } from './identity-response.ts'
import { insertIdentity, nextIndex } from './identities.store.ts'

type Dependencies = Pick<KmDependencies, 'database' | 'vault' | 'clock' | 'audit' | 'outbox'>

/** Indices of a branch follow each other without a gap: the wallet is held while one is assigned. */
export const createIdentity =
  (deps: Dependencies) =>
  async (call: Call<typeof operations.createIdentity>): Promise<Identity> => {
    const { body, companyId, mode, principal, client } = call
    await assertUsableCoinType(deps.database.query, body.coinType, '/coinType')
    const { coinType, account, change = 0 } = body
    return call.commit(async (tx) => {
      const wallet = await lockWallet(tx, { id: body.wallet, companyId, mode })
      if (wallet === undefined) throw new Problem('not_found', { details: ['/wallet does not exist'] })
      if (wallet.sealedRoot === undefined) throw new Problem('wallet_disabled')
      const branch = { walletId: wallet.id, coinType, account, change }
      const index = await nextIndex(tx, branch)
      const root = { walletId: wallet.id, mode, sealed: wallet.sealedRoot }
      const publicKey = await deps.vault.derive(root, { coinType, account, change, index })
      const now = deps.clock.now()
      const made = await insertIdentity(
        tx,
        {
          ...branch,
          id: uuidv7(now),
          companyId,
          mode,
          index,
          publicKey: encodeBase58(publicKey),
          did: didOf(publicKey),
        },
        new Date(now),
      )
      if (made === undefined) {
        throw new Problem('identity_exists', {
          details: ['Another wallet with the same mnemonic has this key already: use another account'],
        })
      }
      const identity = toIdentityResponse(made, [])
      await deps.audit.write(tx, {
        actor: principalName(principal),
        action: 'identities.create',
        subject: `identity:${made.id}`,
        companyId,
        ipAddress: client.ip,
        details: { mode, wallet: wallet.id, account, change, index, publicKey: made.publicKey },
      })
      await deps.outbox.write(tx, {
        resource: 'identities',
        action: 'create_one',
        owner: { kind: 'company', id: companyId },
        mode,
        payload: identity,
      })
      return identity
    })
  }
