import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ApplicationWithSecret, Identity } from '@millseal/contract'
import { sampleCertificate } from '../../../test/certificates.ts'
import { eventually } from '../../../test/eventually.ts'
import { type ExactAnswer, type ExactRequest, sendExactly } from '../../../test/exact-request.ts'
import { startOwnServer, type TestServer } from '../../../test/test-server.ts'
import { newApplication, newOwner, type Owner } from '../../../test/machines.ts'
import { connectMqtt } from '../../../test/mqtt-client.ts'

/** As the setup guide of such a client recommends. */
const scopes = {
  certificates: { actions: ['*', 'receive_one'] },
  identities: { actions: ['read_many', 'read_one'] },
}

let server: TestServer
let mill: Owner
let identity: Identity
let application: ApplicationWithSecret
before(async () => {
  server = await startOwnServer()
  mill = await newOwner(server, 'node-red-mill')
  application = await newApplication(server, mill, { scopes })
  const client = server.client(mill.admin.accessToken)
  const about = { company: mill.company.id, query: { mode: 'test' } } as const
  const wallet = await client.createWallet({ ...about, body: {} })
  identity = await client.createIdentity({ ...about, body: { coinType: 822, account: 0, wallet: wallet.id } })
})
after(() => server[Symbol.asyncDispose]())

const send = (request: ExactRequest): Promise<ExactAnswer> => sendExactly(server.url, request)
const axios = (agent: string) => ({
  Accept: 'application/json, text/plain, */*',
  'Content-Type': 'application/json',
  'User-Agent': agent,
  'Accept-Encoding': 'gzip, compress, deflate, br',
})
const hashOf = ({ body }: ExactAnswer) => body['hash'] ?? body

describe('the nodes of Node-RED', () => {
  test('get a token, notarize a certificate, receive the event and verify the certificate', async () => {
    const plain = { ...axios('node-red-s1seven-api/1.3.0/workstation'), 'x-version': '1' }
    const { clientId, clientSecret } = application
    const given = await send({
      method: 'POST',
      path: '/api/tokens',
      headers: plain,
      body: JSON.stringify({ clientId, clientSecret }),
    })
    const { accessToken, application: from } = given.body as {
      accessToken: string
      application: { mode: 'test'; owner: { id: string } }
    }
    // Every later call sends both.
    const known = { ...plain, authorization: `Bearer ${accessToken}`, company: from.owner.id }
    const ask = (path: string, body?: object) =>
      send({
        method: body === undefined ? 'GET' : 'POST',
        path: `/api${path}`,
        headers: known,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    const certificate = sampleCertificate({ receiver: { vatId: mill.company.vatId } })

    const hashed = await ask('/certificates/hash', {
      algorithm: 'sha256',
      encoding: 'hex',
      source: certificate,
    })
    assert.equal(hashed.status, 201)
    assert.deepEqual(Object.keys(hashed.body), ['algorithm', 'encoding', 'value'])
    const validated = await ask('/certificates/validate', certificate)
    assert.deepEqual([validated.status, validated.body], [200, certificate])
    for (const filter of ['', '&coinType=822&status=valid&account=0&index=0']) {
      const listed = await ask(`/identities?mode=${from.mode}${filter}`)
      assert.deepEqual(
        (JSON.parse(listed.text) as Identity[]).map(({ id }) => id),
        [identity.id],
      )
    }
    assert.deepEqual(JSON.parse((await ask('/identities?mode=test&index=1')).text), [])

    await using mqtt = await connectMqtt({
      url: server.composed.mqttUrl(),
      username: `${(await server.client(accessToken).readBroker({})).vhost}:${from.owner.id}`,
      password: accessToken,
      clientId: `company_${from.owner.id}_node-red-(workstation.example.com)-(linux)-(x64)`,
    })
    const topics = [
      `company/${from.owner.id}/*/certificates/receive_one`,
      `company/${from.owner.id}/test/certificates/notarize_one`,
    ]
    assert.deepEqual(await mqtt.subscribe(...topics), [1, 1])

    const path = `/certificates/notarize?identity=${identity.id}&mode=${from.mode}`
    const notarized = await ask(path, certificate)
    assert.deepEqual([notarized.status, notarized.body['isNewInstance']], [201, true])
    assert.deepEqual(hashOf(notarized), hashOf(hashed))
    const messages = await mqtt.receive(2)
    assert.deepEqual(messages.map(({ topic }) => topic).toSorted(), topics.toSorted())
    for (const { payload } of messages) assert.deepEqual(JSON.parse(payload), certificate)

    const verified = await ask('/certificates/verify?mode=test', certificate)
    assert.equal(verified.body['isValid'], true)
    const again = await ask(path, certificate)
    assert.deepEqual(
      [again.status, again.body['isNewInstance'], again.body['transactionId']],
      [201, false, verified.body['transactionId']],
    )
    const refused = await ask('/certificates/validate', { ...certificate, Certificate: {} })
    assert.strictEqual(refused.body['statusCode'], 400)
  })

  test('verify without a token, or with an expired one', async () => {
    const body = JSON.stringify(sampleCertificate())
    const headers = axios('node-red-s1seven-api/1.3.0/workstation')
    const stale = { authorization: 'Bearer stale', company: 'unknown', 'x-version': '1' }
    for (const more of [{}, stale] as Record<string, string>[]) {
      const path = '/api/certificates/verify?mode=test'
      const { status, body: answer } = await send({
        method: 'POST',
        path,
        headers: { ...headers, ...more },
        body,
      })
      assert.deepEqual([status, answer['isValid']], [200, false])
    }
  })

  test('of the first version work with a pasted token, no version, an empty company and a slash before the query', async () => {
    const signedIn = await mill.signInAgain()
    const { jwt } = await server.client(signedIn.accessToken).createAccessToken({
      company: mill.company.id,
      query: { mode: 'test' },
      body: { scopes },
    })
    const headers = axios('axios/0.27.2')
    const known = { ...headers, authorization: `Bearer ${jwt}` }
    const certificate = sampleCertificate()
    const post = (path: string, sent: Record<string, string>, body: object) =>
      send({ method: 'POST', path, headers: sent, body: JSON.stringify(body) })

    const mine = { ...known, company: '' }
    const listed = await send({ method: 'GET', path: '/api/identities?mode=test', headers: mine })
    assert.equal((JSON.parse(listed.text) as Identity[])[0]?.id, identity.id)
    const hashed = await post('/api/certificates/hash', known, {
      algorithm: 'sha256',
      encoding: 'hex',
      source: certificate,
    })
    const path = `/api/certificates/notarize?identity=${identity.id}&mode=test`
    const notarized = await post(path, { ...known, company: mill.company.id }, certificate)
    assert.equal(notarized.status, 201)
    assert.deepEqual(hashOf(notarized), hashOf(hashed))
    await eventually(async () => {
      const verified = await post('/api/certificates/verify/?mode=test', headers, certificate)
      return verified.body['isValid'] === true
    })
  })
})
