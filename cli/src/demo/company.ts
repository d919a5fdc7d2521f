import { randomBytes } from 'node:crypto'
import { machineScopes } from '@millseal/contract'
import type { Connection } from '@millseal/sdk'
import type { DemoContext } from './context.ts'
import { createOperator, signUp, verifyCompany } from './people.ts'
import { inventVatId } from './vat-id.ts'

export type DemoCompany = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly vatId: string
  /** Signed in as the quality manager. */
  readonly person: Connection
}

export const foundCompany = async (
  { steps }: DemoContext,
  { person, name, email }: { readonly person: Connection; readonly name: string; readonly email: string },
): Promise<DemoCompany> => {
  const address = { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' }
  const vatId = inventVatId()
  const { id } = await steps.step(
    'create a company',
    () => person.createCompany({ body: { name, vatId, address } }),
    (company) => company.id,
  )
  return { id, name, email, vatId, person }
}

/** What people do before a machine can notarize: an account, a company, and the review by an operator. */
export const createCompany = async (context: DemoContext): Promise<DemoCompany> => {
  const suffix = randomBytes(4).toString('hex')
  const { connection, email } = await signUp(context, { username: `quality-${suffix}` })
  const name = `Demo Rolling Mill ${suffix}`
  const company = await foundCompany(context, { person: connection, name, email })
  const operator = await createOperator(context)
  await verifyCompany(context, operator, company.id)
  // The operator exists only for this review.
  await context.steps.step('the operator deletes the account', () =>
    operator.connection.deleteUser({ params: { id: operator.id } }),
  )
  return company
}

/** Stands for the ERP system of the company: an application that requests its own tokens. */
export const connectMachine = async (
  { connectWith, steps }: DemoContext,
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
  const machine = connectWith({ credentials: { clientId, clientSecret }, company })
  await steps.step('get an access token for it', () => machine.listCertificates({ query: { mode: 'test' } }))
  return machine
}
