import type { Identity } from '@millseal/contract'
import { sampleCertificate } from './certificates.ts'
import { eventually } from './eventually.ts'
import { newApplication, type Owner } from './machines.ts'
import { notarizeSample } from './offline.ts'
import { newIdentity } from './signers.ts'
import type { TestServer } from './test-server.ts'
import { eventsOf } from './traces.ts'

type Producer = Pick<Owner, 'admin' | 'company'>

type Causing = {
  readonly certify?: () => object
  /** Called before the last operation, the deletion of the company: mails that wait would end with it. */
  readonly beforeLeaving?: () => Promise<void>
}

/** Calls every operation that produces an event, in test mode. In the end, it deletes the company. */
export const causeEveryEvent = async (
  server: TestServer,
  owner: Producer,
  { certify, beforeLeaving }: Causing = {},
): Promise<void> => {
  const client = server.client(owner.admin.accessToken)
  const params = { id: owner.company.id }
  const toItself = (): object => sampleCertificate({ receiver: { vatId: owner.company.vatId } })
  await holdApplications(server, owner)
  const identity = await keepKeys(server, owner)
  await keepHooks(server, owner)
  await keepMailHooks(server, owner)
  await notarize(server, owner, { identity, certify: certify ?? toItself })
  await wipe(server, owner, identity)
  await client.updateCompany({ params, body: { name: 'Rolling Mill & Sons' } })
  await beforeLeaving?.()
  await client.deleteCompany({ params })
}

const as = (server: TestServer, { admin, company }: Producer) => ({
  client: server.client(admin.accessToken),
  company: company.id,
  inTest: { company: company.id, query: { mode: 'test' } } as const,
})

const scopes = [{ resource: 'companies', actions: ['update_one'] }]

const holdApplications = async (server: TestServer, owner: Producer): Promise<void> => {
  const { client, company, inTest } = as(server, owner)
  const { id } = await newApplication(server, owner)
  const one = { params: { id }, company }
  await client.updateApplication({ ...one, body: { name: 'ERP' } })
  await client.deleteApplication(one)
  const given = { ...inTest, body: { scopes: { companies: { actions: ['read_one'] } } } }
  const token = await client.createAccessToken(given)
  await client.updateAccessToken({ ...given, params: { id: token.id } })
}

const keepKeys = async (server: TestServer, owner: Producer): Promise<Identity> => {
  const { client, company, inTest } = as(server, owner)
  const identity = await newIdentity(client, company)
  await client.updateWallet({ ...inTest, params: { id: identity.wallet }, body: { name: 'Plant 7' } })
  await client.notarizeIdentity({ ...inTest, params: { identityId: identity.id } })
  return identity
}

const keepHooks = async (server: TestServer, owner: Producer): Promise<void> => {
  const { client, company } = as(server, owner)
  const body = { connectionUrl: 'https://example.com/hook', scopes }
  const { id } = await client.createHook({ company, body })
  const one = { params: { id }, company }
  await client.updateHook({ ...one, body: { name: 'ERP' } })
  await client.deleteHook(one)
}

const keepMailHooks = async (server: TestServer, owner: Producer): Promise<void> => {
  const { client, company } = as(server, owner)
  const { id } = await client.createMailHook({ company, body: { scopes } })
  const one = { params: { id }, company }
  await client.updateMailHook({ ...one, body: { description: 'ERP' } })
  await client.deleteMailHook(one)
}

type Notarizing = { readonly identity: Identity; readonly certify: () => object }

/** To itself, so that one company gets both events. */
const notarize = async (
  server: TestServer,
  owner: Producer,
  { identity, certify }: Notarizing,
): Promise<void> => {
  const { client, company, inTest } = as(server, owner)
  const one = () => notarizeSample(client, { company, identity, certificate: certify() })
  const [accepted, { id: replacedBy }] = [await one(), await one()]
  const { id } = accepted
  await decide(server, owner, accepted.text)
  const body = { reason: 'Wrong heat' }
  await client.replaceCertificate({ company, params: { id }, body: { ...body, replacedBy } })
  await client.withdrawCertificate({ company, params: { id }, body })
  await eventually(async () =>
    (await eventsOf(server, company)).some(({ topic }) => topic.endsWith('/inbox/alarm_one')),
  )
  const since = '2026-01-01T00:00:00.000Z'
  await client.revokeIdentity({ ...inTest, params: { id: identity.id }, body: { ...body, since } })
  await eventually(async () =>
    (await eventsOf(server, company)).some(({ topic }) => topic.endsWith('/certificates/revoke_many')),
  )
}

/** Rejects a certificate, takes that back, and accepts it, so that its correction raises an alarm. */
const decide = async (server: TestServer, owner: Producer, text: string): Promise<void> => {
  const { client, company, inTest } = as(server, owner)
  const document = new Blob([text], { type: 'application/json' })
  const { id } = await client.fileCertificate({ ...inTest, document })
  const because = { ids: [id], reason: 'Wrong material' }
  await client.decideInbox({ company, body: { ...because, decision: 'rejected' } })
  await client.undoInboxDecision({ company, params: { id } })
  await client.decideInbox({ company, body: { ...because, decision: 'acceptedWithConcession' } })
}

const wipe = async (server: TestServer, owner: Producer, { wallet }: Identity): Promise<void> => {
  const { client, inTest } = as(server, owner)
  await client.wipeWallet({ ...inTest, params: { id: wallet } })
}
