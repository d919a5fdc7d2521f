import type { Secret } from '../../../lib/secret.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { isPasswordOf } from '../users/password.ts'
import { notify } from '../mailing/security-notice.ts'
import type { UserDependencies } from '../dependencies.ts'
import { decryptTotpSecret } from './authenticators.ts'
import { type StoredFactor, saveWrongCodes, useStep } from './factors.store.ts'
import { normalizedRecoveryCode } from './recovery-code.ts'
import { lockRecoveryCodes, saveWrongRecoveryCodes, useRecoveryCode } from './recovery-codes.store.ts'
import { isTotpCode, stepOfCode } from './totp.ts'
import { countWrongCode, isLocked } from './wrong-codes.ts'

/** Returned, not thrown: the transaction that counts a wrong code must commit. */
export type Outcome = 'accepted' | 'wrong' | 'locked'

export type CodeUser = { readonly userId: string; readonly ipAddress?: string }

/** Digits are of an authenticator, anything else is a recovery code. */
export const tryCode = (
  deps: UserDependencies,
  tx: Transaction,
  { by, factors, code }: { by: CodeUser; factors: readonly StoredFactor[]; code: Secret },
): Promise<Outcome> => {
  const digits = digitsOf(code)
  return digits === undefined
    ? tryRecoveryCode(deps, tx, { by, code })
    : tryAuthenticatorCode(deps, tx, { by, factors, code: digits })
}

/** Undefined if it is not the code of an authenticator. */
export const digitsOf = (code: Secret): string | undefined => {
  const digits = code.reveal().replaceAll(/\s/g, '')
  return isTotpCode(digits) ? digits : undefined
}

/**
 * A code does not say which authenticator it is from: it is tried with each one that is not locked, and a code that
 * matches none counts against each. The caller must have locked `factors` in this transaction, or concurrent guesses
 * would not be counted.
 */
export const tryAuthenticatorCode = async (
  deps: UserDependencies,
  tx: Transaction,
  { by, factors, code }: { by: CodeUser; factors: readonly StoredFactor[]; code: string },
): Promise<Outcome> => {
  const now = new Date(deps.clock.now())
  if (factors.length === 0) return 'wrong'
  const open = factors.filter((factor) => !isLocked(factor, now))
  if (open.length === 0) return 'locked'
  let isReplay = false
  for (const factor of open) {
    const step = stepOfCode(decryptTotpSecret(deps.keystore, factor), code, now.getTime())
    if (step === undefined) continue
    if (await useStep(tx, { id: factor.id, step }, now)) return 'accepted'
    isReplay = true
  }
  if (isReplay) return 'wrong'
  const counted = open.map((factor) => ({ id: factor.id, wrong: countWrongCode(factor, now) }))
  for (const { id, wrong } of counted) await saveWrongCodes(tx, id, wrong)
  const locked = counted.filter(({ wrong }) => isLocked(wrong, now))
  await recordLocks(deps, tx, { by, subjects: locked.map(({ id }) => `authenticator:${id}`) })
  return 'wrong'
}

/** Uses the code up if it is right. A repetition of a used one is no guess, so it is refused and not counted. */
const tryRecoveryCode = async (
  deps: UserDependencies,
  tx: Transaction,
  { by, code }: { by: CodeUser; code: Secret },
): Promise<Outcome> => {
  const now = new Date(deps.clock.now())
  const { userId } = by
  const stored = await lockRecoveryCodes(tx, userId)
  if (stored === undefined) return 'wrong'
  if (isLocked(stored, now)) return 'locked'
  const given = normalizedRecoveryCode(code)
  const codeHash = await findHash(stored.codeHashes, given)
  if (codeHash !== undefined) {
    await useRecoveryCode(tx, { userId, codeHash })
    await notify(deps, tx, { userId, notice: 'recovery_code_used' })
    const left = stored.codeHashes.length - 1
    await deps.audit.write(tx, { ...auditOf(by), action: 'mfa.use_recovery_code', details: { left } })
    return 'accepted'
  }
  if ((await findHash(stored.usedHashes, given)) !== undefined) return 'wrong'
  const wrong = countWrongCode(stored, now)
  await saveWrongRecoveryCodes(tx, by.userId, wrong)
  const subjects = isLocked(wrong, now) ? [`recovery-code:${by.userId}`] : []
  await recordLocks(deps, tx, { by, subjects })
  return 'wrong'
}

const findHash = async (hashes: readonly string[], code: Secret): Promise<string | undefined> => {
  const matches = await Promise.all(hashes.map((passwordHash) => isPasswordOf({ passwordHash }, code)))
  return hashes[matches.indexOf(true)]
}

/** Warns the user: codes are only asked for after the right password. */
const recordLocks = async (
  deps: UserDependencies,
  tx: Transaction,
  { by, subjects }: { by: CodeUser; subjects: readonly string[] },
): Promise<void> => {
  if (subjects.length === 0) return
  await notify(deps, tx, { userId: by.userId, notice: 'code_locked' })
  for (const subject of subjects) await deps.audit.write(tx, { ...auditOf(by), action: 'mfa.lock', subject })
}

const auditOf = ({ userId, ipAddress }: CodeUser) => ({
  actor: `user:${userId}`,
  subject: `user:${userId}`,
  ipAddress,
})
