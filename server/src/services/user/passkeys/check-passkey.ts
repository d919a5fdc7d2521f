import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { Problem } from '../../../lib/problem.ts'
import { notify } from '../mailing/security-notice.ts'
import { findUser, type StoredUser } from '../users/users.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { assertMaySignIn } from '../sign-in/sign-in.ts'
import { newChallenge, useChallenge } from './challenges.ts'
import { userHandle } from './create-passkey.ts'
import {
  findPasskey,
  findPasskeysOf,
  lockPasskey,
  saveUse,
  type StoredPasskey,
} from '../authenticators/passkeys.store.ts'
import { relyingParty } from './relying-party.ts'

export type PasskeyQuestion = {
  /** The sign-in that asks. */
  readonly boundTo: string
  /** The person whose password was right. Undefined if the passkey is the only factor. */
  readonly userId?: string
}

export type PasskeyAnswer = PasskeyQuestion & { readonly response: string; readonly ipAddress: string }

/** What a browser asks for a passkey with, as JSON. Undefined if no passkey can answer. */
export const passkeyRequest = async (
  deps: UserDependencies,
  { boundTo, userId }: PasskeyQuestion,
): Promise<string | undefined> => {
  const party = relyingParty(deps.publicUrl())
  if (party === undefined) return undefined
  const own = userId === undefined ? undefined : await findPasskeysOf(deps.database.query, userId)
  if (own?.length === 0) return undefined
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: await newChallenge(deps, { purpose: 'sign_in', boundTo }),
    userVerification: own === undefined ? 'required' : 'discouraged',
    allowCredentials: own?.map(({ credentialId, transports }) => ({
      id: Buffer.from(credentialId).toString('base64url'),
      transports,
    })),
  })
  return JSON.stringify(options)
}

/** Throws `credentials_wrong`, whatever is wrong. */
export const checkPasskey = async (deps: UserDependencies, answer: PasskeyAnswer): Promise<StoredUser> => {
  const expectedChallenge = await useChallenge(deps, { purpose: 'sign_in', boundTo: answer.boundTo })
  const response = readAnswer(answer.response)
  const passkey = response && (await findPasskey(deps.database.query, Buffer.from(response.id, 'base64url')))
  const isAskedFor = answer.userId === undefined || passkey?.userId === answer.userId
  if (expectedChallenge === undefined || response === undefined || passkey === undefined || !isAskedFor)
    throw wrong()
  const isOnlyFactor = answer.userId === undefined
  const use = await verify(deps, { passkey, response, expectedChallenge, isOnlyFactor })
  if (use === undefined || !(await countUse(deps, { passkey, use, answer }))) throw wrong()
  const user = await findUser(deps.database.query, passkey.userId)
  if (user === undefined) throw wrong()
  await assertMaySignIn(deps, { user, ipAddress: answer.ipAddress })
  return user
}

const wrong = (): Problem => new Problem('credentials_wrong')

const readAnswer = (text: string): AuthenticationResponseJSON | undefined => {
  try {
    const read = JSON.parse(text) as Partial<AuthenticationResponseJSON> | null
    return typeof read?.id === 'string' ? (read as AuthenticationResponseJSON) : undefined
  } catch {
    return undefined
  }
}

type Use = { readonly newCounter: number; readonly credentialBackedUp: boolean }

type Given = {
  readonly passkey: StoredPasskey
  readonly response: AuthenticationResponseJSON
  readonly expectedChallenge: (answered: string) => boolean
  readonly isOnlyFactor: boolean
}

const verify = async (
  { publicUrl }: UserDependencies,
  { passkey, response, expectedChallenge, isOnlyFactor }: Given,
): Promise<Use | undefined> => {
  const party = relyingParty(publicUrl())
  if (party === undefined) return undefined
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  // The library checks every part of the answer and throws for the first that is wrong.
  const verified = await Promise.resolve()
    .then(() =>
      verifyAuthenticationResponse({
        response,
        expectedChallenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: isOnlyFactor,
        credential: {
          id: Buffer.from(passkey.credentialId).toString('base64url'),
          publicKey: new Uint8Array(passkey.publicKey),
          // `countUse` compares the counters, under a lock.
          counter: 0,
        },
      }),
    )
    .catch(() => undefined)
  if (verified?.verified !== true) return undefined
  const { userHandle: handle } = response.response
  const isOwners = handle === Buffer.from(userHandle(passkey.userId)).toString('base64url')
  return isOwners || (handle === undefined && !isOnlyFactor) ? verified.authenticationInfo : undefined
}

type CountedUse = { readonly passkey: StoredPasskey; readonly use: Use; readonly answer: PasskeyAnswer }

/** False if the counter did not grow: a copy of the passkey exists. Returned, not thrown, so that the record commits. */
const countUse = (deps: UserDependencies, { passkey, use, answer }: CountedUse): Promise<boolean> =>
  deps.database.transaction(async (tx) => {
    const { id, userId } = passkey
    const current = await lockPasskey(tx, id)
    if (current === undefined) return false
    const { counter } = current
    const isCounting = use.newCounter > 0 || counter > 0
    if (isCounting && use.newCounter <= counter) {
      await deps.audit.write(tx, {
        actor: `ip:${answer.ipAddress}`,
        action: 'mfa.refuse_passkey',
        subject: `passkey:${id}`,
        ipAddress: answer.ipAddress,
        details: { reason: 'the counter went back', userId, counter: use.newCounter, before: counter },
      })
      await notify(deps, tx, { userId, notice: 'passkey_refused' })
      return false
    }
    await saveUse(tx, id, {
      counter: use.newCounter,
      backedUp: use.credentialBackedUp,
      lastUsedAt: new Date(deps.clock.now()),
    })
    return true
  })
