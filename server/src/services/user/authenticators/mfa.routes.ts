import { operations } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import { toAuthenticator, unconfirmedAfter } from './authenticators.ts'
import { confirmTotp } from './confirm-totp.ts'
import { createTotp } from './create-totp.ts'
import { deleteTotp } from './delete-totp.ts'
import { findFactors } from './factors.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { hasRecoveryCode } from './recovery-codes.store.ts'
import { regenerateRecoveryCode } from './regenerate-recovery-code.ts'

export const mfaRoutes = (deps: UserDependencies): readonly Binding[] => [
  bind(operations.readMfa, async ({ principal }) => {
    const factors = await findFactors(deps.database.query, principal.id, unconfirmedAfter(deps.clock.now()))
    return {
      enabled: factors.some(({ confirmed }) => confirmed),
      recoveryCode: await hasRecoveryCode(deps.database.query, principal.id),
      authenticators: factors.map(toAuthenticator),
    }
  }),
  bind(operations.createTotp, createTotp(deps)),
  bind(operations.confirmTotp, confirmTotp(deps)),
  bind(operations.deleteTotp, deleteTotp(deps)),
  bind(operations.regenerateRecoveryCode, regenerateRecoveryCode(deps)),
]
