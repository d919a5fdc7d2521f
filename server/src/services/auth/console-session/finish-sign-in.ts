import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import type { Audit } from '../../../ports/audit/audit.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import type { UserService } from '../../user/index.ts'
import { type BrowserSecret, hashOf, isStateOf } from './browser-secret.ts'
import type { Issuer, Vouched } from './issuer.ts'
import { openBrowserSession, type SignedInUser } from './open-browser-session.ts'
import { deleteSignIn, findVouchedSignIn, saveVouchedUser, type SignIn, useSignIn } from './sign-ins.store.ts'

type Client = { readonly ip: string; readonly device: string }
type Opened = { readonly session: BrowserSecret; readonly location: string }

/** How a browser's way to the issuer and back ends. */
export type FinishSignIn = {
  /** Nothing when a code of ours is asked for next. */
  callback(browser: BrowserSecret, callback: URL, client: Client): Promise<Opened | undefined>
  awaitsCode(browser: BrowserSecret): Promise<boolean>
  code(browser: BrowserSecret, code: Secret, client: Client): Promise<Opened>
}

type Dependencies = {
  readonly issuer: Issuer
  /** The built-in issuer asks for our own codes itself. */
  readonly isBuiltIn: boolean
  readonly users: Pick<
    UserService,
    'findSigner' | 'lockCredentials' | 'findOrCreateByIssuer' | 'assertSecondFactor'
  >
  readonly database: Database
  readonly clock: Clock
  readonly audit: Audit
}

export const finishSignIn = (deps: Dependencies): FinishSignIn => {
  const { database, clock, users, issuer, isBuiltIn } = deps
  const now = () => new Date(clock.now())
  const openSession = openBrowserSession(deps)

  const open = async (signIn: SignIn, user: SignedInUser, client: Client): Promise<Opened> => {
    if (!(await deleteSignIn(database.query, signIn.idHash))) throw new Problem('link_invalid')
    const session = await openSession(user, { client, previousId: signIn.renewedSessionId })
    return { session, location: signIn.returnTo }
  }

  return {
    async callback(browser, callback, client) {
      // Before it is used up: an address made up by another site must not cost the browser its sign-in.
      if (!isStateOf(browser, callback.searchParams.get('state'))) throw new Problem('link_invalid')
      const signIn = await useSignIn(database.query, hashOf(browser), now())
      if (signIn === undefined) throw new Problem('link_invalid')
      const vouched = await issuer.redeem(browser, callback, { again: signIn.again })
      if (isBuiltIn) return open(signIn, ownUser(vouched), client)
      const { id } = await users.findOrCreateByIssuer({ ...vouched, ipAddress: client.ip })
      if ((await users.findSigner(id))?.hasMfa === true) {
        await saveVouchedUser(database.query, signIn.idHash, id)
        return undefined
      }
      return open(signIn, { id, authenticatedAt: vouched.authenticatedAt, byPassword: false }, client)
    },
    awaitsCode: async (browser) =>
      (await findVouchedSignIn(database.query, hashOf(browser), now())) !== undefined,
    async code(browser, code, client) {
      const signIn = await findVouchedSignIn(database.query, hashOf(browser), now())
      if (signIn === undefined) throw new Problem('link_invalid')
      const id = signIn.vouchedUserId
      await users.assertSecondFactor({ userId: id, ipAddress: client.ip }, code)
      // Our own factor proves presence, whether or not the issuer says when it was proven there.
      return open(signIn, { id, authenticatedAt: now(), byPassword: false }, client)
    },
  }
}

const ownUser = ({ subject, authenticatedAt }: Vouched): SignedInUser => ({
  id: subject,
  authenticatedAt,
  byPassword: true,
})
