import {
  type ApplicationWithSecret,
  type Company,
  type Mode,
  machineScopes,
  type ScopeObject,
} from '@millseal/contract'
import type { TestServer } from './test-server.ts'
import {
  enableMfa,
  foundCompany,
  type Person,
  password,
  signUp,
  signUpOperator,
  verifyCompany,
} from './people.ts'

/** All scopes that a machine can have. */
export const everyScope: ScopeObject = Object.fromEntries(
  Object.entries(machineScopes).map(([resource, actions]) => [resource, { actions: [...actions] }]),
)

export type Owner = {
  readonly admin: Person
  readonly company: Company
  /** Signs in again: the first token lasts 15 minutes of the clock. */
  readonly signInAgain: () => Promise<Person>
}

/** A person with an unverified company. */
export const newOwner = async (
  server: TestServer,
  username: string,
  wanted: { readonly vatId?: string } = {},
): Promise<Owner> => {
  const admin = await signUp(server, username)
  const company = await foundCompany(server, admin, wanted)
  return {
    admin,
    company,
    signInAgain: async () => ({
      ...admin,
      ...(await server.client().login({ body: { username: admin.username, password } })),
    }),
  }
}

/** The same with the requirements of live mode: a verified company, and MFA. */
export const newLiveOwner = async (server: TestServer, username: string): Promise<Owner> => {
  const { admin, company } = await newOwner(server, username)
  await verifyCompany(server, await signUpOperator(server), company.id)
  const nextCode = await enableMfa(server, admin)
  const signInAgain = async (): Promise<Person> => {
    const { accessToken, refreshToken } = await server
      .client()
      .login({ body: { username: admin.username, password, code: nextCode() } })
    return { ...admin, accessToken, refreshToken }
  }
  return { admin: await signInAgain(), company, signInAgain }
}

type Wanted = { readonly mode?: Mode; readonly scopes?: ScopeObject; readonly description?: string }

export const newApplication = (
  server: TestServer,
  { admin, company }: Pick<Owner, 'admin' | 'company'>,
  { mode = 'test', scopes = {}, description = 'ERP' }: Wanted = {},
): Promise<ApplicationWithSecret> =>
  server
    .client(admin.accessToken)
    .createApplication({ company: company.id, body: { description, mode, scopes } })

export const tokenOf = async (
  server: TestServer,
  { clientId, clientSecret }: Pick<ApplicationWithSecret, 'clientId' | 'clientSecret'>,
): Promise<string> => {
  const { accessToken } = await server.client().createToken({ body: { clientId, clientSecret } })
  return accessToken
}

/** The claims of a token, not verified. */
export const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Record<string, unknown>
