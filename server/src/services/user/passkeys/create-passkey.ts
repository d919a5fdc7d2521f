import { type operations, type PasskeyCreated, type PasskeyOptions } from '@millseal/contract'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Call } from '../../../http/binding.ts'
import { principalName, type UserPrincipal } from '../../../http/principal.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { lockOwnAccount } from '../users/own-account.ts'
import { notify } from '../mailing/security-notice.ts'
import { endOtherSessions } from '../authenticators/end-other-sessions.ts'
import { hasFactor } from '../authenticators/factors.store.ts'
import { issueRecoveryCodes, makeRecoveryCodes } from '../authenticators/issue-recovery-codes.ts'
import type { UserDependencies } from '../dependencies.ts'
import { newChallenge, useChallenge } from './challenges.ts'
import { findPasskeysOf, insertPasskey } from '../authenticators/passkeys.store.ts'
import { type RelyingParty, relyingParty } from './relying-party.ts'

/** Ed25519, P-256 and RSA: each authenticator has one of them. */
const supportedAlgorithmIDs = [-8, -7, -257]

/** Has no effect until a passkey answers the challenge. */
export const createPasskeyOptions = async (
  deps: UserDependencies,
  { principal }: Call<typeof operations.createPasskeyOptions>,
): Promise<PasskeyOptions> => {
  assertRecentSignIn(principal, deps.clock)
  const party = requireParty(deps)
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const existing = await findPasskeysOf(deps.database.query, principal.id)
  const options = await generateRegistrationOptions({
    rpName: 'Millseal',
    rpID: party.id,
    userName: principal.email,
    userDisplayName: principal.username,
    userID: userHandle(principal.id),
    challenge: await newChallenge(deps, { purpose: 'create', boundTo: principal.sessionId }),
    attestationType: 'none',
    supportedAlgorithmIDs,
    excludeCredentials: existing.map(({ credentialId, transports }) => ({
      id: Buffer.from(credentialId).toString('base64url'),
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  })
  return { options: JSON.stringify(options) }
}

/** What an authenticator stores and returns instead of a name: not personal. */
export const userHandle = (id: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(id.replaceAll('-', ''), 'hex'))

export const createPasskey = async (
  deps: UserDependencies,
  { body, principal, client, commit }: Call<typeof operations.createPasskey>,
): Promise<PasskeyCreated> => {
  assertRecentSignIn(principal, deps.clock)
  const credential = await verifyAnswer(deps, principal, body.response)
  const made = principal.hasMfa ? undefined : await makeRecoveryCodes()
  const userId = principal.id
  return commit(async (tx) => {
    await lockOwnAccount(tx, principal)
    const isFirst = !(await hasFactor(tx, userId))
    const at = new Date(deps.clock.now())
    const id = uuidv7(at.getTime())
    const stored = { id, userId, name: body.name, ...credential, createdAt: at, lastUsedAt: at }
    if (!(await insertPasskey(tx, stored))) throw refused()
    await recordNew(deps, tx, { principal, at })
    await deps.audit.write(tx, {
      actor: principalName(principal),
      action: 'mfa.create_passkey',
      subject: `passkey:${id}`,
      ipAddress: client.ip,
      details: { name: body.name, backedUp: credential.backedUp },
    })
    if (!isFirst || made === undefined) return { id }
    return { id, recoveryCodes: await issueRecoveryCodes(deps, tx, { userId, made }) }
  })
}

const recordNew = async (
  deps: UserDependencies,
  tx: Transaction,
  { principal, at }: { readonly principal: UserPrincipal; readonly at: Date },
): Promise<void> => {
  await endOtherSessions(deps, tx, principal)
  await deps.recordFactor(tx, { sessionId: principal.sessionId, factor: 'passkey', at })
  await notify(deps, tx, { userId: principal.id, notice: 'passkey_added' })
}

const requireParty = ({ publicUrl }: UserDependencies): RelyingParty => {
  const party = relyingParty(publicUrl())
  if (party === undefined) throw new Problem('passkeys_unavailable')
  return party
}

const refused = (): Problem => new Problem('passkey_refused')

const verifyAnswer = async (deps: UserDependencies, principal: UserPrincipal, response: string) => {
  const party = requireParty(deps)
  const expectedChallenge = await useChallenge(deps, { purpose: 'create', boundTo: principal.sessionId })
  if (expectedChallenge === undefined) throw refused()
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  // The library checks every part of the answer and throws for the first that is wrong.
  const verified = await Promise.resolve()
    .then(() =>
      verifyRegistrationResponse({
        response: JSON.parse(response) as RegistrationResponseJSON,
        expectedChallenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: false,
        supportedAlgorithmIDs,
      }),
    )
    .catch(() => undefined)
  if (verified?.verified !== true) throw refused()
  const { credential, credentialBackedUp } = verified.registrationInfo
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: credential.transports ?? [],
    backedUp: credentialBackedUp,
  }
}
