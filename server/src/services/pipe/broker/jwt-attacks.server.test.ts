import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { claimed } from '../../../../test/attacks/by-claim.ts'
import { forms, others } from '../../../../test/attacks/by-form.ts'
import { algorithms, headers, keys } from '../../../../test/attacks/by-header.ts'
import { type OpenTarget, openTarget } from '../../../../test/attacks/open-target.ts'
import { refusalOf } from '../../../../test/mqtt-client.ts'

let opened: OpenTarget
let vhost: string
let urls: readonly string[]
before(async () => {
  opened = await openTarget()
  const { server, owner } = opened.target
  const broker = await server.client(owner.admin.accessToken).readBroker({})
  vhost = broker.vhost
  urls = [broker.mqttUrl, broker.wsUrl]
})
after(() => opened[Symbol.asyncDispose]())

const knock = (url: string, id: string, password: string) =>
  refusalOf({ url, clientId: 'attacker', username: `${vhost}:${id}`, password, clean: true })

const tables = { algorithms, keys, headers, claims: claimed, form: forms, origin: others }
for (const [name, attacks] of Object.entries(tables)) {
  describe(`MQTT rejects tokens with a wrong ${name}`, () => {
    for (const [what, forged] of attacks) {
      test(`${what}: refused over TCP and WebSocket, as the company and as its admin`, async () => {
        const { owner } = opened.target
        const token = await forged(opened.target)
        for (const url of urls) {
          const asCompany = await knock(url, owner.company.id, token)
          assert.ok(asCompany === 4 || asCompany === 'closed', `${url}: ${asCompany}`)
          // Older clients of a person connect with the refresh token.
          const asAdmin = await knock(url, owner.admin.id, token)
          const isWelcome = what === 'a refresh token'
          assert.equal(asAdmin, isWelcome ? 'let in' : asCompany, url)
        }
      })
    }
  })
}

describe('tokens that MQTT accepts', () => {
  test('are those that were issued; no key is fetched from anywhere', async () => {
    assert.ok(Object.values(tables).flat().length >= 100)
    const { valid, owner } = opened.target
    for (const url of urls) {
      for (const token of [valid, opened.longLived]) {
        assert.equal(await knock(url, owner.company.id, token), 'let in')
      }
      assert.equal(await knock(url, owner.admin.id, owner.admin.accessToken), 'let in')
    }
    assert.deepEqual(opened.baited, [])
  })
})
