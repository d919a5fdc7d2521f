import { hash, verify } from '@node-rs/argon2'
import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'

/** argon2id with the minimum cost OWASP recommends: 19 MiB, two passes, one lane. Runs in the thread pool. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export const hashPassword = (password: Secret): Promise<string> => hash(password.reveal(), cost)

/** Takes the same time whether or not the user exists. */
export const isPasswordOf = async (
  user: { passwordHash: string } | undefined,
  password: Secret,
): Promise<boolean> => {
  const matches = await verify(user?.passwordHash ?? (await dummyHash()), password.reveal())
  return matches && user !== undefined
}

let dummy: Promise<string> | undefined
const dummyHash = (): Promise<string> => {
  dummy ??= hash('dummy', cost)
  return dummy
}

/** Rejects what an attacker who knows the user would try first. The contract checks the length. */
export const assertAcceptablePassword = (
  password: Secret,
  user: { username: string; email: string },
): void => {
  const plain = password.reveal().toLowerCase()
  const [local = ''] = user.email.toLowerCase().split('@')
  if ([user.username.toLowerCase(), user.email.toLowerCase(), local].includes(plain)) {
    throw new Problem('password_rejected', {
      details: ['/password must not be the username or the e-mail address'],
    })
  }
  if (new Set(plain).size < 4) {
    throw new Problem('password_rejected', {
      details: ['/password must have at least 4 different characters'],
    })
  }
}
