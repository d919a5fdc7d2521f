import { randomBytes } from 'node:crypto'
import { machineScopes } from '@millseal/contract'
import { connect, type Connection } from '@millseal/sdk'
import type { Installation } from '@millseal/server'
import { findMailedLink } from './mailed-link.ts'
import type { Steps } from './steps.ts'
import { codeOf } from './totp.ts'
import { inventVatId } from './vat-id.ts'

export type DemoContext = {
  readonly baseUrl: string
  readonly dataDir: string
  readonly installation: Installation
  readonly steps: Steps
}

export type DemoCompany = {
  readonly id: string
  readonly name: string
  readonly email: string
  /** Signed in as the quality manager. */
  readonly person: Connection
}

/** What people do before a machine can notarize: an account, a company, and the review by an operator. */
export const createCompany = async (context: DemoContext): Promise<DemoCompany> => {
  const { baseUrl, dataDir, steps } = context
  const suffix = randomBytes(4).toString('hex')
  const name = `Demo Rolling Mill ${suffix}`
  const email = `quality-${suffix}@demo.example.com`
  const username = `quality-${suffix}`
  const password = randomBytes(18).toString('base64url')
  const anonymous = connect({ baseUrl })
  await steps.step('register a user', () => anonymous.registerUser({ body: { username, email, password } }))
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
  const { accessToken } = await steps.step('sign in', () => anonymous.login({ body: { username, password } }))
  const person = connect({ baseUrl, accessToken })
  const address = { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' }
  const { id } = await steps.step(
    'create a company',
    () => person.createCompany({ body: { name, vatId: inventVatId(), address } }),
    (company) => company.id,
  )
  await review(context, id)
  return { id, name, email, person }
}

/** The operator exists only for this review: nobody keeps the password. */
const review = async ({ baseUrl, installation, steps }: DemoContext, company: string): Promise<void> => {
  const email = `reviewer-${randomBytes(4).toString('hex')}@demo.example.com`
  const { person, id } = await steps.step('create an operator with a second factor', async () => {
    const made = await installation.makeOperator({ email })
    const password = made.password?.reveal() ?? ''
    const { accessToken } = await connect({ baseUrl }).login({ body: { username: made.username, password } })
    const operator = connect({ baseUrl, accessToken })
    const factor = await operator.createTotp({ body: { name: 'Demo' } })
    await operator.confirmTotp({
      params: { id: factor.id },
      body: { code: codeOf(factor.secret, Date.now()) },
    })
    return { person: operator, id: made.id }
  })
  await steps.step('the operator verifies the company', () =>
    person.reviewCompany({ params: { id: company }, body: { decision: 'verified' } }),
  )
  await steps.step('the operator deletes the account', () => person.deleteUser({ params: { id } }))
}

/** Stands for the ERP system of the company: an application that requests its own tokens. */
export const connectMachine = async (
  { baseUrl, steps }: DemoContext,
  { id: company, person }: DemoCompany,
): Promise<Connection> => {
  const every = (...resources: readonly (keyof typeof machineScopes)[]) =>
    Object.fromEntries(
      resources.map((resource) => [resource, { actions: [...(machineScopes[resource] ?? [])] }]),
    )
  const { clientId, clientSecret } = await steps.step('create an application in test mode', () =>
    person.createApplication({
      company,
      body: { description: 'Demo', mode: 'test', scopes: every('wallets', 'identities', 'certificates') },
    }),
  )
  const machine = connect({ baseUrl, credentials: { clientId, clientSecret }, company })
  await steps.step('get an access token for it', () => machine.listCertificates({ query: { mode: 'test' } }))
  return machine
}
