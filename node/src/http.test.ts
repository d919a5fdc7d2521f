import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { checkpointIn } from '@millseal/proof'
import { certificate, holding, lines, logOf, at, sha256 } from '../test/held.ts'
import { type Source, startSource } from '../test/source.ts'
import { createNodeServer } from './http.ts'
import { openHttpLog } from './http-log.ts'
import type { NodeFiles } from './files.ts'
import type { LogNode } from './node.ts'

describe('the addresses of a node', () => {
  const opened = new AsyncDisposableStack()
  let source: Source
  let node: LogNode
  let url: string
  let isDiskBroken = false
  const notes: string[] = []
  before(async () => {
    source = opened.use(await startSource('mill<b>.example'))
    const folder = opened.use(await holding(source))
    const breaking = (files: NodeFiles): NodeFiles => ({
      ...files,
      read: async (name) =>
        isDiskBroken ? Promise.reject(new Error('the disk is broken')) : files.read(name),
      within: (place) => breaking(files.within(place)),
    })
    node = await folder.open(breaking)
    await source.serve(lines(300))
    await logOf(node).poll()
    const server = createNodeServer(node, { version: '0.0.0', note: (line) => notes.push(line) }).listen(
      0,
      '127.0.0.1',
    )
    await once(server, 'listening')
    opened.defer(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => opened.disposeAsync())
  const get = (path: string) => fetch(`${url}/${path}`)
  const id = () => logOf(node).id

  test('are those of a log: checkpoint and tiles, as wide as asked for', async () => {
    const [copy, log] = [openHttpLog(`${url}/${id()}`), openHttpLog(source.url)]
    assert.equal(checkpointIn(await copy.readCheckpoint()).size, 300)
    for (const path of [
      'tile/entries/000',
      'tile/entries/001.p/44',
      'tile/0/000',
      'tile/1/000.p/1',
      'tile/0/001.p/7',
    ])
      assert.deepEqual(await copy.readFile(path), await log.readFile(path), path)
    for (const path of [
      'tile/0/001.p/45',
      'tile/0/001',
      'tile/2/000',
      'tile/entries/1',
      'seen',
      'snapshot',
      '..%2fkeys%2fnode.pem',
    ])
      assert.equal((await get(`${id()}/${path}`)).status, 404, path)
    assert.equal((await get(`${sha256('other')}/checkpoint`)).status, 404)
    const tile = await get(`${id()}/tile/0/000`)
    assert.equal(tile.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  })

  test('have what the witness key has signed, proofs and a page', async () => {
    const witnessed = await (await get(`witness/${id()}/checkpoint`)).text()
    assert.match(witnessed, /^— inspection\.example\/witness /m)
    assert.match(await (await get(`${id()}/checkpoint`)).text(), /^— inspection\.example /m)
    const bundle = (await (await get(`${id()}/proof/${sha256('pdf 9').toUpperCase()}`)).json()) as {
      readonly entry: { readonly transaction: { readonly id: string } }
    }
    assert.equal(bundle.entry.transaction.id, certificate(9).id)
    const formatOf = async (query: string) => {
      const answer = await get(`${id()}/proof/${sha256('pdf 9')}${query}`)
      return answer.ok
        ? ((await answer.json()) as { readonly formatVersion: number }).formatVersion
        : answer.status
    }
    assert.deepEqual(
      await Promise.all(['', '?format=2', '?format=3', '?format=4'].map(formatOf)),
      [2, 2, 3, 400],
    )
    for (const hash of [sha256('none'), 'x']) assert.equal((await get(`${id()}/proof/${hash}`)).status, 404)
    assert.equal((await get(`${id()}/evidence/1`)).status, 404)
    const page = await get('')
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    const html = await page.text()
    assert.ok(html.includes(node.keys.node.vkey) && html.includes('mill&#60;b&#62;.example'))
  })

  test('take checkpoints as C2SP says', async () => {
    const post = (body: string) => fetch(`${url}/add-checkpoint`, { method: 'POST', body })
    const conflict = await post(await source.request(1, lines(300)))
    assert.deepEqual([conflict.status, conflict.headers.get('content-type')], [409, 'text/x.tlog.size'])
    assert.equal(await conflict.text(), '300\n')
    const good = await post(await source.request(300, lines(300)))
    assert.deepEqual([good.status, (await good.text()).trim().split('\n').length], [200, 2])
    assert.equal((await post('x'.repeat(70_000))).status, 413)
    assert.equal((await get('add-checkpoint')).status, 405)
    assert.equal((await fetch(`${url}/`, { method: 'PUT' })).status, 405)
  })

  test('do not tell strangers why they fail, but the operator', async () => {
    isDiskBroken = true
    const response = await get(`${id()}/tile/0/000`)
    isDiskBroken = false
    assert.deepEqual([response.status, await response.text()], [500, 'This node failed: its log says why\n'])
    assert.deepEqual(notes, [`GET /${id()}/tile/0/000: the disk is broken`])
  })

  test('have the evidence of a log that was stopped, and its proofs', async () => {
    await source.serve([...lines(299), [certificate(999), at(3)]])
    await logOf(node).poll()
    const evidence = (await (await get(`${id()}/evidence/1`)).json()) as { readonly kind: string }
    assert.equal(evidence.kind, 'fork')
    assert.match(await (await get('')).text(), /Stopped for ever:<\/strong> The log has signed two different/)
    assert.equal((await get(`${id()}/proof/${sha256('json 9')}`)).status, 200)
  })
})
