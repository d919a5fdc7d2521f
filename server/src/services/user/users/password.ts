import { hash, verify } from '@node-rs/argon2'
import { atPlace, because, type Reason } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import { isCommon, isMostlyContext, type Owner } from './guessable-password.ts'

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

/** Rejects what an attacker would try first, also one who knows the user. The contract checks the length. */
export const assertAcceptablePassword = async (password: Secret, owner: Owner): Promise<void> => {
  const fault = await faultOf(password.reveal(), owner)
  if (fault !== undefined) throw new Problem('password_rejected', { reasons: [atPlace('/password', fault)] })
}

const leastCharacters = 4

const faultOf = async (password: string, owner: Owner): Promise<Reason | undefined> => {
  const plain = password.toLowerCase()
  const [local = ''] = owner.email.toLowerCase().split('@')
  if ([owner.username.toLowerCase(), owner.email.toLowerCase(), local].includes(plain))
    return because('password_is_name')
  if (new Set(plain).size < leastCharacters)
    return because('password_repeats_characters', { least: leastCharacters })
  if (await isCommon(password)) return because('password_is_common')
  if (isMostlyContext(password, owner)) return because('password_is_easy_to_guess')
  return undefined
}
