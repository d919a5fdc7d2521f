import assert from 'node:assert/strict'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  certificateSubject,
  checkpointIn,
  didOf,
  decodeBase58,
  type JsonValue,
  keySubject,
  readPolicy,
  verifyBundle,
  writeBundle,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { type LedgerInstallation, openLedgerInstallation } from '../../../../test/ledger-installation.ts'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { writeOldLog } from '../../../../test/old-log.ts'
import type { EmbeddedLedger } from './embedded.ts'
import { createIndexReader } from './index-reader.ts'
import { verifyLog } from './verify-log.ts'

const mill = makeLedgerSigner()
const did = didOf(decodeBase58(mill.publicKey))
const asset = certificateAsset()
const first = mill.create(asset)
const certificates = [first, ...Array.from({ length: 299 }, () => mill.create(certificateAsset()))]
const start = new Date('2026-01-01T00:00:00.000Z')
const withdrawal = { type: 'correction', action: 'withdraw', transactionId: first.id, reason: 'Wrong heat' }
/** Version 0.1 recorded anything, because corrections meant nothing to it. */
const meaningless = [
  makeLedgerSigner().create(withdrawal),
  mill.create({ ...withdrawal, reason: 'By the signer, but without a time' }),
  mill.create({ type: 'correction', action: 'melt' }),
]

describe('a log of version 0.1', () => {
  let server: LedgerInstallation
  before(async () => {
    server = await openLedgerInstallation()
    await writeOldLog(server, { transactions: [...certificates, ...meaningless], start })
  })
  after(() => server[Symbol.asyncDispose]())

  const opened = async (): Promise<EmbeddedLedger> => {
    const ledger = server.open()
    await ledger.start()
    return ledger
  }
  const checkpoint = async () => checkpointIn(await readFile(join(server.folder, 'checkpoint'), 'utf8'))
  const assertValid = async (): Promise<void> => {
    const index = createIndexReader(server.database.query, 'test')
    assert.deepEqual((await verifyLog({ files: server.files, index })).problems, [])
  }
  const reportOn = async (ledger: EmbeddedLedger) => {
    const transactionIds = [first.id]
    const subjects = [certificateSubject(first.id), keySubject(did)]
    const evidence = await ledger.proveRecords({ transactionIds, subjects })
    assert.ok(evidence)
    const [certificate, ...corrections] = evidence.entries
    assert.ok(certificate)
    const bundle = writeBundle({
      checkpoint: evidence.checkpoint,
      certificate,
      identity: undefined,
      review: undefined,
      status: evidence.statuses,
      corrections,
    })
    const logs = [(await readFile(join(server.folder, 'vkey'), 'utf8')).trim()]
    const policy = readPolicy({ logs, issuers: [{ did, name: 'Mill' }] }, nodePrimitives)
    const claim = {
      file: { kind: 'json', hash: asset.jsonHash },
      bundle: bundle as unknown as JsonValue,
      policy,
      now: new Date(),
    } as const
    return verifyBundle(claim, nodePrimitives)
  }

  test('is indexed from its files, and its checkpoint gets time, operator and an empty status tree', async () => {
    const vkey = await readFile(join(server.folder, 'vkey'))
    const old = await checkpoint()
    assert.deepEqual([old.time, old.operator, old.status], [undefined, undefined, undefined])
    await using ledger = await opened()
    const { size, root, time, operator, status } = await checkpoint()
    assert.deepEqual([size, root], [old.size, old.root])
    assert.ok(time !== undefined && operator !== undefined)
    assert.equal(status?.size, 1, 'no correction')
    assert.deepEqual(await readFile(join(server.folder, 'vkey')), vkey)
    const found = await ledger.find(first.id)
    assert.deepEqual([found?.index, found?.timestamp], [0, start], 'the time in blocks')
    await assertValid()
  })

  test('proves its entries without a time, and nothing in them is a correction', async () => {
    await using ledger = await opened()
    const { answers, verdict, facts } = await reportOn(ledger)
    assert.deepEqual(answers, { unchanged: 'yes', issuer: 'yes', time: 'unknown', status: 'yes' })
    assert.equal(verdict, 'test')
    assert.equal(facts?.time, undefined)
    assert.deepEqual(await ledger.findCorrections(certificateSubject(first.id)), [])
  })

  test('grows by entries with a time, which can correct the old ones', async () => {
    {
      await using ledger = await opened()
      const { entry } = await ledger.submit(mill.create(certificateAsset()))
      assert.ok(entry.timestamp !== undefined && entry.timestamp > start)
      const again = await ledger.submit(first)
      assert.deepEqual([again.isNew, again.entry.index], [false, 0])
      await ledger.submit(mill.create({ ...withdrawal, reason: 'With a time' }))
      assert.equal((await checkpoint()).status?.size, 2)
    }
    await using ledger = await opened()
    assert.equal((await reportOn(ledger)).verdict, 'withdrawn')
    await assertValid()
  })

  test('is refused if the new entries are cut off, like any other', async () => {
    await using other = await openLedgerInstallation()
    await writeOldLog(other, { transactions: certificates, start })
    const copy = `${other.folder}.copy`
    await cp(other.folder, copy, { recursive: true })
    {
      await using ledger = other.open()
      await ledger.start()
      await ledger.submit(mill.create(certificateAsset()))
    }
    await cp(join(copy, 'checkpoint'), join(other.folder, 'checkpoint'))
    await using ledger = other.open()
    await assert.rejects(ledger.start(), /has 302 entries, but the checkpoint on disk has 300/)
  })
})
