import assert from 'node:assert/strict'
import { hash, X509Certificate } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Readiness } from '@millseal/contract'
import {
  checkpointIn,
  decodeBase64,
  type JsonValue,
  readAuthority,
  readPolicy,
  splitNote,
  stampsOn,
  verifyStamp,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { eventually } from '../../test/eventually.ts'
import { certificateAsset, makeLedgerSigner } from '../../test/ledger-signer.ts'
import { startOpensslAuthority } from '../../test/openssl-authority.ts'
import { judgeByOpenssl, judgeByRfc3161Client, lacksRfc3161Client } from '../../test/stamp-judges.ts'
import { type StampServer, startStampServer } from '../../test/stamp-server.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'

const noClient = await lacksRfc3161Client()
const mill = makeLedgerSigner()

type Stamp = {
  readonly kind: string
  readonly checkpoint: string
  readonly path: string
  readonly token: string
}

describe('a service whose log is stamped by OpenSSL and by another authority', () => {
  const opened = new AsyncDisposableStack()
  /** By name, the file of the root in PEM. */
  const roots = new Map<string, string>()
  let server: TestServer
  let other: StampServer
  before(async () => {
    const { path } = opened.use(await makeTemporaryFolder())
    const lines: string[] = []
    for (const kind of ['RSA', 'ECDSA'] as const) {
      const authority = opened.use(await startOpensslAuthority(kind))
      roots.set(kind, authority.root)
      lines.push(`authority ${kind} ${authority.url} ${authority.root}\n`)
    }
    other = opened.use(await startStampServer('other'))
    await writeFile(join(path, 'other.der'), other.root)
    await writeFile(
      join(path, 'stamps'),
      `# three\n${lines.join('')}authority other ${other.url} other.der\n`,
    )
    server = opened.use(
      await startOwnServer({
        environment: { MILLSEAL_STAMPS: join(path, 'stamps'), MILLSEAL_STAMPS_EVERY_SECONDS: '1' },
      }),
    )
  })
  after(() => opened.disposeAsync())

  const get = (path: string): Promise<Response> => fetch(`${server.url}${path}`)
  const record = async (asset = certificateAsset()): Promise<void> => {
    const response = await fetch(`${server.url}/ledger/test/api/v1/transactions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(mill.create(asset)),
    })
    assert.equal(response.status, 202)
  }
  const sizeOfLog = async (): Promise<number> =>
    checkpointIn(await (await get('/ledger/test/checkpoint')).text()).size
  const stampsOf = async (index: number): Promise<readonly Stamp[]> => {
    const response = await get(`/ledger/test/stamps/${index}`)
    return response.status === 200 ? ((await response.json()) as Stamp[]) : []
  }
  const untilStamped = (index: number, count: number): Promise<readonly Stamp[]> =>
    eventually(
      async () => {
        const stamps = await stampsOf(index)
        return stamps.length === count && stamps
      },
      { what: `entry ${index} has ${count} time stamps` },
    )
  /** Of the authorities of OpenSSL, whose roots are in files. */
  const foreign = async (index: number) =>
    (await untilStamped(index, 3)).flatMap(({ checkpoint, token }) => {
      const text = splitNote(checkpoint).text
      return [...roots].map(([name, root]) => ({ name, root, text, token: decodeBase64(token) }))
    })
  const isOurs = async ({
    name,
    root,
    text,
    token,
  }: Awaited<ReturnType<typeof foreign>>[number]): Promise<boolean> => {
    const authority = readAuthority(name, Uint8Array.from(new X509Certificate(await readFile(root)).raw))
    try {
      return (
        verifyStamp({ token, sha256: hash('sha256', text, 'buffer'), authorities: [authority] }).authority ===
        name
      )
    } catch {
      return false
    }
  }

  for (const { name, judge, skip } of [
    { name: 'OpenSSL', judge: judgeByOpenssl, skip: false },
    { name: 'rfc3161-client', judge: judgeByRfc3161Client, skip: noClient },
  ] as const)
    test(`serves time stamps that ${name} accepts and refuses exactly as we do`, { skip }, async () => {
      await record()
      const pairs = await foreign((await sizeOfLog()) - 1)
      let accepted = 0
      for (const pair of pairs) {
        const isAccepted = await judge(pair)
        assert.equal(isAccepted, await isOurs(pair))
        if (!isAccepted) continue
        accepted += 1
        const altered = Uint8Array.from(pair.token)
        altered[altered.length - 20] = (altered.at(-20) ?? 0) ^ 1
        for (const wrong of [
          { ...pair, text: `${pair.text}x` },
          { ...pair, token: altered },
        ]) {
          assert.equal(await judge(wrong), false)
          assert.equal(await isOurs(wrong), false)
        }
      }
      assert.equal(accepted, 2)
    })

  test('serves them for every entry, to anybody, and nothing for what it does not have', async () => {
    await record()
    const size = await sizeOfLog()
    await untilStamped(size - 1, 3)
    const response = await get(`/ledger/test/stamps/${size - 1}`)
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
    for (const stamp of (await response.json()) as Stamp[]) {
      assert.deepEqual(Object.keys(stamp).toSorted(), ['checkpoint', 'kind', 'path', 'token'])
      assert.equal(stamp.kind, 'rfc3161')
    }
    for (const path of [`${size + 9}`, '-1', '01', '1.5', 'x', '9999999999999999', '99999999999999'])
      assert.equal((await get(`/ledger/test/stamps/${path}`)).status, 404, path)
  })

  test('has them in proof bundles of format 3, where they say before when a certificate was recorded', async () => {
    const asset = certificateAsset()
    await record(asset)
    const index = (await sizeOfLog()) - 2
    await untilStamped(index, 3)
    const bundleOf = async (format: number) =>
      (await (await get(`/api/certificates/proof/${asset.jsonHash}?mode=test&format=${format}`)).json()) as {
        readonly [name: string]: JsonValue
      }
    const [older, bundle] = [await bundleOf(2), await bundleOf(3)]
    assert.equal(older['stamps'], undefined)
    assert.deepEqual(bundle['stamps'], await stampsOf(index))
    const vkey = (await (await get('/ledger/test/vkey')).text()).trim()
    const policy = readPolicy({ logs: [vkey] }, nodePrimitives)
    const [said, ...more] = stampsOn({ bundle, policy, authorities: [other.authority] }, nodePrimitives)
    assert.deepEqual([said?.authority, more], ['other', []])
  })

  test('is degraded while an authority is away, and stamps what is missing once it is back', async () => {
    other.setAway(true)
    await record()
    const index = (await sizeOfLog()) - 1
    await untilStamped(index, 2)
    const stateOf = async () => {
      const ready = (await (await get('/api/ready')).json()) as Readiness
      return ready.dependencies.find(({ name }) => name === 'test time stamps')
    }
    const seen = await eventually(
      async () => {
        server.clock.advance({ seconds: 3 })
        const state = await stateOf()
        return state?.status === 'degraded' && state
      },
      { what: 'it is seen to be away' },
    )
    assert.equal(seen.error, 'no time stamps of other: status 503')
    const metrics = await (await get('/metrics')).text()
    assert.ok(metrics.includes('millseal_stamp_failing{mode="test",authority="other"} 1\n'))
    assert.ok(metrics.includes('millseal_stamp_failing{mode="test",authority="RSA"} 0\n'))
    assert.match(metrics, /^millseal_stamp_age_seconds\{mode="test",authority="other"\} \d/m)
    other.setAway(false)
    await untilStamped(index, 3)
    await eventually(async () => (await stateOf())?.status === 'up')
  })
})
