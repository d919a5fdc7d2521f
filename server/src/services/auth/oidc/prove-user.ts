import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import type { UserService } from '../../user/index.ts'
import { type RecordDependencies, sealedRecords } from './sealed-records.ts'

export type ProvenUser = {
  readonly id: string
  /** When the password was checked, by our clock: a session begins no later, whatever else is asked for. */
  readonly atMs: number
  readonly methods: readonly string[]
}

export type Prover = {
  /** Nothing when a code is asked for next. */
  byPassword(
    signIn: string,
    given: { login: string; password: Secret; ip: string },
  ): Promise<ProvenUser | undefined>
  awaitsCode(signIn: string): Promise<boolean>
  byCode(signIn: string, given: { code: Secret; ip: string }): Promise<ProvenUser>
}

type Dependencies = RecordDependencies & {
  readonly users: Pick<UserService, 'checkPassword' | 'assertSecondFactor'>
}

const codeSeconds = 5 * 60

/** Password first, then the code: who gave the password is remembered for the code, the password itself is not. */
export const createProver = (deps: Dependencies): Prover => {
  const { users, clock } = deps
  const waiting = sealedRecords(deps, 'AwaitsCode')
  const find = async (signIn: string) =>
    (await waiting.find(signIn)) as { userId: string; atMs: number } | undefined
  return {
    async byPassword(signIn, { login, password, ip }) {
      const { id } = await users.checkPassword({ login, password })
      const atMs = clock.now()
      try {
        await users.assertSecondFactor({ userId: id, ipAddress: ip }, undefined)
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'mfa_code_required') throw error
        await waiting.save(signIn, { userId: id, atMs }, codeSeconds)
        return undefined
      }
      return { id, atMs, methods: ['pwd'] }
    },
    awaitsCode: async (signIn) => (await find(signIn)) !== undefined,
    async byCode(signIn, { code, ip }) {
      const found = await find(signIn)
      if (found === undefined) throw new Problem('link_invalid')
      await users.assertSecondFactor({ userId: found.userId, ipAddress: ip }, code)
      if (!(await waiting.remove(signIn))) throw new Problem('link_invalid')
      return { id: found.userId, atMs: found.atMs, methods: ['pwd', 'otp'] }
    },
  }
}
