import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import type { Factor } from '../../user/index.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { byFirstFactor, byPasskeyAlone, type Strength, withFactor } from '../sessions/strength.ts'
import { encryptedRecords } from './encrypted-records.ts'

export type ProvenUser = {
  readonly id: string
  /** When the password was checked. The session counts from then, even if a code is entered later. */
  readonly atMs: number
  readonly strength: Strength
}

const proven = (id: string, atMs: number, factor?: Factor): ProvenUser => ({
  id,
  atMs,
  strength: withFactor(byFirstFactor('pwd'), factor, new Date(atMs)),
})

const codeSeconds = 5 * 60

/** Users whose password was correct and whose code is still missing. The password itself is not stored. */
const awaiting = (deps: AuthDependencies) => encryptedRecords(deps, 'AwaitsCode')

const findAwaited = async (deps: AuthDependencies, signIn: string) =>
  (await awaiting(deps).find(signIn)) as { readonly userId: string; readonly atMs: number } | undefined

/** Undefined if a code is needed next. */
export const proveByPassword = async (
  deps: AuthDependencies,
  signIn: string,
  { login, password, ip }: { login: string; password: Secret; ip: string },
): Promise<ProvenUser | undefined> => {
  const { users, clock } = deps
  const { id } = await users.checkPassword({ login, password, ipAddress: ip })
  const atMs = clock.now()
  try {
    await users.assertSecondFactor({ userId: id, ipAddress: ip }, undefined)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'mfa_code_required') throw error
    await awaiting(deps).save(signIn, { userId: id, atMs }, codeSeconds)
    return undefined
  }
  return proven(id, atMs)
}

export const awaitsCode = async (deps: AuthDependencies, signIn: string): Promise<boolean> =>
  (await findAwaited(deps, signIn)) !== undefined

export const proveByCode = async (
  deps: AuthDependencies,
  signIn: string,
  { code, ip }: { code: Secret; ip: string },
): Promise<ProvenUser> => {
  const found = await findAwaited(deps, signIn)
  if (found === undefined) throw new Problem('link_invalid')
  const factor = await deps.users.assertSecondFactor({ userId: found.userId, ipAddress: ip }, code)
  if (!(await awaiting(deps).delete(signIn))) throw new Problem('link_invalid')
  return proven(found.userId, found.atMs, factor)
}

/** What the page of this sign-in asks a passkey with: any passkey, or after the password one of this person. */
export const passkeyRequestOf = async (
  deps: AuthDependencies,
  signIn: string,
): Promise<string | undefined> => {
  const awaited = await findAwaited(deps, signIn)
  return deps.users.passkeyRequest({ boundTo: signIn, userId: awaited?.userId })
}

export const proveByPasskey = async (
  deps: AuthDependencies,
  signIn: string,
  { response, ip }: { response: string; ip: string },
): Promise<ProvenUser> => {
  const { users, clock } = deps
  const awaited = await findAwaited(deps, signIn)
  const userId = awaited && { userId: awaited.userId }
  const { id } = await users.checkPasskey({ boundTo: signIn, ...userId, response, ipAddress: ip })
  if (awaited === undefined) return { id, atMs: clock.now(), strength: byPasskeyAlone(new Date(clock.now())) }
  if (!(await awaiting(deps).delete(signIn))) throw new Problem('link_invalid')
  return proven(id, awaited.atMs, 'passkey')
}
