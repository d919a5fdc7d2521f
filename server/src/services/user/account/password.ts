import { hash, verify } from '@node-rs/argon2'
import type { Secret } from '../../../lib/secret.ts'
import { Problem } from '../../../lib/problem.ts'

/** argon2id as OWASP asks at least: 19 MiB, two passes, one lane. Runs on the thread pool. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export const hashPassword = (password: Secret): Promise<string> => hash(password.reveal(), cost)

/** Compares in the same time whether or not there is such a user. */
export const isPasswordOf = async (
  user: { passwordHash: string } | undefined,
  password: Secret,
): Promise<boolean> => {
  const matches = await verify(user?.passwordHash ?? (await nobodysHash()), password.reveal())
  return matches && user !== undefined
}

let nobody: Promise<string> | undefined
const nobodysHash = (): Promise<string> => {
  nobody ??= hash('nobody', cost)
  return nobody
}

/** Length is the contract's business; here is what a dictionary made for this user would try first. */
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
