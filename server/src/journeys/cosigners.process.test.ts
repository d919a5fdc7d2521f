import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { checkpointIn, collectCosignatures, splitNote } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { openTestDatabase } from '../../test/database.ts'
import { eventually } from '../../test/eventually.ts'
import { certificateAsset, makeLedgerSigner } from '../../test/ledger-signer.ts'
import { lacksLitewitness, startLitewitness, type TestWitness } from '../../test/litewitness.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'
import { addressOf, startOwnServer, type TestServer } from '../../test/test-server.ts'

const skip = await lacksLitewitness()
const mill = makeLedgerSigner()

describe('a service whose log has cosigners', { skip }, () => {
  const opened = new AsyncDisposableStack()
  let server: TestServer
  let witnesses: TestWitness[]
  before(async () => {
    witnesses = []
    for (const name of ['inspection.example', 'association.example'])
      witnesses.push(opened.use(await startLitewitness(name)))
    const databaseUrl = addressOf(opened.use(await openTestDatabase()))
    const { path } = opened.use(await makeTemporaryFolder())
    // As operators do it: the logs are there first, and their list goes to the cosigners.
    const first = await startOwnServer({ databaseUrl })
    const list = await (await fetch(`${first.url}/ledger/logs.v0`)).text()
    await first[Symbol.asyncDispose]()
    const logs = [...list.matchAll(/^vkey (.+)$/gm)].map(([, vkey = '']) => vkey)
    assert.equal(logs.length, 2)
    for (const witness of witnesses) for (const log of logs) witness.follow(log)
    const policy = join(path, 'cosigners.policy')
    const lines = witnesses.map(({ vkey, url }, at) => `witness w${at + 1} ${vkey} ${url}\n`)
    await writeFile(policy, `# two of two\n${lines.join('')}group both all w1 w2\nquorum both\n`)
    server = opened.use(await startOwnServer({ databaseUrl, environment: { MILLSEAL_COSIGNERS: policy } }))
  })
  after(() => opened.disposeAsync())

  const get = (path: string): Promise<Response> => fetch(`${server.url}${path}`)
  const record = async (): Promise<void> => {
    const response = await fetch(`${server.url}/ledger/test/api/v1/transactions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(mill.create(certificateAsset())),
    })
    assert.equal(response.status, 202)
  }
  const readConfirmed = async (): Promise<string> => {
    const response = await get('/ledger/test/confirmed/checkpoint')
    return response.status === 200 ? await response.text() : ''
  }
  const signersOf = (note: string): number => {
    const keys = witnesses.map(({ key }) => key)
    return collectCosignatures(splitNote(note), keys, nodePrimitives).length
  }
  const readCheckpoint = async (): Promise<string> => (await get('/ledger/test/checkpoint')).text()
  const untilConfirmed = (size: number): Promise<string> =>
    eventually(
      async () => {
        const note = await readConfirmed()
        return note !== '' && checkpointIn(note).size === size && note
      },
      { what: `${size} entries are confirmed` },
    )
  const stateOf = async (name: string) => {
    const response = await get('/api/ready')
    const { status, dependencies } = (await response.json()) as {
      readonly status: string
      readonly dependencies: readonly { name: string; status: string; error?: string }[]
    }
    return { code: response.status, status, part: dependencies.find((one) => one.name === name) }
  }

  test('serves the newest checkpoint that they have signed, and its tiles', async () => {
    await record()
    const note = await untilConfirmed(2)
    assert.equal(signersOf(note), 2)
    assert.equal(await readCheckpoint(), note, 'the newest checkpoint has the lines that it got')
    const tiles = ['/tile/0/000.p/2', '/tile/entries/000.p/2'].map(async (path) => {
      const [plain, confirmed] = [
        await get(`/ledger/test${path}`),
        await get(`/ledger/test/confirmed${path}`),
      ]
      assert.equal(confirmed.status, 200)
      assert.equal(confirmed.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.deepEqual(await confirmed.bytes(), await plain.bytes())
    })
    await Promise.all(tiles)
    assert.equal((await get('/ledger/test/confirmed/tile/0/000.p/3')).status, 404)
    assert.equal((await get('/ledger/test/confirmed/vkey')).status, 404)
  })

  test('has their state in its metrics', async () => {
    const metrics = await eventually(async () => {
      const text = await (await get('/metrics')).text()
      return text.includes('millseal_quorum{mode="live"} 1') && text
    })
    for (const line of [
      'millseal_quorum{mode="test"} 1',
      'millseal_log_forked{mode="test"} 0',
      'millseal_cosigner_failing{mode="test",cosigner="w1"} 0',
      'millseal_cosigner_failing{mode="live",cosigner="w2"} 0',
    ])
      assert.ok(metrics.includes(`${line}\n`), line)
    for (const name of ['age_seconds', 'seconds'])
      assert.match(metrics, new RegExp(`^millseal_cosigner_${name}\\{mode="test",cosigner="w2"\\} \\d`, 'm'))
  })

  test('is degraded without their quorum, and goes on recording', async () => {
    assert.equal((await stateOf('test cosigners')).part?.status, 'up')
    await witnesses[1]?.stop()
    await record()
    server.clock.advance({ minutes: 1 })
    const seen = await eventually(
      async () => {
        const state = await stateOf('test cosigners')
        return state.part?.status === 'degraded' && /w2: ECONNREFUSED/.test(state.part.error ?? '') && state
      },
      { what: 'the missing quorum is noticed' },
    )
    assert.deepEqual([seen.code, seen.status], [200, 'ready'])
    assert.match(
      seen.part?.error ?? '',
      /^no quorum of cosigners: 2 of 4 entries are confirmed; w2: ECONNREFUSED$/,
    )
    assert.ok((await (await get('/metrics')).text()).includes('millseal_quorum{mode="test"} 0\n'))
    assert.equal(checkpointIn(await readConfirmed()).size, 2)
    await eventually(async () => signersOf(await readCheckpoint()) === 1, {
      what: 'the newest checkpoint has the line of the one who signs',
    })
    assert.equal(checkpointIn(await readCheckpoint()).size, 4)
    await witnesses[1]?.start()
    await untilConfirmed(4)
    await eventually(async () => (await stateOf('test cosigners')).part?.status === 'up')
  })
})
