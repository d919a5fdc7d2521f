import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Client } from 'pg'
import { eventually } from '../../../server/test/eventually.ts'
import { lacksMounting } from '../../../server/test/faulty-disk.ts'
import { checkBundles, checkRecords, drained } from '../faults/count.ts'
import { foundMill } from '../faults/mill.ts'
import { seeded } from '../faults/random.ts'
import { kinds, openInstallation } from './installation.ts'
import { startLoad } from './load.ts'
import { runRounds } from './rounds.ts'

const cannotMount = await lacksMounting()

describe('faults at random, under load', () => {
  for (const kind of kinds)
    test(`lose and double nothing: ${kind}`, async () => {
      const given = { rounds: 1, random: seeded(3), everyMs: 300, canMount: cannotMount === false }
      const { accepted, differences } = await runRounds({ kind, ...given, print: () => {} })
      assert.deepEqual(differences, [])
      assert.ok(accepted > 0)
    })

  test('are proven by a count that notices one lost certificate and one event too many', async () => {
    await using installation = await openInstallation('embedded', { canMount: false })
    const mill = await foundMill(installation)
    for (const one of installation.processes) await one.start()
    const { accepted } = await acceptedBy({ installation, mill })
    const given = { installation, mill, accepted }
    await drained(given)
    const lost = { number: 'CHAOS-0', hash: '0'.repeat(64) }
    assert.equal((await checkBundles({ ...given, accepted: [lost] })).length, 1)
    for (const one of installation.processes) await one.stop()
    assert.deepEqual(await checkRecords(given), [])
    const found = await checkRecords({ ...given, accepted: [...accepted, lost] })
    for (const about of ['certificates', 'entries', 'events', 'mails', 'webhooks'])
      assert.ok(
        found.some((line) => line.startsWith(about)),
        about,
      )
    await repeatAnEvent(installation)
    assert.match((await checkRecords(given)).join(), /^events notarize_one: /)
  })
})

const acceptedBy = async (given: Omit<Parameters<typeof startLoad>[0], 'everyMs'>) => {
  await using load = startLoad({ ...given, everyMs: 50 })
  await eventually(() => load.accepted.length >= 3)
  return load
}

const repeatAnEvent = async (installation: Awaited<ReturnType<typeof openInstallation>>): Promise<void> => {
  await using database = await installation.openDatabase()
  const client = new Client(database.connection)
  await client.connect()
  await client.query(`
    insert into outbox (id, owner_kind, owner_id, mode, resource, action, payload, occurred_at)
    select gen_random_uuid(), owner_kind, owner_id, mode, resource, action, payload, occurred_at
    from outbox where action = 'notarize_one' limit 1`)
  await client.end()
}
