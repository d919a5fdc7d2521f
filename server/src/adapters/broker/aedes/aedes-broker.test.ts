import { after, before } from 'node:test'
import { openTestDatabase } from '../../../../test/database.ts'
import { describeBroker } from '../../../ports/broker/broker.suite.ts'
import type { Database } from '../../../ports/database/database.ts'
import { openAedes } from './open-broker.suite.ts'

let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database[Symbol.asyncDispose]())

describeBroker('aedes', (authenticator) => openAedes(database, authenticator))
