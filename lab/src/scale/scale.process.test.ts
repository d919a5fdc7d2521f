import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../../server/test/eventually.ts'
import { foundMill } from '../faults/mill.ts'
import { seeded } from '../faults/random.ts'
import { openCertificates } from '../faults/certificates.ts'
import { checkGrowth } from './checkpoints.ts'
import { countAfterwards, countWhileRunning } from './count.ts'
import { lacksParts, openInstallation } from './installation.ts'
import { startLoad } from './load.ts'
import { reportOf } from './report.ts'
import { run } from './run.ts'
import { manage } from './service-manager.ts'
import { subscribe } from './subscriber.ts'

describe('an installation of several processes with RabbitMQ, S3 and nginx', {
  skip: await lacksParts(),
}, () => {
  test('loses and doubles nothing while random parts fail under load', async (t) => {
    const times = { everyMs: 2_000, checkpointEveryMs: 2_000 }
    const isOver = (inflicted: number) => inflicted >= 3
    const result = await run({ ...times, rate: 2, random: seeded(7), isOver, print: () => {} })
    const report = reportOf(result)
    t.diagnostic(report.join('\n'))
    assert.deepEqual(result.differences, [])
    assert.ok(result.accepted > 0)
    assert.ok(result.checkpoints > 0)
    assert.equal(result.faults.length, 3)
    for (const { name } of result.faults) assert.ok(report.some((line) => line.startsWith(`| ${name} |`)))
  })

  test('is counted so that one lost certificate, message, event and entry is noticed', async () => {
    const certificates = await openCertificates()
    await using installation = await openInstallation()
    const mill = await foundMill(installation)
    await using manager = await manage(installation.processes)
    await using subscriber = await subscribe(installation, mill)
    const load = startLoad({ installation, mill, certificates, rate: 5 })
    await eventually(() => load.accepted.length >= 3)
    await load[Symbol.asyncDispose]()
    const given = { installation, mill, accepted: load.accepted, subscriber, notes: [] }
    // The count waits until all processes are up again.
    await installation.processes[0]?.kill()
    assert.deepEqual(await countWhileRunning({ ...given, manager }), [])

    const note = await (await fetch(`${installation.url}/ledger/test/checkpoint`)).text()
    assert.deepEqual(await checkGrowth(installation.url, [note]), [])
    const [name, size, root, ...rest] = note.split('\n')
    const other = [name, size, root?.replace(/./, (first) => (first === 'A' ? 'B' : 'A')), ...rest].join('\n')
    assert.equal((await checkGrowth(installation.url, [other])).length, 1)

    await manager[Symbol.asyncDispose]()
    assert.deepEqual(await countAfterwards(given), [])
    const [first, ...others] = subscriber.firstMs
    assert.deepEqual(await countAfterwards({ ...given, subscriber: { firstMs: new Map(others) } }), [
      `messages about ${first?.[0]}: 0`,
    ])
    const lost = { number: 'LOAD-0', hash: '0'.repeat(64) }
    const found = await countAfterwards({ ...given, accepted: [...load.accepted, lost] })
    for (const about of ['messages', 'certificates', 'entries', 'events', 'mails', 'webhooks'])
      assert.ok(
        found.some((line) => line.startsWith(about)),
        about,
      )
  })
})
