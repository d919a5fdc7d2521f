import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'
import { everyScope, newApplication, newOwner, type Owner, tokenOf } from '../../test/machines.ts'
import { connectMqtt, refusalOf } from '../../test/mqtt-client.ts'
import { lacksRabbitMq, startRabbitMq, type TestRabbitMq } from '../../test/rabbitmq.ts'
import { freePort } from '../../test/server-process.ts'

const secret = randomBytes(32).toString('hex')
const vhost = 'mill'
const skip = await lacksRabbitMq()

describe('a server with RabbitMQ as its broker', { skip }, () => {
  let rabbit: TestRabbitMq
  let server: TestServer
  let owner: Owner
  before(async () => {
    const port = await freePort()
    rabbit = await startRabbitMq({ vhost, secret, askUrl: `http://127.0.0.1:${port}` })
    server = await startOwnServer({
      environment: {
        MILLSEAL_PORT: String(port),
        MILLSEAL_VHOST: vhost,
        MILLSEAL_BROKER_AUTH_SECRET: secret,
        MILLSEAL_MQTT_URL: rabbit.mqttUrl,
        AMQP_URL: rabbit.amqpUrl,
      },
    })
    owner = await newOwner(server, 'scaled-out')
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await rabbit[Symbol.asyncDispose]()
  })

  test('is ready only while RabbitMQ runs', async () => {
    const { dependencies } = await server.client().readReadiness({})
    assert.ok(dependencies.some(({ name, status }) => name === 'broker' && status === 'up'))
  })

  test('sends a person the event of a change, over MQTT and over WebSocket', async () => {
    const { accessToken } = owner.admin
    const client = server.client(accessToken)
    const { username, clientIdPrefix, mqttUrl, topics } = await client.readBroker({})
    assert.equal(mqttUrl, rabbit.mqttUrl)
    const connect = (url: string, name: string) =>
      connectMqtt({ url, username, password: accessToken, clientId: `${clientIdPrefix}${name}` })
    await using tcp = await connect(mqttUrl, 'tcp')
    await using ws = await connect(rabbit.wsUrl, 'ws')
    for (const each of [tcp, ws]) assert.deepEqual(await each.subscribe(...topics), [1])
    await client.updateCompany({ params: { id: owner.company.id }, body: { name: 'Rolling Mill East' } })
    for (const each of [tcp, ws]) {
      const [message] = await each.receive(1)
      assert.equal(message?.topic, `user/${owner.admin.id}/live/companies/update_one`)
    }
  })

  test('accepts a company with the token of an application, for the topics of its scopes only', async () => {
    const application = await newApplication(server, owner, { scopes: everyScope })
    const token = await tokenOf(server, application)
    const { username, clientIdPrefix, mqttUrl: url, topics } = await server.client(token).readBroker({})
    const good = { url, username, password: token, clientId: `${clientIdPrefix}erp` }
    const { accessToken, refreshToken } = owner.admin
    assert.equal(await refusalOf({ ...good, password: accessToken }), 'let in', 'a member')
    assert.equal(await refusalOf({ ...good, password: refreshToken }), 4)
    assert.equal(await refusalOf({ ...good, clientId: 'erp' }), 4)
    await using client = await connectMqtt(good)
    assert.deepEqual([...new Set(await client.subscribe(...topics))], [1])
    await using curious = await connectMqtt({ ...good, clientId: `${clientIdPrefix}curious` })
    await assert.rejects(curious.subscribe(`company/${owner.company.id}/live/companies/update_one`))
  })

  test('authorizes clients for nobody but RabbitMQ', async () => {
    const ask = (authorization?: string) =>
      fetch(`${server.url}/broker/auth/user`, {
        method: 'POST',
        headers: authorization === undefined ? {} : { authorization },
        body: new URLSearchParams({ username: 'x', password: 'y', vhost, client_id: 'z' }),
      })
    assert.equal((await ask()).status, 401)
    assert.equal((await ask(`Basic ${btoa('rabbitmq:guess')}`)).status, 401)
    const answered = await ask(`Basic ${btoa(`rabbitmq:${secret}`)}`)
    assert.equal(answered.status, 200)
    assert.equal(await answered.text(), 'deny')
  })
})
