import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { everyScope, newApplication, newOwner, type Owner, tokenOf } from '../../../../test/machines.ts'
import { type ConnectOptions, connectMqtt, refusalOf, type TestClient } from '../../../../test/mqtt-client.ts'
import { password, signUp } from '../../../../test/people.ts'

let server: TestServer
let owner: Owner
before(async () => {
  server = await startOwnServer()
  owner = await newOwner(server, 'melter')
})
after(() => server[Symbol.asyncDispose]())

/** Asks the API how to connect, as an integrator does. */
const connectOptions = async (
  token: string,
  company?: string,
): Promise<ConnectOptions & { topics: string[] }> => {
  const broker = await server.client(token).readBroker(company === undefined ? {} : { company })
  return {
    url: broker.mqttUrl,
    username: broker.username,
    password: token,
    clientId: `${broker.clientIdPrefix}test-${randomUUID()}`,
    topics: broker.topics,
  }
}

const applicationToken = async (scopes = everyScope): Promise<string> =>
  tokenOf(server, await newApplication(server, owner, { scopes }))

const admin = () => server.client(owner.admin.accessToken)
const renameCompany = (name: string) =>
  admin().updateCompany({ params: { id: owner.company.id }, body: { name } })

const companyUpdates = () => `company/${owner.company.id}/+/companies/update_one`
const withTopics = async (token: string): Promise<TestClient> => {
  const { topics, ...options } = await connectOptions(token)
  const client = await connectMqtt(options)
  assert.deepEqual([...new Set(await client.subscribe(...topics))], [1])
  return client
}

describe('GET /broker', () => {
  test('shows a person the topics of their own events, with a vhost that stays the same', async () => {
    const read = () => admin().readBroker({})
    const broker = await read()
    const { id } = owner.admin
    assert.match(broker.vhost, /^[a-z]{8}$/)
    assert.equal(broker.username, `${broker.vhost}:${id}`)
    assert.equal(broker.clientIdPrefix, `user_${id}_`)
    assert.match(broker.mqttUrl, /^mqtt:\/\/localhost:\d+$/)
    assert.equal(broker.wsUrl, `${server.url.replace('http', 'ws')}/ws/mqtt`)
    assert.deepEqual(broker.topics, [`user/${id}/#`])
    assert.deepEqual(await read(), broker)
  })

  test('shows a member the topics of their company, and refuses everybody else', async () => {
    const company = owner.company.id
    const broker = await admin().readBroker({ company })
    assert.equal(broker.username, `${broker.vhost}:${company}`)
    assert.ok(broker.topics.includes(`company/${company}/+/certificates/notarize_one`))
    const stranger = await signUp(server, 'passer-by')
    await assert.rejects(server.client(stranger.accessToken).readBroker({ company }), { status: 403 })
  })

  test('shows a machine the topics that its scopes permit', async () => {
    const token = await applicationToken({ certificates: { actions: ['notarize_one', 'read_one'] } })
    const broker = await server.client(token).readBroker({})
    assert.deepEqual(
      broker.topics,
      ['notarize_one', 'withdraw_one', 'replace_one', 'revoke_many'].map(
        (action) => `company/${owner.company.id}/test/certificates/${action}`,
      ),
    )
  })
})

describe('a member of a company', () => {
  test('hears its events in test mode, and in live mode only with a review and a second factor', async () => {
    const { company, id } = { company: owner.company.id, id: owner.admin.id }
    const { username, clientIdPrefix, mqttUrl: url } = await admin().readBroker({ company })
    const connect = { url, username, password: owner.admin.accessToken, clientId: `${clientIdPrefix}${id}` }
    await using member = await connectMqtt(connect)
    assert.deepEqual(
      await member.subscribe(
        `company/${company}/test/certificates/notarize_one`,
        `company/${company}/live/certificates/notarize_one`,
        `company/${randomUUID()}/test/certificates/notarize_one`,
        `user/${id}/#`,
      ),
      [1, 128, 128, 128],
    )
    const application = await newApplication(server, owner, { scopes: everyScope })
    await member.subscribe(`company/${company}/test/applications/delete_one`)
    await admin().deleteApplication({ params: { id: application.id }, company })
    const [heard] = await member.receive(1)
    assert.equal(heard?.topic, `company/${company}/test/applications/delete_one`)
  })
})

describe('an event of the service', () => {
  test('reaches the company through its application and each member through their token', async () => {
    await using machine = await withTopics(await applicationToken())
    await using person = await withTopics(owner.admin.accessToken)
    await machine.subscribe(companyUpdates())
    await renameCompany('Rolling Mill North')
    const [told] = await person.receive(1)
    assert.equal(told?.topic, `user/${owner.admin.id}/live/companies/update_one`)
    const payload = JSON.parse(told?.payload ?? '') as Record<string, unknown>
    assert.equal(payload['name'], 'Rolling Mill North')
    assert.equal(payload['id'], owner.company.id)
  })

  test('of live mode does not reach a token of test mode', async () => {
    await using machine = await withTopics(await applicationToken())
    await using person = await withTopics(owner.admin.accessToken)
    await renameCompany('Rolling Mill South')
    await person.receive(1)
    assert.deepEqual(machine.received, [])
  })

  test('arrives over WebSocket with a refresh token, which older clients present', async () => {
    const { refreshToken } = await server.client().login({ body: { username: 'melter', password } })
    const { wsUrl, username, clientIdPrefix } = await admin().readBroker({})
    await using client = await connectMqtt({
      url: wsUrl,
      username,
      password: refreshToken,
      clientId: `${clientIdPrefix}older`,
    })
    await client.subscribe(`user/${owner.admin.id}/+/companies/update_one`)
    await renameCompany('Rolling Mill West')
    await client.receive(1)
    const refreshed = await server.client().refreshSession({ headers: { refresh: `Bearer ${refreshToken}` } })
    assert.ok(refreshed.accessToken.length > 0, 'presenting it has not used it up')
  })
})

describe('a connection is refused', () => {
  test('with the token of somebody else, another vhost, or a client id of others', async () => {
    const token = await applicationToken()
    const { topics: _topics, ...good } = await connectOptions(token)
    const [vhost = ''] = (good.username ?? '').split(':')
    const stranger = await signUp(server, `stranger-${randomUUID().slice(0, 8)}`)
    const refusals: [string, Partial<ConnectOptions>, number][] = [
      ['the id of a user', { username: `${vhost}:${owner.admin.id}` }, 4],
      ['another vhost', { username: `${vhost}x:${owner.company.id}` }, 4],
      ['no vhost', { username: owner.company.id }, 4],
      ['the token of a stranger', { password: stranger.accessToken }, 4],
      ['no token', { password: '' }, 4],
      ['a client id of another company', { clientId: `company_${randomUUID()}_x` }, 2],
      ['a client id of a user', { clientId: `user_${owner.company.id}_x` }, 2],
      ['a client id with a control character', { clientId: 'a\u0007b' }, 2],
    ]
    for (const [what, changes, code] of refusals) {
      assert.equal(await refusalOf({ ...good, ...changes }), code, what)
    }
    assert.equal(await refusalOf(good), 'let in')
  })

  test('with a refresh token that was replaced', async () => {
    const { refreshToken } = await server.client().login({ body: { username: 'melter', password } })
    const next = await server.client().refreshSession({ headers: { refresh: `Bearer ${refreshToken}` } })
    const { username, mqttUrl: url } = await admin().readBroker({})
    const at = (secret: string) => refusalOf({ url, username, password: secret, clientId: 'older' })
    assert.equal(await at(refreshToken), 4)
    assert.equal(await at(next.refreshToken ?? ''), 'let in')
  })
})

describe('a connection ends when', () => {
  test('the secret of its application is rotated', async () => {
    const application = await newApplication(server, owner, { scopes: everyScope })
    await using client = await withTopics(await tokenOf(server, application))
    await admin().rotateApplicationSecret({ params: { id: application.id }, company: owner.company.id })
    await client.closed()
  })

  test('its application is deleted', async () => {
    const application = await newApplication(server, owner, { scopes: everyScope })
    await using client = await withTopics(await tokenOf(server, application))
    await admin().deleteApplication({ params: { id: application.id }, company: owner.company.id })
    await client.closed()
  })

  test('its long-lived token is revoked', async () => {
    const { id, jwt } = await admin().createAccessToken({
      company: owner.company.id,
      query: { mode: 'test' },
      body: { scopes: everyScope },
    })
    await using client = await withTopics(jwt)
    await admin().revokeAccessToken({ params: { id }, company: owner.company.id })
    await client.closed()
  })

  test('the person who created its long-lived token leaves the company', async () => {
    const leaver = await signUp(server, `leaver-${randomUUID().slice(0, 8)}`)
    const params = { id: owner.company.id }
    await admin().addMember({ params, body: { email: leaver.email, role: 'admin' } })
    const { jwt } = await server.client(leaver.accessToken).createAccessToken({
      company: owner.company.id,
      query: { mode: 'test' },
      body: { scopes: everyScope },
    })
    await using client = await withTopics(jwt)
    await admin().removeMember({ params: { id: owner.company.id, userId: leaver.id } })
    await client.closed()
  })

  test('its user signs out', async () => {
    const { accessToken } = await server.client().login({ body: { username: 'melter', password } })
    await using client = await withTopics(accessToken)
    await server.client(accessToken).logout({})
    await client.closed()
  })

  test('it loses a scope that it listens with; others continue', async () => {
    const application = await newApplication(server, owner, { scopes: everyScope })
    const token = await tokenOf(server, application)
    await using listener = await withTopics(token)
    const { topics: _topics, ...options } = await connectOptions(token)
    await using modest = await connectMqtt(options)
    const kept = `company/${owner.company.id}/test/hooks/create_one`
    await modest.subscribe(kept)
    await admin().updateApplication({
      params: { id: application.id },
      company: owner.company.id,
      body: { scopes: { hooks: { actions: ['create_one'] } } },
    })
    await listener.closed()
    assert.deepEqual(await modest.subscribe(kept), [1])
  })

  test('its token expires', async () => {
    const { accessToken } = await owner.signInAgain()
    await using client = await withTopics(accessToken)
    const { topics: _topics, ...options } = await connectOptions(accessToken)
    server.clock.advance({ minutes: 16 })
    await client.closed()
    assert.equal(await refusalOf(options), 4)
  })
})
