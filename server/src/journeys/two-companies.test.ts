import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { memberRoleOf, type Operation, operations } from '@millseal/contract'
import { type Side, settle } from '../../test/belongings.ts'
import { sampleCertificate } from '../../test/certificates.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { sampleOf } from '../../test/sample.ts'

let server: TestServer
let ours: Side
let theirs: Side

before(async () => {
  server = await startTestServer()
  ours = await settle(server, 'our-mill')
  theirs = await settle(server, 'their-mill')
})
after(() => server[Symbol.asyncDispose]())

const ofCompanies = Object.values<Operation>(operations).filter(
  ({ access, admin }) => (access === 'user' || access === 'bearer') && admin !== true,
)

/** Records of the platform, which everybody can read. */
const common = ['/cointypes/', '/nodes/', '/certificates/proof/']

/** The path of an operation with the records of one company; undefined if it names none. */
const pathTo = ({ path }: Operation, side: Side): string | undefined => {
  if (!path.includes('{') || common.some((start) => path.startsWith(start))) return undefined
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    if (name === 'userId') return side.person.id
    const noun = path.includes('/totp/') ? 'totp' : (path.split('/')[1] ?? '')
    return side.ids[noun] ?? assert.fail(`no record for ${path}`)
  })
}

/** Records that a query can name, by what the query calls them. */
const namedInQuery: Readonly<Record<string, string>> = {
  identity: 'identities',
  wallet: 'wallets',
  hook: 'hooks',
  mailhook: 'mailhooks',
}

type Call = {
  readonly path: string
  readonly token: string
  readonly company?: string | undefined
  readonly query?: object
}

const call = async (operation: Operation, { path, token, company, query = {} }: Call) => {
  const parameters = new URLSearchParams({
    ...(operation.query === undefined ? {} : (sampleOf(operation.query) as Record<string, string>)),
    ...(operation.mode === 'query' ? { mode: 'test' } : {}),
    ...query,
  })
  const body = bodyOf(operation)
  const response = await fetch(`${server.url}/api${path}?${parameters}`, {
    method: operation.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(company === undefined ? {} : { company }),
      ...(body === undefined ? {} : { 'content-type': typeOf(operation) }),
    },
    ...(body === undefined ? {} : { body }),
  })
  return { status: response.status, text: await response.text() }
}

const bodyOf = ({ id, body }: Operation): string | undefined => {
  if (id === 'transactions.sign' || id === 'transactions.partial_sign') return JSON.stringify(theirs.unsigned)
  if (body?.kind === 'json') return JSON.stringify(sampleOf(body.schema))
  return body?.kind === 'document' ? JSON.stringify(sampleCertificate()) : undefined
}

const typeOf = ({ body }: Operation): string =>
  body?.kind === 'document' ? (body.accepts[0] ?? '') : 'application/json'

const ourSecrets = () => [ours.person.email, ours.company.vatId, ...Object.values(ours.ids)]

/** A batch of one, whose only line says 404. */
const isRefusedBatch = (text: string): boolean =>
  /^\{"item":1,"status":404,.*\}\n\{"end":true,"items":1,"failed":1\}\n$/.test(text)

describe('two companies on one server', () => {
  test('no operation reads or changes a record of the other one: 404, as if it did not exist', async () => {
    let asked = 0
    for (const operation of ofCompanies) {
      const path = pathTo(operation, ours)
      if (path === undefined) continue
      for (const token of [theirs.person.accessToken, ...theirs.machines]) {
        const own = operation.company === undefined ? undefined : theirs.company.id
        const { status, text } = await call(operation, { path, token, company: own })
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

  test('the header with the other company gives no access: 403', async () => {
    for (const operation of ofCompanies.filter(({ company }) => company === 'required')) {
      const path = pathTo(operation, ours) ?? operation.path
      for (const token of [theirs.person.accessToken, ...theirs.machines]) {
        const { status, text } = await call(operation, { path, token, company: ours.company.id })
        assert.equal(status, 403, `${operation.id}: ${text}`)
      }
    }
  })

  test('no list contains a record of the other one', async () => {
    for (const operation of ofCompanies.filter(
      ({ method, path }) => method === 'GET' && !path.includes('{'),
    )) {
      for (const token of [theirs.person.accessToken, ...theirs.machines]) {
        const about = { path: operation.path, token, company: theirs.company.id }
        const { status, text } = await call(operation, about)
        assert.ok([200, 400, 403].includes(status), `${operation.id}: ${status} ${text}`)
        for (const secret of ourSecrets())
          assert.ok(!text.includes(secret), `${operation.id} shows ${secret}`)
      }
    }
  })

  test('a record of the other one named in a query is not found, or matches nothing', async () => {
    let asked = 0
    for (const operation of ofCompanies) {
      for (const name of Object.keys(operation.query?.properties ?? {})) {
        const id = ours.ids[namedInQuery[name] ?? '']
        const path = pathTo(operation, theirs) ?? operation.path
        if (id === undefined) continue
        for (const token of [theirs.person.accessToken, theirs.machines[0] ?? '']) {
          const about = { path, token, company: theirs.company.id, query: { [name]: id } }
          const { status, text } = await call(operation, about)
          const isNothing = status === 404 || (status === 200 && (text === '[]' || isRefusedBatch(text)))
          assert.ok(isNothing, `${operation.id}: ${status} ${text}`)
          asked += 1
        }
      }
    }
    assert.ok(asked >= 8, String(asked))
  })

  test('a record of ours under a path of theirs is not found either', async () => {
    for (const operation of ofCompanies.filter(({ path }) => path.includes('{userId}'))) {
      const path = operation.path.replace('{id}', theirs.company.id).replace('{userId}', ours.person.id)
      const token = theirs.person.accessToken
      assert.equal((await call(operation, { path, token })).status, 404, operation.id)
    }
  })

  test('none of these calls changes anything', async () => {
    const client = server.client(ours.person.accessToken)
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
        (await server.client(token).readCompany({ params: { id: ours.company.id } })).id,
        ours.company.id,
      )
    }
    assert.ok(ofCompanies.some((operation) => memberRoleOf(operation) !== undefined))
  })
})
