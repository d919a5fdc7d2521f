import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { ApplicationWithSecret, Identity } from '@millseal/contract'
import { sampleCertificate } from '../../../test/certificates.ts'
import { type ExactAnswer, sendExactly } from '../../../test/exact-request.ts'
import { startOwnServer, type TestServer } from '../../../test/test-server.ts'
import { newApplication, newOwner, type Owner } from '../../../test/machines.ts'
import { connectMqtt } from '../../../test/mqtt-client.ts'
import { type Receiver, startReceiver } from '../../../test/receiver.ts'

let server: TestServer
let receiver: Receiver
let mill: Owner
let application: ApplicationWithSecret
before(async () => {
  receiver = await startReceiver()
  server = await startOwnServer({ environment: { MILLSEAL_WEBHOOK_ALLOW: '127.0.0.1' } })
  mill = await newOwner(server, 'sap-mill')
  application = await newApplication(server, mill, {
    scopes: {
      certificates: { actions: ['*', 'receive_one'] },
      identities: { actions: ['read_many', 'read_one', 'create_one'] },
    },
  })
  const inTest = { company: mill.company.id, query: { mode: 'test' } } as const
  await server.client(mill.admin.accessToken).createWallet({ ...inTest, body: {} })
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

type Call = { readonly type?: string; readonly token?: string; readonly body?: string }

const ask = (path: string, { type, token, body }: Call = {}): Promise<ExactAnswer> =>
  sendExactly(server.url, {
    method: body === undefined ? 'GET' : 'POST',
    path: `/api${path}`,
    headers: {
      ...(type === undefined ? {} : { 'Content-Type': type }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}`, company: mill.company.id }),
    },
    ...(body === undefined ? {} : { body }),
  })
const json = 'application/json; charset=utf-8'

const signIn = async (): Promise<string> => {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: application.clientId,
    client_secret: application.clientSecret,
    scope: '',
  })
  const type = 'application/x-www-form-urlencoded; charset=utf-8'
  const { status, body } = await ask('/tokens/oauth2', { type, body: form.toString() })
  assert.deepEqual([status, body['token_type'], typeof body['expires_in']], [200, 'Bearer', 'number'])
  return String(body['access_token'])
}

/** It registers two, and uses the last one in the list. */
const lastIdentity = async (token: string): Promise<Identity> => {
  const wallets = await server.client(mill.admin.accessToken).readWalletOfCompany({
    params: { id: mill.company.id },
    query: { mode: 'test' },
  })
  const wanted = JSON.stringify({ coinType: 822, account: 0, wallet: wallets.id })
  for (const index of [0, 1]) {
    const made = await ask('/identities?mode=test', { type: json, token, body: wanted })
    assert.deepEqual([made.status, made.body['index']], [201, index])
  }
  const last = (JSON.parse((await ask('/identities?mode=test', { token })).text) as Identity[]).at(-1)
  assert.equal(last?.index, 1)
  return last
}

describe('the connector for SAP', () => {
  test('previews and notarizes, and gets the result by webhook and by MQTT over WebSocket', async () => {
    assert.equal((await ask('/health')).status, 200)
    const token = await signIn()
    const identity = await lastIdentity(token)
    const { secret } = await server.client(mill.admin.accessToken).createHook({
      company: mill.company.id,
      body: {
        name: 'SAP',
        connectionUrl: receiver.url,
        mode: 'test',
        scopes: [{ resource: 'certificates', actions: ['notarize_one', 'receive_one'] }],
        headers: [{ name: 'Authorization', value: 'Basic c2FwOnNhcA==' }],
      },
    })
    const { vhost } = await server.client(token).readBroker({})
    await using mqtt = await connectMqtt({
      url: `${server.url.replace('http', 'ws')}/ws/mqtt`,
      username: `${vhost}:${mill.company.id}`,
      password: token,
      clientId: `company_${mill.company.id}_sap`,
    })
    const topic = `company/${mill.company.id}/test/certificates/notarize_one`
    assert.deepEqual(await mqtt.subscribe(topic), [1])

    const certificate = sampleCertificate()
    const body = JSON.stringify(certificate)
    const preview = await ask('/certificates/render?type=pdf', { type: json, token, body })
    assert.deepEqual([preview.status, preview.headers['content-type']], [200, 'application/pdf'])
    assert.ok(preview.text.startsWith('%PDF-'))

    const notarize = () =>
      ask(`/certificates/notarize?identity=${identity.id}&mode=test`, { type: json, token, body })
    const accepted = await notarize()
    assert.deepEqual([accepted.status, accepted.body['isNewInstance']], [201, true])

    const [message] = await mqtt.receive(1)
    assert.equal(message?.topic, topic)
    assert.equal(
      (JSON.parse(message.payload) as { RefSchemaUrl: string }).RefSchemaUrl,
      certificate.RefSchemaUrl,
    )
    const [called] = await receiver.until(1)
    assert.equal(called?.headers['authorization'], 'Basic c2FwOnNhcA==')
    assert.deepEqual(JSON.parse(called.body.toString()), certificate)
    const [, at = '', hash] = /^t=(\d+),h=([0-9a-f]{64})$/.exec(String(called.headers['signature'])) ?? []
    assert.equal(hash, createHmac('sha256', secret).update(called.body).digest('hex'))
    assert.match(at, /^\d{10}$/)

    const done = await notarize()
    assert.deepEqual([done.status, done.body['isNewInstance']], [201, false])
    const verified = await ask('/certificates/verify?mode=test', { type: json, token, body })
    assert.deepEqual(
      [verified.body['isValid'], verified.body['transactionId']],
      [true, done.body['transactionId']],
    )
  })
})
