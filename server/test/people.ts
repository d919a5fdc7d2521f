import { randomUUID } from 'node:crypto'
import { Secret as Key, TOTP } from 'otpauth'
import { makeOperatorIn } from '../src/compose/commands.ts'
import type { TestServer } from './test-server.ts'
import type { Company, Review } from '@millseal/contract'
import { linkIn } from './test-server.ts'
import { freshVatId } from './vat-ids.ts'

export const password = 'correct horse battery'

export type Person = {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly accessToken: string
  readonly refreshToken: string
}

/** Registers, opens the mailed link and signs in, as a person would. */
export const signUp = async (server: TestServer, name: string): Promise<Person> => {
  const username = server.nameOf(name)
  const email = `${username}@example.com`
  const client = server.client()
  const { id } = await client.registerUser({ body: { username, email, password } })
  const [mail = ''] = await server.mailsTo(email, 1)
  await fetch(linkIn(mail), { redirect: 'manual' })
  const { accessToken, refreshToken } = await client.login({ body: { username, password } })
  return { id, username, email, accessToken, refreshToken }
}

/** A company of this person, who becomes its admin. It is not verified. */
export const foundCompany = (
  server: TestServer,
  person: Pick<Person, 'accessToken'>,
  { name = 'Rolling Mill', vatId = freshVatId() }: { name?: string; vatId?: string } = {},
): Promise<Company> =>
  server.client(person.accessToken).createCompany({
    body: {
      name,
      vatId,
      address: { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' },
    },
  })

/** An operator, who may verify companies; created the way the operator command does. */
export const signUpOperator = async (server: TestServer): Promise<Person> => {
  const email = `operator-${randomUUID().slice(0, 8)}@example.com`
  const { id, username, password: made } = await makeOperatorIn(server.config, { email })
  if (made === undefined) throw new Error('The operator was there already')
  const { accessToken, refreshToken } = await server
    .client()
    .login({ body: { username, password: made.reveal() } })
  return { id, username, email, accessToken, refreshToken }
}

/** Whatever other companies are called: most companies of tests have the same name. */
export const verifyCompany = (
  server: TestServer,
  operator: Pick<Person, 'accessToken'>,
  companyId: string,
): Promise<Review> =>
  server
    .client(operator.accessToken)
    .reviewCompany({ params: { id: companyId }, body: { decision: 'verified', acceptSimilarName: true } })

const stepMs = 30_000

/** The code that an authenticator app shows at a given time. */
export const codeAt = (secret: string, nowMs: number): string =>
  new TOTP({ secret: Key.fromBase32(secret) }).generate({ timestamp: nowMs })

/**
 * Confirms a first authenticator; needs a sign-in within the last 10 minutes. What it returns gives a code to sign in
 * with, another one at every call: each is good once, so the clock is moved on where the present one was given out.
 */
export const enableMfa = async (
  server: TestServer,
  person: Pick<Person, 'accessToken'>,
): Promise<() => string> => {
  const client = server.client(person.accessToken)
  const { id, secret } = await client.createTotp({ body: { name: 'Phone' } })
  let lastStep = 0
  const nextCode = (): string => {
    const behind = lastStep + 1 - Math.floor(server.clock.now() / stepMs)
    if (behind > 0) server.clock.advance({ seconds: (behind * stepMs) / 1_000 })
    lastStep = Math.floor(server.clock.now() / stepMs)
    return codeAt(secret, server.clock.now())
  }
  await client.confirmTotp({ params: { id }, body: { code: nextCode() } })
  return nextCode
}
