import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { checkpointIn, collectCosignatures, parseCosignerKey, splitNote } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { sha256Of } from '@millseal/proof/testing'
import { eventually } from '../../test/eventually.ts'
import { certificateAsset, makeLedgerSigner } from '../../test/ledger-signer.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'
import { ConfigError } from '../config.ts'

describe('a server that is a node for the logs of another one', () => {
  const opened = new AsyncDisposableStack()
  const signer = makeLedgerSigner()
  let mill: TestServer
  let path: string
  let id: string
  let origin: string
  const environment = (more: Readonly<Record<string, string>> = {}) => ({
    MILLSEAL_NODE_LOGS: join(path, 'logs.v0'),
    MILLSEAL_NODE_NAME: 'inspection.example/node',
    MILLSEAL_NODE_FOLDER: join(path, 'copies'),
    ...more,
  })
  const record = async (): Promise<void> => {
    const response = await fetch(`${mill.url}/ledger/test/api/v1/transactions?mode=commit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(signer.create(certificateAsset())),
    })
    assert.equal(response.status, 202)
  }
  before(async () => {
    path = opened.use(await makeTemporaryFolder()).path
    mill = opened.use(await startOwnServer())
    await record()
    const list = await (await fetch(`${mill.url}/ledger/logs.v0`)).text()
    await writeFile(join(path, 'logs.v0'), list)
    origin = /^origin (\S+\/ledger\/test)$/m.exec(list)?.[1] ?? ''
    id = sha256Of(Buffer.from(origin))
  })
  after(() => opened.disposeAsync())

  const copied = (server: TestServer, size: number): Promise<string> =>
    eventually(
      async () => {
        const response = await fetch(`${server.url}/node/${id}/checkpoint`)
        const note = await response.text()
        return response.status === 200 && checkpointIn(note).size === size && note
      },
      { what: `a copy of ${size} entries` },
    )
  const stateOf = async ({ url }: TestServer) => {
    const { status, dependencies } = (await (await fetch(`${url}/api/ready`)).json()) as {
      readonly status: string
      readonly dependencies: readonly { name: string; status: string; error?: string }[]
    }
    return { status, part: dependencies.find(({ name }) => name === `copy of ${origin}`) }
  }
  const metric = async ({ url }: TestServer, name: string): Promise<string | undefined> =>
    (await (await fetch(`${url}/metrics`)).text())
      .split('\n')
      .find((line) => line.startsWith(`millseal_node_${name}{log="${origin}"}`))
      ?.split(' ')[1]

  test('copies, serves and cosigns them at /node, with keys that only it can read', async () => {
    await using server = await startOwnServer({ environment: environment() })
    await copied(server, 2)
    const keys = await (await fetch(`${server.url}/node/keys`)).text()
    const [, node = '', witness = ''] = /^node {4}(\S+)\nwitness (\S+)\n$/.exec(keys) ?? []
    await record()
    const newest = await (await fetch(`${mill.url}/ledger/test/checkpoint`)).text()
    assert.equal(checkpointIn(newest).size, 4)
    const other = await fetch(`${server.url}/node/add-checkpoint`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: `old 4\n\n${newest}`,
    })
    assert.deepEqual([other.status, await other.text()], [409, '2\n'])
    assert.equal(other.headers.get('content-type'), 'text/x.tlog.size')
    const tile = await (await fetch(`${mill.url}/ledger/test/tile/0/000.p/4`)).bytes()
    // RFC 6962 §2.1: the second transaction and its state leaf.
    const proof = createHash('sha256').update('\u0001').update(tile.subarray(64)).digest('base64')
    const signed = await fetch(`${server.url}/node/add-checkpoint`, {
      method: 'POST',
      body: `old 2\n${proof}\n\n${newest}`,
    })
    assert.equal(signed.status, 200)
    await copied(server, 4)
    const copy = await (await fetch(`${server.url}/node/${id}/checkpoint`)).text()
    const note = {
      text: splitNote(newest).text,
      lines: [...copy.split('\n'), ...(await signed.text()).split('\n')],
    }
    const cosigners = [node, witness].map((key) => parseCosignerKey(key, nodePrimitives))
    const names = collectCosignatures(note, cosigners, nodePrimitives).map(({ key }) => key.name)
    assert.deepEqual(names, ['inspection.example/node', 'inspection.example/node/witness'])
    const served = await fetch(`${server.url}/node/${id}/tile/0/000.p/4`)
    assert.deepEqual(await served.bytes(), tile)
    assert.equal(served.headers.get('cross-origin-resource-policy'), 'cross-origin')
    const page = await fetch(`${server.url}/node`)
    assert.match(page.headers.get('content-security-policy') ?? '', /style-src 'unsafe-inline'/)
    assert.ok((await page.text()).includes(`href="/node/${id}/checkpoint"`))
    for (const name of ['node', 'witness'])
      assert.equal((await stat(join(path, 'copies/keys', `${name}.pem`))).mode & 0o777, 0o600)
    assert.deepEqual(await stateOf(server), {
      status: 'ready',
      part: { name: `copy of ${origin}`, status: 'up' },
    })
    assert.deepEqual([await metric(server, 'entries'), await metric(server, 'stopped')], ['4', '0'])
  })

  test('refuses what no node takes', async () => {
    await using server = await startOwnServer({ environment: environment() })
    const post = (body: string) => fetch(`${server.url}/node/add-checkpoint`, { method: 'POST', body })
    assert.equal((await post('')).status, 400)
    assert.equal((await post('x'.repeat(70_000))).status, 413)
    assert.equal((await fetch(`${server.url}/node/add-checkpoint`)).status, 405)
    assert.equal((await fetch(`${server.url}/node/${id}/seen`)).status, 404)
    const unread = await fetch(`${server.url}/node/${id}/proof/${'0'.repeat(64)}?format=4`)
    assert.deepEqual([unread.status, await unread.text()], [400, 'format must be 2 or 3\n'])
    assert.equal((await fetch(`${server.url}/node`, { method: 'PUT' })).status, 405)
    await assert.rejects(startOwnServer({ environment: environment() }), /Another node uses the folder/)
  })

  test('says which log it stopped, also after a restart, and works without it', async () => {
    await mkdir(join(path, 'copies', id, 'evidence'))
    await writeFile(join(path, 'copies', id, 'evidence/1'), JSON.stringify({ reason: 'two trees' }))
    await using server = await startOwnServer({ environment: environment() })
    const { status, part } = await eventually(async () => {
      const state = await stateOf(server)
      return state.part?.status === 'degraded' && state
    })
    assert.deepEqual([status, part?.error], ['ready', 'stopped for ever: two trees'])
    assert.equal(await metric(server, 'stopped'), '1')
    assert.equal((await fetch(`${server.url}/node/${id}/evidence/1`)).status, 200)
    const newest = await (await fetch(`${mill.url}/ledger/test/checkpoint`)).text()
    const body = `old 4\n\n${newest}`
    assert.equal((await fetch(`${server.url}/node/add-checkpoint`, { method: 'POST', body })).status, 403)
    assert.match(
      await readFile(join(path, 'copies', id, 'checkpoint'), 'utf8'),
      /^— inspection\.example\/node /m,
    )
  })

  test('does not start without a name, or with several processes', async () => {
    for (const [more, said] of [
      [{ MILLSEAL_NODE_NAME: '' }, /^MILLSEAL_NODE_NAME: required/],
      [{ MILLSEAL_PROCESSES: '2' }, /^MILLSEAL_NODE_LOGS: needs one process/],
      [{ MILLSEAL_ROLES: 'worker' }, /^MILLSEAL_NODE_LOGS: needs one process with the role api/],
    ] as const)
      await assert.rejects(
        startOwnServer({ environment: environment(more) }),
        (error) => error instanceof ConfigError && said.test(error.message),
      )
  })
})

test('a server that is no node has no addresses of one', async () => {
  await using server = await startOwnServer()
  assert.equal((await fetch(`${server.url}/node/keys`)).status, 404)
})
