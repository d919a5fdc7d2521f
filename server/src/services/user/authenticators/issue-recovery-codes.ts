import { limits } from '@millseal/contract'
import type { Secret } from '../../../lib/secret.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { hashPassword } from '../users/password.ts'
import type { UserDependencies } from '../dependencies.ts'
import { newRecoveryCode, normalizedRecoveryCode } from './recovery-code.ts'
import { putRecoveryCodes } from './recovery-codes.store.ts'

export type RecoveryCodes = {
  /** Only the answer of one call shows them. */
  readonly codes: readonly Secret[]
  readonly codeHashes: readonly string[]
}

/** Call it before the transaction: the hashes take time. */
export const makeRecoveryCodes = async (): Promise<RecoveryCodes> => {
  const codes = Array.from({ length: limits.recoveryCodes }, newRecoveryCode)
  const codeHashes = await Promise.all(codes.map((code) => hashPassword(normalizedRecoveryCode(code))))
  return { codes, codeHashes }
}

/** Replaces the previous set. */
export const issueRecoveryCodes = async (
  { clock }: UserDependencies,
  tx: Transaction,
  { userId, made: { codes, codeHashes } }: { readonly userId: string; readonly made: RecoveryCodes },
): Promise<string[]> => {
  await putRecoveryCodes(tx, { userId, codeHashes }, new Date(clock.now()))
  return codes.map((code) => code.reveal())
}
