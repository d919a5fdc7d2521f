import type { Secret } from '../../../lib/secret.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { hashPassword } from '../account/password.ts'
import type { UserDependencies } from '../dependencies.ts'
import { newRecoveryCode, normalizedRecoveryCode } from './recovery-code.ts'
import { putRecoveryCode } from './recovery-codes.store.ts'

/** Replaces the previous code. Only the hash is stored: the answer of this call alone shows the code. */
export const issueRecoveryCode = async (
  { clock }: UserDependencies,
  tx: Transaction,
  userId: string,
): Promise<Secret> => {
  const code = newRecoveryCode()
  const codeHash = await hashPassword(normalizedRecoveryCode(code))
  await putRecoveryCode(tx, { userId, codeHash }, new Date(clock.now()))
  return code
}
