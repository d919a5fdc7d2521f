import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createTestLog, record } from '@millseal/proof/testing'
import { at, bundleOf, correct, mill, openLog, sha256, thief, verifying } from '../test/certified.ts'
import { newLogSigner, publish, randomLeaves, servedFolder } from '../test/served-log.ts'

let place: Awaited<ReturnType<typeof verifying>>
before(async () => {
  place = await verifying()
})
after(() => place[Symbol.asyncDispose]())

describe('millseal verify --since', () => {
  /** A log that is served, with an older bundle of it. */
  const grown = async () => {
    const opened = openLog('live')
    const older = await opened.log.bundle(opened.transaction, opened.named, at(30))
    for (const n of [1, 2, 3]) opened.log.add(record(mill, { jsonHash: sha256(`${n}`) }), at(40))
    const newer = await bundleOf(opened)
    return { opened, older, newer, policy: { logs: [opened.log.vkey] } }
  }

  test('proves that the log still continues an older bundle', async () => {
    await using served = await servedFolder()
    const { opened, older, newer, policy } = await grown()
    const logFolder = join(served.path, 'ledger/live')
    await publish(logFolder, { leaves: opened.log.leaves(), note: await opened.log.signedHead(at(55)) })
    const since = ['--since', await place.write('older.json', older), '--server', served.url]
    const { status, text } = await place.verify({ bundle: newer, policy }, place.path('c.json'), ...since)
    assert.equal(status, 0, text)
    assert.match(text, /✓ Log +The log has 6 entries and continues the 3 entries of \S+ in \S+older\.json/)
  })

  test('prints both signed checkpoints if the log was rewritten, with exit code 1', async () => {
    await using served = await servedFolder()
    const { older, newer, policy } = await grown()
    const other = createTestLog('mill.example/ledger/live')
    for (const n of [1, 2, 3, 4, 5, 6, 7]) other.add(record(thief, { jsonHash: sha256(`x${n}`) }), at(9))
    const note = await other.signedHead(at(55))
    await publish(join(served.path, 'ledger/live'), { leaves: other.leaves(), note })
    const since = ['--since', await place.write('older.json', older), '--server', served.url]
    const { status, text, report } = await place.verify(
      { bundle: newer, policy },
      place.path('c.json'),
      ...since,
    )
    assert.deepEqual([status, report.verdict, report.answers['unchanged']], [1, 'altered', 'no'])
    assert.match(text, /: ALTERED OR FORGED\n {2}The first 3 entries of the log are not the ones it had\.\n/)
    const known = (older as { proof: string }).proof.split('\n\n').slice(1).join('\n\n')
    assert.deepEqual(report.since, {
      reason: 'The first 3 entries of the log are not the ones it had',
      known,
      served: note,
    })
    for (const one of [known, note]) assert.ok(text.includes(one.trimEnd()), text)
  })

  test('asks the log that the older bundle names: a test certificate is not called altered', async () => {
    await using served = await servedFolder()
    const opened = openLog('test')
    const older = await opened.log.bundle(opened.transaction, opened.named, at(30))
    const logs = [
      ['test', opened.log],
      ['live', openLog('live').log],
    ] as const
    for (const [mode, log] of logs)
      await publish(join(served.path, `ledger/${mode}`), {
        leaves: log.leaves(),
        note: await log.signedHead(at(55)),
      })
    const since = ['--since', await place.write('older.json', older), '--server', served.url]
    const policy = { logs: [opened.log.vkey] }
    const { status, report } = await place.verify(
      { bundle: await bundleOf(opened), policy },
      place.path('c.json'),
      ...since,
    )
    assert.deepEqual([status, report.verdict], [3, 'test'])
  })

  test('is not genuine if the log does not answer, and stays withdrawn if it is', async () => {
    await using served = await servedFolder()
    served.state.status = 500
    const { opened, older, newer, policy } = await grown()
    const since = ['--since', await place.write('older.json', older), '--server', served.url]
    const { status, text } = await place.verify({ bundle: newer, policy }, place.path('c.json'), ...since)
    assert.equal(status, 5)
    assert.match(
      text,
      /: COULD NOT BE CHECKED\n {2}--since could not be checked: \S+ answered with status 500\./,
    )
    correct(opened, { action: 'withdraw', transactionId: opened.transaction.id })
    const withdrawn = await place.verify(
      { bundle: await bundleOf(opened), policy },
      place.path('c.json'),
      ...since,
    )
    assert.deepEqual([withdrawn.status, withdrawn.report.verdict], [4, 'withdrawn'])
  })

  test('refuses an older checkpoint that nobody you trust has signed', async () => {
    await using served = await servedFolder()
    const { newer, policy } = await grown()
    const stranger = newLogSigner('mill.example/ledger/live')
    const since = [
      '--since',
      await place.write('older', await stranger.signed(randomLeaves(2))),
      '--server',
      served.url,
    ]
    const { status, text } = await place.verify({ bundle: newer, policy }, place.path('c.json'), ...since)
    assert.equal(status, 5)
    assert.match(text, /No trusted key has signed the note/)
    assert.equal(served.state.asked, 0)
  })
})
