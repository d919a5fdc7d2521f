import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type EventDeclaration, type EventVariant, events } from '@millseal/contract'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { sampleCertificate } from '../../test/certificates.ts'
import { eventually } from '../../test/eventually.ts'
import { endedNotarization } from '../../test/signers.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { newApplication, newOwner, type Owner } from '../../test/machines.ts'
import { type Event, eventsOf } from '../../test/traces.ts'

/** Calls every operation that produces an event. */
let server: TestServer
let owner: Owner
let told: readonly Event[]
before(async () => {
  server = await startTestServer()
  owner = await newOwner(server, 'producer')
  for (const live of [holdApplications, keepKeys, keepHooks, keepMailHooks, notarize, leave]) await live()
  told = await eventsOf(server, owner.company.id)
})
after(() => server[Symbol.asyncDispose]())

const client = () => server.client(owner.admin.accessToken)
const company = () => owner.company.id
const inTest = () => ({ company: company(), query: { mode: 'test' } }) as const
const scopes = [{ resource: 'companies', actions: ['update_one'] }]

const holdApplications = async (): Promise<void> => {
  const { id } = await newApplication(server, owner)
  const one = { params: { id }, company: company() }
  await client().updateApplication({ ...one, body: { name: 'ERP' } })
  await client().deleteApplication(one)
  const given = { ...inTest(), body: { scopes: { companies: { actions: ['read_one'] } } } }
  const token = await client().createAccessToken(given)
  await client().updateAccessToken({ ...given, params: { id: token.id } })
}

let identityId = ''
let walletId = ''

const keepKeys = async (): Promise<void> => {
  const wallet = await client().createWallet({ ...inTest(), body: {} })
  walletId = wallet.id
  await client().updateWallet({ ...inTest(), params: { id: walletId }, body: { name: 'Plant 7' } })
  const body = { coinType: 822, account: 0, wallet: walletId }
  identityId = (await client().createIdentity({ ...inTest(), body })).id
  await client().notarizeIdentity({ ...inTest(), params: { identityId } })
}

const keepHooks = async (): Promise<void> => {
  const body = { connectionUrl: 'https://example.com/hook', scopes }
  const { id } = await client().createHook({ company: company(), body })
  const one = { params: { id }, company: company() }
  await client().updateHook({ ...one, body: { name: 'ERP' } })
  await client().deleteHook(one)
}

const keepMailHooks = async (): Promise<void> => {
  const { id } = await client().createMailHook({ company: company(), body: { scopes } })
  const one = { params: { id }, company: company() }
  await client().updateMailHook({ ...one, body: { description: 'ERP' } })
  await client().deleteMailHook(one)
}

/** To itself, so that one company gets both events. */
const notarize = async (): Promise<void> => {
  const [old, replaced] = [await notarizeOne(), await notarizeOne()]
  const body = { reason: 'Wrong heat' }
  await client().replaceCertificate({
    company: company(),
    params: { id: old },
    body: { ...body, replacedBy: replaced },
  })
  await client().withdrawCertificate({ company: company(), params: { id: old }, body })
  const since = '2026-01-01T00:00:00.000Z'
  await client().revokeIdentity({ ...inTest(), params: { id: identityId }, body: { ...body, since } })
  await eventually(async () =>
    (await eventsOf(server, company())).some(({ topic }) => topic.endsWith('/certificates/revoke_many')),
  )
}

/** The id of the certificate. */
const notarizeOne = async (): Promise<string> => {
  const { vatId } = owner.company
  const answer = await fetch(`${server.url}/api/certificates/notarize?mode=test&identity=${identityId}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${owner.admin.accessToken}`,
      company: company(),
      'content-type': 'application/json',
    },
    body: JSON.stringify(sampleCertificate({ receiver: { vatId } })),
  })
  assert.equal(answer.status, 201)
  const { jobId } = (await answer.json()) as { jobId: string }
  await endedNotarization(client(), { company: company(), jobId })
  return jobId
}

const leave = async (): Promise<void> => {
  await client().wipeWallet({ ...inTest(), params: { id: walletId } })
  const one = { params: { id: company() } }
  await client().updateCompany({ ...one, body: { name: 'Rolling Mill & Sons' } })
  await client().deleteCompany(one)
}

const everyEvent: readonly EventDeclaration[] = events
const ajv = new Ajv({ strict: false })
formats.default(ajv)

/** The event names of both variants, as the original system documents them. */
const named: Readonly<Record<EventVariant, readonly string[]>> = {
  current: [
    'companies/update_one companies/delete_one',
    'applications/create_one applications/update_one applications/delete_one',
    'wallets/create_one wallets/update_one wallets/delete_one',
    'identities/create_one identities/update_one identities/revoke_one transactions/sign transactions/send',
    'certificates/notarize_one certificates/receive_one certificates/withdraw_one certificates/replace_one',
    'certificates/revoke_many',
    'hooks/create_one hooks/update_one hooks/delete_one',
    'mail_hooks/create_one mail_hooks/update_one mail_hooks/delete_one',
  ].flatMap((line) => line.split(' ')),
  earlier: [
    'companies/update_one access_token/create_one access_token/update_one',
    'wallets/create_one wallets/update_one wallets/delete_one',
    'identities/create_one identities/notarize_one transactions/sign transactions/send',
    'certificates/notarize_one certificates/receive_one',
    'hooks/create_one hooks/update_one hooks/delete_one',
    'mail_hooks/create_one mail_hooks/update_one mail_hooks/delete_one',
  ].flatMap((line) => line.split(' ')),
}

describe('every declared event is produced, with the payload declared for it', () => {
  for (const declared of everyEvent) {
    const { resource, action, payload } = declared
    test(`${resource}/${action}`, () => {
      const produced = told.filter(({ topic }) => topic.endsWith(`/${resource}/${action}`))
      assert.ok(produced.length > 0, 'nothing produces it')
      const validate = ajv.compile(payload)
      for (const event of produced) {
        assert.match(event.topic, new RegExp(`^company/${company()}/(test|live)/`))
        assert.ok(validate(event.payload), JSON.stringify(validate.errors))
      }
    })
  }

  test('the events have the names of both variants', () => {
    for (const variant of ['current', 'earlier'] as const) {
      const declared = everyEvent.filter(({ variants }) => variants.includes(variant))
      assert.deepEqual(
        declared.map(({ resource, action }) => `${resource}/${action}`).toSorted(),
        named[variant].toSorted(),
      )
    }
  })
})
