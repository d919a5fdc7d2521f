import { randomBytes } from 'node:crypto'
import type { Connection } from '@millseal/sdk'
import type { DemoContext } from './context.ts'
import { findMailedLink } from './mailed-link.ts'
import { codeOf } from './totp.ts'

export type DemoPerson = {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly password: string
  /** Signed in. */
  readonly connection: Connection
  /** Of the authenticator, in base32, if the person has one. */
  readonly secret?: string
}

/** Registers and opens the mailed link. */
export const register = async (
  { connectWith, dataDir, steps }: DemoContext,
  { username }: { readonly username: string },
): Promise<Omit<DemoPerson, 'connection' | 'secret'>> => {
  const email = `${username}@demo.example.com`
  const password = randomBytes(18).toString('base64url')
  const anonymous = connectWith({})
  const { id } = await steps.step(`register ${username}`, () =>
    anonymous.registerUser({
      headers: { 'accept-language': 'en' },
      body: { username, email, password },
    }),
  )
  await steps.step(
    'confirm the address with the mailed link',
    async () => {
      const link = await findMailedLink(dataDir, email)
      const answer = await fetch(link, { redirect: 'manual', signal: AbortSignal.timeout(10_000) })
      if (answer.status >= 400)
        throw new Error(`the server rejected the mailed link (status ${answer.status})`)
      return link
    },
    ({ host }) => `at ${host}`,
  )
  return { id, username, email, password }
}

/** Registers, opens the mailed link and signs in. */
export const signUp = async (
  context: DemoContext,
  person: { readonly username: string },
): Promise<DemoPerson> => {
  const { connectWith, steps } = context
  const registered = await register(context, person)
  const { username, password } = registered
  const { accessToken } = await steps.step('sign in', () =>
    connectWith({}).login({ body: { username, password } }),
  )
  return { ...registered, connection: connectWith({ accessToken }) }
}

/** Confirms an authenticator. */
export const addSecondFactor = async (connection: Connection): Promise<string> => {
  const { id, secret } = await connection.createTotp({ body: { name: 'Demo' } })
  await connection.confirmTotp({ params: { id }, body: { code: codeOf(secret, Date.now()) } })
  return secret
}

/** An operator of the service with a second factor, who may review companies. */
export const createOperator = async ({
  connectWith,
  installation,
  steps,
}: DemoContext): Promise<DemoPerson> => {
  const email = `reviewer-${randomBytes(4).toString('hex')}@demo.example.com`
  return await steps.step('create an operator with a second factor', async () => {
    const { id, username, password: made } = await installation.makeOperator({ email })
    const password = made?.reveal() ?? ''
    const { accessToken } = await connectWith({}).login({ body: { username, password } })
    const connection = connectWith({ accessToken })
    return { id, username, email, password, connection, secret: await addSecondFactor(connection) }
  })
}

export const verifyCompany = async (
  { steps }: DemoContext,
  operator: DemoPerson,
  company: string,
): Promise<void> => {
  await steps.step('the operator verifies the company', () =>
    operator.connection.reviewCompany({
      params: { id: company },
      // Companies of earlier demonstrations have the same name.
      body: { decision: 'verified', acceptSimilarName: true },
    }),
  )
}
