import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Broker, ListeningToken } from '@millseal/contract'
import { consoleHeaders, openBrowser, signInBy } from '../../../../test/browser.ts'
import { connectMqtt } from '../../../../test/mqtt-client.ts'
import { foundCompany, password, signUp } from '../../../../test/people.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server[Symbol.asyncDispose]())

describe('the password for live events', () => {
  test('needs no recent sign-in, opens the broker for the company, and no call of the API', async () => {
    const person = await signUp(server, 'listener')
    const { id: company } = await foundCompany(server, person)
    const browser = openBrowser()
    await signInBy(browser, server, { login: 'listener', password })
    const call = async <Answer>(path: string, headers = {}): Promise<Answer> => {
      const at = { headers: { ...consoleHeaders, ...headers, origin: server.url } }
      const answer = await browser.call(`${server.url}/api${path}`, at)
      assert.equal(answer.status, 200, await answer.clone().text())
      return (await answer.json()) as Answer
    }
    server.clock.advance({ minutes: 11 })
    const { accessToken } = await call<ListeningToken>('/users/me/listening-token')
    await assertRefused(server.client(accessToken).readMe(), 'token_invalid')
    const { wsUrl, username, clientIdPrefix, topics } = await call<Broker>('/broker', { company })
    const client = await connectMqtt({
      url: wsUrl,
      username,
      clientId: `${clientIdPrefix}page`,
      password: accessToken,
    })
    assert.deepEqual([...new Set(await client.subscribe(...topics))], [1])
    await assertRefused(server.client(accessToken).readMe(), 'token_invalid')
    client.mqtt.end(true)
  })

  test('does not open the broker once its session has ended', async () => {
    const { accessToken } = await signUp(server, 'leaver')
    const client = server.client(accessToken)
    const { accessToken: listening } = await client.readListeningToken()
    const { mqttUrl, username, clientIdPrefix } = await client.readBroker({})
    const options = { url: mqttUrl, username, clientId: `${clientIdPrefix}gone`, password: listening }
    await client.logout()
    await assert.rejects(connectMqtt(options))
  })
})
