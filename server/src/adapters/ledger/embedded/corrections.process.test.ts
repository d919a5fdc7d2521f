import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  certificateSubject,
  decodeBase58,
  didOf,
  keySubject,
  leafHash,
  parseKeyFile,
  type SignedTransaction,
  verifyCheckpoint,
  verifyInclusion,
  verifyStatus,
  writeLogEntry,
} from '@millseal/proof'
import { sql } from 'kysely'
import { type LedgerInstallation, openLedgerInstallation } from '../../../../test/ledger-installation.ts'
import { certificateAsset, type LedgerSigner, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { nodePrimitives } from '@millseal/proof/node'
import { type LogEvidence, TransactionRefused } from '../../../ports/ledger/ledger.ts'
import type { EmbeddedLedger } from './embedded.ts'
import { createIndexReader } from './index-reader.ts'
import { verifyLog } from './verify-log.ts'

const didOfSigner = ({ publicKey }: LedgerSigner): string => didOf(decodeBase58(publicKey))
const withdraw = (transactionId: string) => ({
  type: 'correction',
  action: 'withdraw',
  transactionId,
  reason: 'wrong heat',
})
const replace = (transactionId: string, replacedBy: string) => ({
  type: 'correction',
  action: 'replace',
  transactionId,
  replacedBy,
  reason: 'new test',
})
const revoke = (did: string) => ({
  type: 'correction',
  action: 'revoke-key',
  did,
  since: '2026-01-01T00:00:00.000Z',
  reason: 'stolen',
})
const identityOf = (signer: LedgerSigner, recovery?: LedgerSigner) => ({
  type: 'identity',
  did: didOfSigner(signer),
  publicKey: signer.publicKey,
  company: 'Rolling Mill',
  vatId: 'DE123',
  ...(recovery === undefined ? {} : { recoveryDid: didOfSigner(recovery) }),
})

describe('corrections in the embedded ledger', () => {
  let server: LedgerInstallation
  let ledger: EmbeddedLedger
  before(async () => {
    server = await openLedgerInstallation()
    ledger = server.open()
    await ledger.start()
  })
  after(async () => {
    await ledger[Symbol.asyncDispose]()
    const { problems } = await verifyLog({
      files: server.files,
      index: createIndexReader(server.database.query, 'test'),
    })
    await server[Symbol.asyncDispose]()
    assert.deepEqual(problems, [])
  })

  const record = async (transaction: SignedTransaction): Promise<number> =>
    (await ledger.submit(transaction)).entry.index ?? assert.fail('no index')
  const assertRefused = (transaction: SignedTransaction, reason: RegExp) =>
    assert.rejects(
      ledger.submit(transaction),
      (error) =>
        error instanceof TransactionRefused && error.reason === 'invalid' && reason.test(error.message),
    )

  test('are recorded if the signer of the certificate signs them, and refused from others', async () => {
    const [mill, stranger] = [makeLedgerSigner(), makeLedgerSigner()]
    const [first, second] = [mill.create(certificateAsset()), mill.create(certificateAsset())]
    for (const transaction of [first, second]) await record(transaction)
    await assertRefused(
      stranger.create(withdraw(first.id)),
      /signed neither by the signer of the certificate/,
    )
    await assertRefused(stranger.create(replace(first.id, second.id)), /signed neither/)
    const at = [
      await record(mill.create(replace(first.id, second.id))),
      await record(mill.create(withdraw(first.id))),
    ]
    const found = await ledger.findCorrections(certificateSubject(first.id))
    assert.deepEqual(
      found.map(({ index }) => index),
      at,
    )
    assert.deepEqual(await ledger.findCorrections(certificateSubject(second.id)), [])
  })

  test('are recorded if the operator of the log signs them', async () => {
    const certificate = makeLedgerSigner().create(certificateAsset())
    await record(certificate)
    const { operator } = ledger
    assert.ok(operator)
    const correction = await operator.sign(withdraw(certificate.id))
    await record(correction)
    const [found] = await ledger.findCorrections(certificateSubject(certificate.id))
    assert.deepEqual(found?.transaction, correction)
    assert.match(
      await readFile(join(server.folder, 'checkpoint'), 'utf8'),
      new RegExp(`\nmillseal-operator ${await operator.did()}\n`),
    )
    const key = makeLedgerSigner()
    await record(key.create(certificateAsset()))
    await record(await operator.sign(revoke(didOfSigner(key))))
    assert.equal((await ledger.findCorrections(keySubject(didOfSigner(key)))).length, 1)
  })

  test('of a key are recorded from the key itself and from the recovery key of its first identity', async () => {
    const [key, recovery, other] = [makeLedgerSigner(), makeLedgerSigner(), makeLedgerSigner()]
    await assertRefused(key.create(revoke(didOfSigner(key))), /has no entry in this log/)
    // Anybody could record an identity that names the key; only its own counts.
    await record(other.create(identityOf(key, other)))
    await record(key.create(identityOf(key, recovery)))
    await record(key.create({ ...identityOf(key, other), company: 'Later' }))
    await assertRefused(
      other.create(revoke(didOfSigner(key))),
      /neither by the key itself, nor by its recovery key/,
    )
    await record(recovery.create(revoke(didOfSigner(key))))
    await record(key.create(revoke(didOfSigner(key))))
    assert.equal((await ledger.findCorrections(keySubject(didOfSigner(key)))).length, 2)
  })

  test('that are malformed, or about something that is not a recorded certificate, are refused', async () => {
    const mill = makeLedgerSigner()
    const certificate = mill.create(certificateAsset())
    await record(certificate)
    const other = mill.create({ lot: 'no certificate' })
    await record(other)
    await assertRefused(
      mill.create({ ...withdraw(certificate.id), reason: '' }),
      /reason must be a text of 1 to 500/,
    )
    await assertRefused(mill.create({ ...withdraw(certificate.id), extra: 'x' }), /extra is not a member/)
    await assertRefused(mill.create({ ...withdraw(certificate.id), action: 'erase' }), /action must be/)
    await assertRefused(mill.create(withdraw('0'.repeat(64))), /0 is not in this log/)
    await assertRefused(mill.create(withdraw(other.id)), /is not that of a certificate/)
    await assertRefused(mill.create(replace(certificate.id, '0'.repeat(64))), /is not in this log/)
  })

  test('may follow what they correct in the same batch', async () => {
    const mill = makeLedgerSigner()
    const certificate = mill.create(certificateAsset())
    await Promise.all([record(certificate), record(mill.create(withdraw(certificate.id)))])
    const key = makeLedgerSigner()
    await Promise.all([record(key.create(certificateAsset())), record(key.create(revoke(didOfSigner(key))))])
  })

  test('are proven with the entry, by writer and reader, against one checkpoint', async () => {
    const mill = makeLedgerSigner()
    const [certificate, untouched] = [mill.create(certificateAsset()), mill.create(certificateAsset())]
    for (const transaction of [certificate, untouched]) await record(transaction)
    const correctedAt = await record(mill.create(withdraw(certificate.id)))
    await using reader = server.open()
    const subjects = [
      certificateSubject(certificate.id),
      certificateSubject(untouched.id),
      keySubject(didOfSigner(mill)),
    ]
    for (const source of [ledger, reader]) {
      const wanted = { transactionIds: [certificate.id, untouched.id], subjects }
      const evidence = (await source.proveRecords(wanted)) ?? assert.fail('no evidence')
      const listed = await assertProves(evidence, subjects)
      assert.deepEqual(listed, [[correctedAt], [], []])
      assert.deepEqual(evidence.entries.map(({ transaction }) => transaction.id).slice(0, 2), [
        certificate.id,
        untouched.id,
      ])
      assert.deepEqual(
        evidence.entries.slice(2).map(({ index }) => index),
        [correctedAt],
      )
      assert.equal(await source.proveRecords({ transactionIds: ['0'.repeat(64)], subjects: [] }), undefined)
    }
  })

  /** The entries that each status lists. */
  const assertProves = async (evidence: LogEvidence, subjects: readonly string[]) => {
    const key = parseKeyFile(await readFile(join(server.folder, 'vkey'), 'utf8'), nodePrimitives)
    const checkpoint = verifyCheckpoint(evidence.checkpoint, key, nodePrimitives)
    for (const { transaction, time, index, path } of evidence.entries) {
      const leaf = leafHash(writeLogEntry({ transaction, time }), nodePrimitives)
      assert.ok(verifyInclusion({ ...checkpoint, index, path, leaf }, nodePrimitives))
    }
    const head = checkpoint.status ?? assert.fail('no status')
    return subjects.map((subject, at) => {
      const proof = evidence.statuses[at] ?? assert.fail('no proof')
      return verifyStatus({ proof, subject, head }, nodePrimitives)
    })
  }

  test('prove a status that grows with the log, for many callers at once', async () => {
    const mill = makeLedgerSigner()
    const certificates = Array.from({ length: 30 }, () => mill.create(certificateAsset()))
    await Promise.all(certificates.map(record))
    await using reader = server.open()
    await Promise.all(
      certificates.map(async ({ id }) => {
        await record(mill.create(withdraw(id)))
        const subjects = [certificateSubject(id)]
        const evidence = await reader.proveRecords({ transactionIds: [id], subjects })
        assert.ok(evidence)
        assert.equal((await assertProves(evidence, subjects))[0]?.length, 1)
      }),
    )
  })

  test('are found by verification and at the start if the index of them is changed', async () => {
    const changed = await openLedgerInstallation()
    await using _changed = changed
    const mill = makeLedgerSigner()
    const certificate = mill.create(certificateAsset())
    {
      await using own = changed.open()
      await own.start()
      await own.submit(certificate)
      await own.submit(mill.create(withdraw(certificate.id)))
    }
    const { query } = changed.database
    await sql`delete from ledger_corrections`.execute(query)
    const index = createIndexReader(query, 'test')
    const { problems } = await verifyLog({ files: changed.files, index })
    assert.match(problems.join(), /index of corrections differs/)
    await using own = changed.open()
    await assert.rejects(own.start(), /index of corrections differs/)
    await assert.rejects(
      own.proveRecords({ transactionIds: [certificate.id], subjects: [certificateSubject(certificate.id)] }),
      /The test log is damaged: the index of corrections in the database differs from the checkpoint/,
    )
  })

  test('and their index are rebuilt from the entries', async () => {
    await using rebuilt = await openLedgerInstallation()
    const mill = makeLedgerSigner()
    const certificate = mill.create(certificateAsset())
    {
      await using own = rebuilt.open()
      await own.start()
      await own.submit(certificate)
      await own.submit(mill.create(withdraw(certificate.id)))
    }
    for (const table of ['ledger_entries', 'ledger_outputs', 'ledger_blocks', 'ledger_corrections'])
      await sql`delete from ${sql.table(table)}`.execute(rebuilt.database.query)
    await using own = rebuilt.open()
    await own.start()
    assert.equal((await own.findCorrections(certificateSubject(certificate.id))).length, 1)
  })

  test('a transaction of more than 65,510 bytes is refused, and one of so many is recorded', async () => {
    const mill = makeLedgerSigner()
    const sized = (length: number) => mill.create({ text: 'x'.repeat(length) })
    const overhead = Buffer.byteLength(JSON.stringify(sized(0)))
    await record(sized(65_510 - overhead))
    await assertRefused(sized(65_511 - overhead), /65,?511 bytes; the maximum is 65,510/)
  })
})
