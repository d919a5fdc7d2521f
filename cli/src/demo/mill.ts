import { randomBytes } from 'node:crypto'
import { machineScopes } from '@millseal/contract'
import { connect, type Connection } from '@millseal/sdk'
import type { Installation } from '@millseal/server'
import { findMailedLink } from './mailed-link.ts'
import type { Steps } from './steps.ts'
import { codeOf } from './totp.ts'
import { inventVatId } from './vat-id.ts'

export type Setting = {
  readonly baseUrl: string
  readonly dataDir: string
  readonly installation: Installation
  readonly steps: Steps
}

export type Mill = {
  readonly name: string
  readonly email: string
  /** As its quality manager. */
  readonly person: Connection
  readonly company: string
}

/** Everything a person does before a machine can: an account, a company, and the review of an operator. */
export const foundMill = async (setting: Setting): Promise<Mill> => {
  const { baseUrl, dataDir, steps } = setting
  const mark = randomBytes(4).toString('hex')
  const name = `Demo Rolling Mill ${mark}`
  const email = `quality-${mark}@demo.example.com`
  const username = `quality-${mark}`
  const password = randomBytes(18).toString('base64url')
  const nobody = connect({ baseUrl })
  await steps.step('register a person', () => nobody.registerUser({ body: { username, email, password } }))
  await steps.step(
    'confirm the address by the mailed link',
    async () => {
      const link = await findMailedLink(dataDir, email)
      const answer = await fetch(link, { redirect: 'manual', signal: AbortSignal.timeout(10_000) })
      if (answer.status >= 400) throw new Error(`the mailed link was refused: ${answer.status}`)
      return link
    },
    ({ host }) => `at ${host}`,
  )
  const { accessToken } = await steps.step('sign in', () => nobody.login({ body: { username, password } }))
  const person = connect({ baseUrl, accessToken })
  const address = { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' }
  const { id } = await steps.step(
    'found a company',
    () => person.createCompany({ body: { name, vatId: inventVatId(), address } }),
    (company) => company.id,
  )
  await review(setting, id)
  return { name, email, person, company: id }
}

/** By an operator of the demo's own, who is gone afterwards: nobody keeps the password. */
const review = async ({ baseUrl, installation, steps }: Setting, company: string): Promise<void> => {
  const email = `reviewer-${randomBytes(4).toString('hex')}@demo.example.com`
  const { person, id } = await steps.step('make an operator, with a second factor', async () => {
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

/** What the ERP of the mill is: an application that gets its own tokens. */
export const connectMachine = async ({ baseUrl, steps }: Setting, mill: Mill): Promise<Connection> => {
  const { person, company } = mill
  const every = (...resources: readonly (keyof typeof machineScopes)[]) =>
    Object.fromEntries(
      resources.map((resource) => [resource, { actions: [...(machineScopes[resource] ?? [])] }]),
    )
  const { clientId, clientSecret } = await steps.step('give a machine access, in test mode', () =>
    person.createApplication({
      company,
      body: { description: 'Demo', mode: 'test', scopes: every('wallets', 'identities', 'certificates') },
    }),
  )
  const machine = connect({ baseUrl, credentials: { clientId, clientSecret }, company })
  await steps.step('exchange its secret for a token', () =>
    machine.listCertificates({ query: { mode: 'test' } }),
  )
  return machine
}
