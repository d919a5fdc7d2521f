import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type EventDeclaration, type EventVariant, events } from '@millseal/contract'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { causeEveryEvent } from '../../test/every-event.ts'
import { newOwner, type Owner } from '../../test/machines.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { type Event, eventsOf } from '../../test/traces.ts'

let server: TestServer
let owner: Owner
let told: readonly Event[]
before(async () => {
  server = await startTestServer()
  owner = await newOwner(server, 'producer')
  await causeEveryEvent(server, owner)
  told = await eventsOf(server, owner.company.id)
})
after(() => server[Symbol.asyncDispose]())

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
        assert.match(event.topic, new RegExp(`^company/${owner.company.id}/(test|live)/`))
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
