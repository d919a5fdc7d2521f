import { machineScopes } from '@millseal/contract'
import { createClient } from '@millseal/sdk'
import { findMailedLink } from '../src/demo/mailed-link.ts'
import { inventVatId } from '../src/demo/vat-id.ts'

const mode = { mode: 'test' } as const
const password = 'correct horse battery'
const address = { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' }

/** An application of a new company on a server with this data folder, and an identity. */
export const createMachine = async (baseUrl: string, dataDir: string) => {
  const anonymous = createClient({ baseUrl })
  const email = 'quality@example.com'
  await anonymous.registerUser({ body: { username: 'quality', email, password } })
  await fetch(await findMailedLink(dataDir, email), { redirect: 'manual' })
  const { accessToken } = await anonymous.login({ body: { username: 'quality', password } })
  const person = createClient({ baseUrl, accessToken })
  const company = (
    await person.createCompany({ body: { name: 'Rolling Mill', vatId: inventVatId(), address } })
  ).id
  const about = { company, query: mode }
  const wallet = await person.createWallet({ ...about, body: {} })
  const identity = await person.createIdentity({
    ...about,
    body: { coinType: 822, account: 0, wallet: wallet.id },
  })
  const scopes = {
    certificates: { actions: [...(machineScopes.certificates ?? [])] },
    identities: { actions: [...(machineScopes.identities ?? [])] },
    requirements: { actions: [...(machineScopes.requirements ?? [])] },
    inbox: { actions: [...(machineScopes.inbox ?? [])] },
  }
  const application = await person.createApplication({
    company,
    body: { description: 'ERP', mode: 'test', scopes },
  })
  return { ...application, identity: identity.id }
}
