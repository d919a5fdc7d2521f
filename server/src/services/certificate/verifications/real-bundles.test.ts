import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Certificate, Identity, Mode, ProofBundle } from '@millseal/contract'
import { type JsonValue, portablePrimitives, signCheckpoint, noteKey, writeBundle } from '@millseal/proof'
import { alterationsOf } from '@millseal/proof/testing'
import { newLiveOwner, type Owner } from '../../../../test/machines.ts'
import { type CheckedFile, notarizeSample, openVerifier, publishIdentity } from '../../../../test/offline.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'

let server: TestServer
let mill: Owner
let verifyOffline: Awaited<ReturnType<typeof openVerifier>>
const modes = ['test', 'live'] as const
const notarized = new Map<Mode, Certificate>()
const identities = new Map<Mode, Identity>()

before(async () => {
  server = await startTestServer()
  mill = await newLiveOwner(server, 'proven-mill')
  verifyOffline = await openVerifier(server)
  const client = server.client(mill.admin.accessToken)
  const company = mill.company.id
  for (const mode of modes) {
    const identity = await newIdentity(client, company, mode)
    identities.set(mode, identity)
    await publishIdentity(client, { company, identity, mode })
    notarized.set(mode, await notarizeSample(client, { company, identity, mode }))
  }
})
after(() => server[Symbol.asyncDispose]())

const filesOf = (mode: Mode): readonly CheckedFile[] => {
  const { hash, pdfHash } = notarized.get(mode) ?? assert.fail('not notarized')
  return [
    { kind: 'json', hash: hash.value },
    { kind: 'pdf', hash: pdfHash?.value ?? '' },
  ]
}

const bundleOf = (hash: string, mode: Mode): Promise<ProofBundle> =>
  server.client().readProof({ params: { hash }, query: { mode } })

const expected = { test: 'test', live: 'genuine' } as const

describe('the bundle of a running server', () => {
  for (const mode of modes)
    test(`proves issuer, time and status of JSON and PDF: ${mode}`, async () => {
      for (const file of filesOf(mode)) {
        const report = verifyOffline(file, await bundleOf(file.hash, mode))
        assert.equal(report.verdict, expected[mode], JSON.stringify(report.checks, undefined, 1))
        assert.deepEqual(report.answers, { unchanged: 'yes', issuer: 'yes', time: 'yes', status: 'yes' })
        const { issuer } = report.facts ?? assert.fail('no facts')
        assert.deepEqual(
          [issuer.did, issuer.name, issuer.vatId, issuer.knownBy],
          [identities.get(mode)?.did, mill.company.name, mill.company.vatId, 'review'],
        )
      }
    })

  for (const mode of modes)
    test(`cannot be altered in any leaf unnoticed: ${mode}`, async () => {
      const [file = assert.fail('no file')] = filesOf(mode)
      const bundle = (await bundleOf(file.hash, mode)) as unknown as JsonValue
      const accepted = alterationsOf(bundle).filter(
        (altered) => !['altered', 'unchecked'].includes(verifyOffline(file, altered.bundle).verdict),
      )
      assert.deepEqual(
        accepted.map(({ at }) => at),
        [],
      )
      assert.ok(alterationsOf(bundle).length > 300)
    })

  test('says the same as the verification of the server', async () => {
    for (const mode of modes) {
      const { hash } = filesOf(mode)[0] ?? assert.fail('no file')
      const { verdict, answers, facts } = verifyOffline({ kind: 'json', hash }, await bundleOf(hash, mode))
      const online = await server.client().verifyCertificate({
        query: { mode },
        document: await jsonOf(mode),
      })
      assert.deepEqual([online.verdict, online.answers], [verdict, answers])
      assert.equal(online.issuer?.name, facts?.issuer.name)
      assert.equal(online.issuer?.evidence, facts?.issuer.review?.evidence)
    }
  })

  test('has at most 8 kB in a log of a million entries with a thousand corrected certificates', async () => {
    const [{ hash } = assert.fail('no file')] = filesOf('live')
    const bundle = await bundleOf(hash, 'live')
    const { entry, identity, review, status } = bundle
    assert.ok(identity && review)
    const hashes = (count: number) => Array.from({ length: count }, () => new Uint8Array(32).fill(0xab))
    const key = noteKey(
      'certificates.rolling-mill.example/ledger/live',
      new Uint8Array(32),
      portablePrimitives,
    )
    const checkpoint = await signCheckpoint(
      {
        origin: key.name,
        size: 2 ** 20,
        root: new Uint8Array(32),
        time: '2026-11-22T05:30:00.000Z',
        operator: identities.get('live')?.did,
        status: { size: 1_001, root: new Uint8Array(32) },
      },
      { key, sign: () => new Uint8Array(64) },
    )
    const placed = (one: typeof identity) => ({
      transaction: one.transaction as never,
      time: one.time,
      index: 2 ** 20 - 1,
      path: hashes(20),
    })
    const padded = writeBundle({
      checkpoint,
      certificate: placed({ ...entry, index: 0, path: '' }),
      identity: placed(identity),
      review: placed(review),
      // The neighbours of both subjects have corrections, and names of full length.
      status: status.map(({ subject }) => ({
        subject: subject.padEnd(76, '0'),
        next: `certificate ${'f'.repeat(64)}`,
        entries: [2 ** 20 - 3, 2 ** 20 - 2],
        index: 1_000,
        path: hashes(10),
      })),
      corrections: [],
    })
    const bytes = Buffer.byteLength(JSON.stringify(padded))
    assert.ok(bytes <= 8 * 1_024, `${bytes} bytes`)
    assert.ok(bytes > 5_000, `${bytes} bytes are too few to be the whole bundle`)
  })
})

const jsonOf = (mode: Mode): Promise<Blob> =>
  server
    .client(mill.admin.accessToken)
    .readCertificateJson({ company: mill.company.id, params: { id: notarized.get(mode)?.id ?? '' } })
