import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  encodeBase64,
  entriesPath,
  hashesOf,
  checkpointIn,
  proveConsistency,
  readNodesFromTiles,
  nodesOf,
  type SignedTransaction,
  tilePath,
  writeLogEntry,
} from '@millseal/proof'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { certificateAsset, makeLedgerSigner } from '../../test/ledger-signer.ts'
import { proofOf } from '../../test/proof-of.ts'
import { silentLog } from '../../test/silent-log.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'
import { buildTlogVerifier, lacksTlogVerifier } from '../../test/tlog-verifier.ts'
import { openPostgres } from '../adapters/database/postgres.ts'
import { createFolderFiles } from '../adapters/files/folder.ts'
import { createPostgresFiles } from '../adapters/files/postgres.ts'
import { createLocalKeystore } from '../adapters/keystore/local.ts'
import { createEmbeddedLedger } from '../adapters/ledger/embedded/embedded.ts'
import { nodePrimitives } from '@millseal/proof/node'
import { Secret } from '../lib/secret.ts'
import { systemClock } from '../ports/clock/clock.ts'

const mill = makeLedgerSigner()
const skip = await lacksTlogVerifier()

/** All tiles of a tree with so few entries, by C2SP tlog-tiles. */
const filesOf = (size: number): string[] => {
  const bundles = Array.from({ length: Math.ceil(size / 256) }, (_, index) => ({
    index,
    width: Math.min(256, size - index * 256),
  }))
  const above = Math.floor(size / 256)
  return [
    ...bundles.flatMap((place) => [entriesPath(place), tilePath({ ...place, level: 0 })]),
    ...(above === 0 ? [] : [tilePath({ level: 1, index: 0, width: above })]),
  ]
}

/** A process that only reads. */
const openReader = ({ config }: TestServer) => {
  const database = openPostgres({
    connection: config.databaseUrl ?? '',
    applicationName: 'reader',
    maxConnections: 2,
    log: silentLog,
  })
  const ledger = createEmbeddedLedger({
    mode: 'test',
    files: createPostgresFiles(database.query).within('ledger'),
    claim: async () => {},
    knownCheckpoints: [createFolderFiles(join(config.dataDir, 'known'))],
    origin: () => 'unused: the log is there',
    database,
    keystore: createLocalKeystore(new Secret(Buffer.alloc(32))),
    clock: systemClock,
    log: silentLog,
  })
  return { ledger, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() }
}

describe('the log, read over HTTP', () => {
  let server: TestServer
  let base: string
  before(async () => {
    server = await startTestServer()
    base = `${server.url}/ledger/test`
  })
  after(() => server[Symbol.asyncDispose]())

  const get = async (path: string): Promise<Response> => fetch(`${base}/${path}`)
  const record = async (count: number): Promise<SignedTransaction[]> => {
    const transactions = Array.from({ length: count }, () => mill.create(certificateAsset()))
    const answers = await Promise.all(
      transactions.map((transaction) =>
        fetch(`${base}/api/v1/transactions?mode=commit`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(transaction),
        }),
      ),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [202])
    return transactions
  }
  const download = async (path: string, folder: string): Promise<void> => {
    const answer = await get(path)
    assert.equal(answer.status, 200, path)
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), new Uint8Array(await answer.arrayBuffer()))
  }
  const readHead = async () => {
    const note = await (await get('checkpoint')).text()
    return checkpointIn(note)
  }

  test('serves its files as C2SP tlog-tiles specifies: types, caching, nothing beyond the checkpoint', async () => {
    await record(300)
    const { size } = await readHead()
    const last = `tile/0/${String(Math.floor(size / 256)).padStart(3, '0')}.p/${size % 256}`
    const expected = [
      ['checkpoint', 200, 'text/plain; charset=utf-8', 'public, max-age=2'],
      ['vkey', 200, 'text/plain; charset=utf-8', 'public, max-age=3600'],
      ['tile/0/000', 200, 'application/octet-stream', 'public, max-age=31536000, immutable'],
      [last, 200, 'application/octet-stream', 'public, max-age=31536000, immutable'],
      ['tile/entries/000', 200, 'application/octet-stream', 'public, max-age=31536000, immutable'],
      [`${last}0`, 404, 'text/plain; charset=utf-8', null],
      ['tile/0/x000/001', 404, 'text/plain; charset=utf-8', null],
      ['tile/0/..%2f..%2fvkey', 404, 'text/plain; charset=utf-8', null],
    ] as const
    for (const [path, status, type, cache] of expected) {
      const answer = await get(path)
      assert.deepEqual(
        [path, answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')],
        [path, status, type, cache],
      )
      assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    }
  })

  test('is accepted by the reference implementation: checkpoint, tiles, entries, inclusion and consistency', {
    skip,
  }, async () => {
    await using folder = await makeTemporaryFolder()
    const verifier = await buildTlogVerifier(folder.path)
    await record(5)
    const old = await readHead()
    const transactions = await record(400)
    const { size } = await readHead()
    const key = (await (await get('vkey')).text()).trim()
    const log = join(folder.path, 'log')
    for (const path of ['checkpoint', ...filesOf(size)]) await download(path, log)
    const consistency = await proveConsistency(
      { oldSize: old.size, newSize: size },
      {
        hashing: nodePrimitives,
        read: readNodesFromTiles({
          size,
          readTile: async (place) =>
            nodesOf(
              hashesOf(new Uint8Array(await (await get(tilePath(place))).arrayBuffer())),
              nodePrimitives,
            ),
        }),
      },
    )
    await using reader = openReader(server)
    const proofs = await Promise.all(
      transactions
        .filter((_, at) => at % 40 === 0)
        .map(async (transaction) => ({
          Entry: encodeBase64(
            writeLogEntry({
              transaction,
              time: (await reader.ledger.find(transaction.id))?.timestamp?.toISOString(),
            }),
          ),
          Proof: await proofOf(reader.ledger, transaction.id),
        })),
    )
    const given = {
      Proofs: proofs,
      Consistency: {
        OldSize: old.size,
        OldRoot: encodeBase64(old.root),
        Proof: consistency.map(encodeBase64),
      },
    }
    assert.equal(await verifier.check({ folder: log, key, given }), `${size} records, 10 proofs`)
    const [first, second] = proofs
    const swapped = { ...given, Proofs: [{ Entry: first?.Entry, Proof: second?.Proof }] }
    await assert.rejects(verifier.check({ folder: log, key, given: swapped }), /proof/)
    const forked = {
      ...given,
      Consistency: { ...given.Consistency, OldRoot: encodeBase64(new Uint8Array(32)) },
    }
    await assert.rejects(verifier.check({ folder: log, key, given: forked }), /consistency/)
  })
})
