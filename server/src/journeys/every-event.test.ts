import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type EventDeclaration, events } from '@millseal/contract'
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
})
