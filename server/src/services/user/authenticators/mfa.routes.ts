import { operations } from '@millseal/contract'
import { type Binding, bindTo } from '../../../http/binding.ts'
import type { UserDependencies } from '../dependencies.ts'
import { toAuthenticator, unconfirmedAfter } from './authenticators.ts'
import { confirmTotp } from './confirm-totp.ts'
import { createTotp } from './create-totp.ts'
import { deleteTotp } from './delete-totp.ts'
import { findFactors, isConfirmed } from './factors.store.ts'
import { hasRecoveryCode } from './recovery-codes.store.ts'
import { regenerateRecoveryCode } from './regenerate-recovery-code.ts'

export const mfaRoutes = (deps: UserDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.readMfa, async ({ database, clock }, { principal }) => {
      const factors = await findFactors(database.query, principal.id, unconfirmedAfter(clock.now()))
      return {
        enabled: factors.some(isConfirmed),
        recoveryCode: await hasRecoveryCode(database.query, principal.id),
        authenticators: factors.map(toAuthenticator),
      }
    }),
    bind(operations.createTotp, createTotp),
    bind(operations.confirmTotp, confirmTotp),
    bind(operations.deleteTotp, deleteTotp),
    bind(operations.regenerateRecoveryCode, regenerateRecoveryCode),
  ]
}
