import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Company, memberRoleOf, type Operation, operations } from '@millseal/contract'
import type { Client } from '@millseal/sdk'
import { openHouse, type TestHouse } from '../../test/house.ts'
import {
  enableMfa,
  foundCompany,
  type Person,
  signUp,
  signUpOperator,
  verifyCompany,
} from '../../test/people.ts'
import { sampleOf } from '../../test/sample.ts'
import { unbuilt } from '../../test/unbuilt.ts'

type Side = {
  readonly person: Person
  readonly company: Company
  /** Tokens of machines that may do everything a machine may do, one of each mode. */
  readonly machines: readonly string[]
  /** The records of this side, by what a path calls them. */
  readonly ids: Readonly<Record<string, string>>
}

let house: TestHouse
let ours: Side
let theirs: Side

const everyScope = () => {
  const scopes: Record<string, { actions: string[] }> = {}
  for (const { access, scope = [] } of Object.values<Operation>(operations)) {
    if (access !== 'bearer') continue
    for (const { resource, action } of scope) (scopes[resource] ??= { actions: [] }).actions.push(action)
  }
  return scopes
}

/** Keys, and a transaction made with them. */
const makeKeys = async (client: Client, company: string): Promise<Record<string, string>> => {
  const about = { company, query: { mode: 'test' } } as const
  const wallet = await client.createWallet({ ...about, body: {} })
  const body = { coinType: 822, account: 0, wallet: wallet.id }
  const { id, publicKey } = await client.createIdentity({ ...about, body })
  const createOptions = {
    asset: { heat: '4711' },
    metadata: null,
    issuers: [publicKey],
    recipients: [{ publicKeys: [publicKey], amount: '1' }],
  }
  const built = await client.buildTransaction({
    ...about,
    body: { coinType: 822, bcdbOptions: { operation: 'CREATE', createOptions } },
  })
  const { transaction } = await client.signTransaction({
    company,
    query: { mode: 'test', identity: id, type: 'transparent' },
    body: built,
  })
  return { wallets: wallet.id, identities: id, transactions: transaction.id }
}

const settle = async (name: string): Promise<Side> => {
  const person = await signUp(house, name)
  const operator = await signUpOperator(house)
  const company = await foundCompany(house, person)
  await verifyCompany(house, operator, company.id)
  await enableMfa(house, person)
  const client = house.client(person.accessToken)
  const header = { company: company.id }
  const made = await Promise.all(
    (['test', 'live'] as const).map((mode) =>
      client.createApplication({ ...header, body: { name: `${name} ${mode}`, mode, scopes: everyScope() } }),
    ),
  )
  const tokens = await Promise.all(
    made.map(({ clientId, clientSecret }) =>
      house.client().createToken({ body: { clientId, clientSecret } }),
    ),
  )
  const longLived = await client.createAccessToken({
    ...header,
    query: { mode: 'test' },
    body: { scopes: everyScope() },
  })
  const { authenticators } = await client.readMfa()
  const [session] = await client.listSessions()
  return {
    person,
    company,
    machines: [...tokens.map(({ accessToken }) => accessToken), longLived.jwt],
    ids: {
      companies: company.id,
      users: person.id,
      applications: made[0]?.id ?? '',
      accesstoken: longLived.id,
      sessions: session?.id ?? '',
      totp: authenticators[0]?.id ?? '',
      ...(await makeKeys(client, company.id)),
    },
  }
}

before(async () => {
  house = await openHouse({ environment: { MILLSEAL_OPERATOR_MFA: 'off' } })
  ours = await settle('our-mill')
  theirs = await settle('their-mill')
})
after(() => house[Symbol.asyncDispose]())

const built = Object.values<Operation>(operations).filter(
  ({ id, access, admin }) =>
    !unbuilt.includes(id) && (access === 'user' || access === 'bearer') && admin !== true,
)

/** What belongs to the platform, and is there for everybody to read. */
const common = ['/cointypes/', '/nodes/']

/** The path of an operation with the records of one side in it; nothing when it names none of a side. */
const pathTo = ({ path }: Operation, side: Side): string | undefined => {
  if (!path.includes('{') || common.some((start) => path.startsWith(start))) return undefined
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    if (name === 'userId') return side.person.id
    const noun = path.includes('/totp/') ? 'totp' : (path.split('/')[1] ?? '')
    return side.ids[noun] ?? assert.fail(`no record for ${path}`)
  })
}

const call = async (operation: Operation, path: string, token: string, company?: string) => {
  const query = new URLSearchParams({
    ...(operation.query === undefined ? {} : (sampleOf(operation.query) as Record<string, string>)),
    ...(operation.mode === 'query' ? { mode: 'test' } : {}),
  })
  const body = operation.body?.kind === 'json' ? JSON.stringify(sampleOf(operation.body.schema)) : undefined
  const response = await fetch(`${house.url}/api${path}?${query}`, {
    method: operation.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(company === undefined ? {} : { company }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  })
  return { status: response.status, text: await response.text() }
}

const ourSecrets = () => [ours.person.email, ours.company.vatId, ...Object.values(ours.ids)]

describe('two companies in one house', () => {
  test('no operation reads or changes a record of the other one: 404, as if it did not exist', async () => {
    let asked = 0
    for (const operation of built) {
      const path = pathTo(operation, ours)
      if (path === undefined) continue
      for (const token of [theirs.person.accessToken, ...theirs.machines]) {
        const own = operation.company === undefined ? undefined : theirs.company.id
        const { status, text } = await call(operation, path, token, own)
        const isPerson = token === theirs.person.accessToken
        const refused = isPerson ? [404] : [404, 403]
        assert.ok(
          refused.includes(status),
          `${operation.id} ${isPerson ? 'person' : 'machine'}: ${status} ${text}`,
        )
        for (const secret of [ours.person.email, ours.company.vatId])
          assert.ok(!text.includes(secret), operation.id)
        asked += 1
      }
    }
    assert.ok(asked > 80, String(asked))
  })

  test('the header of the other company opens nothing: 403', async () => {
    for (const operation of built.filter(({ company }) => company === 'required')) {
      const path = pathTo(operation, ours) ?? operation.path
      for (const token of [theirs.person.accessToken, ...theirs.machines]) {
        const { status, text } = await call(operation, path, token, ours.company.id)
        assert.equal(status, 403, `${operation.id}: ${text}`)
      }
    }
  })

  test('no list shows a record of the other one', async () => {
    for (const operation of built.filter(({ method, path }) => method === 'GET' && !path.includes('{'))) {
      for (const token of [theirs.person.accessToken, ...theirs.machines]) {
        const { status, text } = await call(operation, operation.path, token, theirs.company.id)
        assert.ok([200, 400, 403].includes(status), `${operation.id}: ${status} ${text}`)
        for (const secret of ourSecrets())
          assert.ok(!text.includes(secret), `${operation.id} shows ${secret}`)
      }
    }
  })

  test('a record of ours under a path of theirs is not found either', async () => {
    for (const operation of built.filter(({ path }) => path.includes('{userId}'))) {
      const path = operation.path.replace('{id}', theirs.company.id).replace('{userId}', ours.person.id)
      assert.equal((await call(operation, path, theirs.person.accessToken)).status, 404, operation.id)
    }
  })

  test('and nothing of ours has changed', async () => {
    const client = house.client(ours.person.accessToken)
    const me = await client.readMe()
    assert.deepEqual(
      me.companies.map(({ id }) => id),
      [ours.company.id],
    )
    assert.deepEqual(await client.readCompany({ params: { id: ours.company.id } }), me.companies[0])
    assert.equal((await client.listApplications({ company: ours.company.id })).length, 2)
    assert.equal((await client.readMfa()).authenticators.length, 1)
    for (const token of ours.machines) {
      assert.equal(
        (await house.client(token).readCompany({ params: { id: ours.company.id } })).id,
        ours.company.id,
      )
    }
    assert.ok(built.some((operation) => memberRoleOf(operation) !== undefined))
  })
})
