import type { Acr } from '@millseal/contract'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Factor, FactorUse } from '../../user/index.ts'
import { lockSession, type StoredSession, updateSession } from './sessions.store.ts'

/** How the owner of a session proved who they are. It belongs to the session, whatever the account has. */
export type Strength = Pick<StoredSession, 'amr' | 'factorAt'>

/** Values of RFC 8176, and two of our own: a recovery code, and an external issuer that vouches for the person. */
const methodOf: Readonly<Record<Factor, string>> = { otp: 'otp', recovery: 'recovery', passkey: 'pop' }

/** RFC 8176: several factors were used. */
const several = 'mfa'

export const byFirstFactor = (method: 'pwd' | 'issuer'): Strength => ({ amr: [method], factorAt: null })

export const withFactor = ({ amr, factorAt }: Strength, factor: Factor | undefined, at: Date): Strength =>
  factor === undefined
    ? { amr, factorAt }
    : {
        amr: [...new Set([...amr.filter((one) => one !== several), methodOf[factor], several])],
        factorAt: at,
      }

/** A passkey that checked a finger, a face or a PIN: what the person has, and what they are or know. */
export const byPasskeyAlone = (at: Date): Strength => ({
  amr: [methodOf.passkey, 'user', several],
  factorAt: at,
})

/** Authentication methods as an issuer names them. */
export const byMethods = (amr: readonly string[], at: Date | undefined): Strength => ({
  amr: [...amr],
  factorAt: amr.includes(several) ? (at ?? null) : null,
})

export const acrOf = ({ amr }: Strength): Acr => (amr.includes(several) ? '2fa' : '1fa')

/** The factor that a session just added makes it stronger; the removal of the last one makes it weaker. */
export const recordFactor = async (tx: Transaction, { sessionId, factor, at }: FactorUse): Promise<void> => {
  const session = await lockSession(tx, sessionId, at)
  if (session === undefined) return
  const { amr, factorAt } =
    factor === undefined
      ? { amr: session.amr.filter((one) => one !== several), factorAt: null }
      : withFactor(session, factor, at)
  await updateSession(tx, sessionId, { amr, factorAt })
}
