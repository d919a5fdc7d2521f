import type { Secret } from '../../../lib/secret.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { openTotpSecret } from './authenticators.ts'
import { type StoredFactor, saveWrongCodes, useStep } from './factors.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { isPasswordOf } from '../account/password.ts'
import { normalizedRecoveryCode } from './recovery-code.ts'
import { deleteRecoveryCode, lockRecoveryCode, saveWrongRecoveryCodes } from './recovery-codes.store.ts'
import { notifyBy } from '../account/security-notice.ts'
import { stepOfCode } from './totp.ts'
import { isLocked, oneMore } from './wrong-codes.ts'

/** Told apart by the return value: the transaction that counts a wrong code must commit. */
export type Outcome = 'accepted' | 'wrong' | 'locked'

export type Trier = { readonly userId: string; readonly ipAddress?: string }

type Dependencies = Pick<UserDependencies, 'keystore' | 'clock' | 'audit' | 'jobs'>

/**
 * Which authenticator a code is of, nobody says: each that is not locked is asked, and a code that fits none counts
 * against each. The factors must have been locked in this transaction, or parallel guesses would not be counted.
 */
export const tryAuthenticatorCode =
  (deps: Dependencies) =>
  async (
    tx: Transaction,
    { by, factors, code }: { by: Trier; factors: readonly StoredFactor[]; code: string },
  ): Promise<Outcome> => {
    const now = new Date(deps.clock.now())
    const open = factors.filter((factor) => !isLocked(factor, now))
    if (open.length === 0) return 'locked'
    let isReplay = false
    for (const { id, sealedSecret } of open) {
      const step = stepOfCode(openTotpSecret(deps.keystore, { id, sealedSecret }), code, now.getTime())
      if (step === undefined) continue
      if (await useStep(tx, { id, step }, now)) return 'accepted'
      isReplay = true
    }
    if (isReplay) return 'wrong'
    const counted = open.map((factor) => ({ id: factor.id, wrong: oneMore(factor, now) }))
    for (const { id, wrong } of counted) await saveWrongCodes(tx, id, wrong)
    const locked = counted.filter(({ wrong }) => isLocked(wrong, now))
    await tellOfLocks(deps, tx, { by, subjects: locked.map(({ id }) => `authenticator:${id}`) })
    return 'wrong'
  }

/** A code that is right is used up with it. */
export const tryRecoveryCode =
  (deps: Dependencies) =>
  async (tx: Transaction, { by, code }: { by: Trier; code: Secret }): Promise<Outcome> => {
    const now = new Date(deps.clock.now())
    const stored = await lockRecoveryCode(tx, by.userId)
    if (stored === undefined) return 'wrong'
    if (isLocked(stored, now)) return 'locked'
    if (await isPasswordOf({ passwordHash: stored.codeHash }, normalizedRecoveryCode(code))) {
      await deleteRecoveryCode(tx, by.userId)
      await notifyBy(deps)(tx, { userId: by.userId, notice: 'recovery_code_used' })
      await deps.audit.write(tx, { ...entry(by), action: 'mfa.use_recovery_code' })
      return 'accepted'
    }
    const wrong = oneMore(stored, now)
    await saveWrongRecoveryCodes(tx, by.userId, wrong)
    const subjects = isLocked(wrong, now) ? [`recovery-code:${by.userId}`] : []
    await tellOfLocks(deps, tx, { by, subjects })
    return 'wrong'
  }

/** Whoever enters codes knows the password already, so the owner should hear of it. */
const tellOfLocks = async (
  deps: Dependencies,
  tx: Transaction,
  { by, subjects }: { by: Trier; subjects: readonly string[] },
): Promise<void> => {
  if (subjects.length === 0) return
  await notifyBy(deps)(tx, { userId: by.userId, notice: 'code_locked' })
  for (const subject of subjects) await deps.audit.write(tx, { ...entry(by), action: 'mfa.lock', subject })
}

const entry = ({ userId, ipAddress }: Trier) => ({
  actor: `user:${userId}`,
  subject: `user:${userId}`,
  ...(ipAddress === undefined ? {} : { ipAddress }),
})
