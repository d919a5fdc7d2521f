import type { Secret } from '../../../lib/secret.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { UserDependencies } from '../dependencies.ts'
import { hashPassword } from '../account/password.ts'
import { newRecoveryCode, normalizedRecoveryCode } from './recovery-code.ts'
import { putRecoveryCode } from './recovery-codes.store.ts'

/** Voids the one before. Only the hash stays; the code itself is for the answer of this call. */
export const issueRecoveryCode =
  ({ clock }: Pick<UserDependencies, 'clock'>) =>
  async (tx: Transaction, userId: string): Promise<Secret> => {
    const code = newRecoveryCode()
    const codeHash = await hashPassword(normalizedRecoveryCode(code))
    await putRecoveryCode(tx, { userId, codeHash }, new Date(clock.now()))
    return code
  }
