import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { UserDependencies } from '../dependencies.ts'
import { putChallenge, takeChallenge } from '../authenticators/passkeys.store.ts'

/** `boundTo` is the session that creates a passkey, or the sign-in that uses one. */
type Bound = { readonly purpose: 'create' | 'sign_in'; readonly boundTo: string }

const validMs = 10 * 60 * 1_000
const challengeBytes = 32

export const newChallenge = async (
  { database, clock }: UserDependencies,
  bound: Bound,
): Promise<Uint8Array<ArrayBuffer>> => {
  const challenge = new Uint8Array(randomBytes(challengeBytes))
  await putChallenge(database.query, {
    ...stored(bound),
    challengeHash: sha256(challenge),
    expiresAt: new Date(clock.now() + validMs),
  })
  return challenge
}

/** Uses the challenge up. Returns a check of the answered one, or undefined if there is none to answer. */
export const useChallenge = async (
  { database, clock }: UserDependencies,
  bound: Bound,
): Promise<((answered: string) => boolean) | undefined> => {
  const taken = await takeChallenge(database.query, stored(bound), new Date(clock.now()))
  if (taken === undefined) return undefined
  return (answered) => timingSafeEqual(sha256(Buffer.from(answered, 'base64url')), taken.challengeHash)
}

/** The id of a sign-in is what its cookie has: in clear, a copy of the database could continue it. */
const stored = ({ purpose, boundTo }: Bound): Bound => ({
  purpose,
  boundTo: sha256(Buffer.from(boundTo)).toString('hex'),
})

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
