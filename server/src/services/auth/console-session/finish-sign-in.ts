import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import type { Factor } from '../../user/index.ts'
import type { AuthDependencies } from '../dependencies.ts'
import type { Client } from '../sessions/open-session.ts'
import { byFirstFactor, byMethods, withFactor } from '../sessions/strength.ts'
import { type BrowserSecret, hashOf, isStateOf } from '../sessions/browser-secret.ts'
import type { Issuer } from './issuer.ts'
import { openBrowserSession, type SignedInUser } from './open-browser-session.ts'
import { deleteSignIn, findVouchedSignIn, saveVouchedUser, type SignIn, useSignIn } from './sign-ins.store.ts'

type Opened = { readonly session: BrowserSecret; readonly location: string }

/** Finishes a sign-in whose browser came back from the issuer. Undefined if a code of this server is needed next. */
export const finishSignIn = async (
  deps: AuthDependencies,
  issuer: Issuer,
  {
    browser,
    callback,
    client,
  }: { readonly browser: BrowserSecret; readonly callback: URL; readonly client: Client },
): Promise<Opened | undefined> => {
  const { database, users, externalIssuer } = deps
  // Checked first, so that a callback made up by another site does not use up the sign-in.
  if (!isStateOf(browser, callback.searchParams.get('state'))) throw new Problem('link_invalid')
  const signIn = await useSignIn(database.query, hashOf(browser), now(deps))
  if (signIn === undefined) throw new Problem('link_invalid')
  const claims = await issuer.redeem(browser, callback, { again: signIn.again })
  const { authenticatedAt } = claims
  if (externalIssuer === undefined) {
    const strength = byMethods(claims.methods, authenticatedAt)
    return open(deps, signIn, { id: claims.subject, authenticatedAt, checkedHere: true, strength }, client)
  }
  const { id } = await users.findOrCreateByIssuer({ ...claims, ipAddress: client.ip })
  if ((await users.findSigner(id))?.hasMfa === true) {
    await saveVouchedUser(database.query, signIn.idHash, id)
    return undefined
  }
  const methods = externalIssuer.isAmrTrusted ? claims.methods : []
  const strength = byMethods(['issuer', ...methods], authenticatedAt)
  return open(deps, signIn, { id, authenticatedAt, checkedHere: false, strength }, client)
}

export const awaitsCode = async (deps: AuthDependencies, browser: BrowserSecret): Promise<boolean> =>
  (await findVouchedSignIn(deps.database.query, hashOf(browser), now(deps))) !== undefined

/** A code of this server, or the answer of a passkey. */
export type ProvenFactor = { readonly code: Secret } | { readonly response: string }

type WithFactor = {
  readonly browser: BrowserSecret
  readonly proven: ProvenFactor
  readonly client: Client
}

/** Finishes a sign-in with a factor of this server, after an external issuer identified the user. */
export const finishWithFactor = async (
  deps: AuthDependencies,
  { browser, proven, client }: WithFactor,
): Promise<Opened> => {
  const signIn = await findVouchedSignIn(deps.database.query, hashOf(browser), now(deps))
  if (signIn === undefined) throw new Problem('link_invalid')
  const id = signIn.vouchedUserId
  const factor = await useFactor(deps, { userId: id, browser, proven, client })
  const strength = withFactor(byFirstFactor('issuer'), factor, now(deps))
  // The factor proves presence now, even if the issuer does not say when the person signed in there.
  return open(deps, signIn, { id, authenticatedAt: now(deps), checkedHere: false, strength }, client)
}

const useFactor = async (
  { users }: AuthDependencies,
  { userId, browser, proven, client }: WithFactor & { readonly userId: string },
): Promise<Factor | undefined> => {
  const ipAddress = client.ip
  if ('code' in proven) return users.assertSecondFactor({ userId, ipAddress }, proven.code)
  await users.checkPasskey({ boundTo: boundTo(browser), userId, response: proven.response, ipAddress })
  return 'passkey'
}

/** What the page of this browser asks for a passkey of the identified user with. */
export const passkeyRequestOf = async (
  deps: AuthDependencies,
  browser: BrowserSecret,
): Promise<string | undefined> => {
  const signIn = await findVouchedSignIn(deps.database.query, hashOf(browser), now(deps))
  return signIn && deps.users.passkeyRequest({ boundTo: boundTo(browser), userId: signIn.vouchedUserId })
}

const boundTo = (browser: BrowserSecret): string => hashOf(browser).toString('hex')

const now = ({ clock }: AuthDependencies): Date => new Date(clock.now())

const open = async (
  deps: AuthDependencies,
  signIn: SignIn,
  user: SignedInUser,
  client: Client,
): Promise<Opened> => {
  if (!(await deleteSignIn(deps.database.query, signIn.idHash))) throw new Problem('link_invalid')
  const session = await openBrowserSession(deps, user, { client, previousId: signIn.renewedSessionId })
  return { session, location: signIn.returnTo }
}
