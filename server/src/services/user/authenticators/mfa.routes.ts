import { type Mfa, operations } from '@millseal/contract'
import { type Binding, bindTo } from '../../../http/binding.ts'
import type { UserDependencies } from '../dependencies.ts'
import { toAuthenticator, unconfirmedAfter } from './authenticators.ts'
import { confirmTotp } from './confirm-totp.ts'
import { createTotp } from './create-totp.ts'
import { deleteTotp } from './delete-totp.ts'
import { findFactors } from './factors.store.ts'
import { findPasskeysOf, type StoredPasskey } from './passkeys.store.ts'
import { countRecoveryCodes } from './recovery-codes.store.ts'
import { regenerateRecoveryCodes } from './regenerate-recovery-codes.ts'

export const mfaRoutes = (deps: UserDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.readMfa, async ({ database, clock }, { principal }) => {
      const factors = await findFactors(database.query, principal.id, unconfirmedAfter(clock.now()))
      return {
        enabled: principal.hasMfa,
        acr: principal.acr,
        recoveryCodes: await countRecoveryCodes(database.query, principal.id),
        authenticators: factors.map(toAuthenticator),
        passkeys: (await findPasskeysOf(database.query, principal.id)).map(toPasskey),
      }
    }),
    bind(operations.createTotp, createTotp),
    bind(operations.confirmTotp, confirmTotp),
    bind(operations.deleteTotp, deleteTotp),
    bind(operations.regenerateRecoveryCodes, regenerateRecoveryCodes),
  ]
}

const toPasskey = ({
  id,
  name,
  backedUp,
  createdAt,
  lastUsedAt,
}: StoredPasskey): Mfa['passkeys'][number] => ({
  id,
  name,
  backedUp,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString(),
})
