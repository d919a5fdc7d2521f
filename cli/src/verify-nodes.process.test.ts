import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { JsonValue } from '@millseal/proof'
import { cosigned, policy2Of } from '@millseal/proof/testing'
import { at, bundleOf, correct, openLog, verifying } from '../test/certified.ts'
import { millseal } from '../test/millseal.ts'

const opened = new AsyncDisposableStack()
let place: Awaited<ReturnType<typeof verifying>>
before(async () => {
  place = opened.use(await verifying())
})
after(() => opened.disposeAsync())

/** An address that gives this to everybody who asks for a proof in the log; undefined if it has none. */
const holder = async (bundle: JsonValue | undefined | string): Promise<string> => {
  const id = createHash('sha256').update('mill.example/ledger/live').digest('hex')
  const server = createServer(({ url = '' }, response) => {
    const isFound = new RegExp(`^/${id}/proof/[0-9a-f]{64}\\?format=3$`).test(url) && bundle !== undefined
    response.statusCode = isFound ? 200 : 404
    response.end(typeof bundle === 'string' ? bundle : JSON.stringify(bundle))
  }).listen(0, '127.0.0.1')
  opened.use(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
/** Nobody listens there. */
const silent = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

type Signed = Parameters<typeof cosigned>[1]
const inspector: Signed = ['inspector', '2026-11-22T05:51:00.000Z']
const association: Signed = ['association', '2026-11-22T05:52:00.000Z']

const verify = async (policy: JsonValue, nodes: readonly string[], ...more: readonly string[]) => {
  const file = await place.write('policy.json', policy)
  const args = [
    'verify',
    place.path('c.json'),
    '--policy',
    file,
    '--now',
    at(55),
    '--nodes',
    nodes.join(),
    ...more,
  ]
  const plain = await millseal(args)
  const { status, stdout } = await millseal([...args, '--json'])
  assert.equal(status, plain.status)
  const report = JSON.parse(stdout) as { readonly verdict: string; readonly nodes?: readonly string[] }
  return { status, text: plain.stdout + plain.stderr, ...report }
}

test('millseal verify asks the nodes if the server is silent, and joins their signatures', async () => {
  const log = openLog('live')
  const bundle = await bundleOf(log)
  const nodes = [
    await holder(await cosigned(bundle, inspector)),
    await holder(await cosigned(bundle, association)),
  ]
  const server = ['--server', await silent()]
  const { status, text, nodes: asked } = await verify(policy2Of(log), nodes, ...server)
  assert.equal(status, 0, text)
  assert.match(
    text,
    /: GENUINE\n[^]*Held by 2 independent nodes: inspector, association, before 2026-11-22T05:52:01/,
  )
  assert.deepEqual(asked, [
    'The server did not answer',
    ...nodes.map((node) => `The node ${node} has a proof of it`),
  ])
  const one = await verify(policy2Of(log), nodes.slice(0, 1), ...server)
  assert.deepEqual([one.status, one.verdict], [3, 'unconfirmed'])
})

test('a node that has less, nothing, or a lie changes nothing that another proves', async () => {
  const log = openLog('live')
  const older = await cosigned(await bundleOf(log), inspector, association)
  const forged = JSON.parse(
    JSON.stringify(older).replace('millseal-status 1', 'millseal-status 2'),
  ) as JsonValue
  correct(log, { action: 'withdraw', transactionId: log.transaction.id })
  const newer = await cosigned(await bundleOf(log), inspector)
  const others = await Promise.all([holder(forged), holder('no JSON'), holder(undefined), silent()])
  const server = ['--server', await silent()]
  const held = await verify(policy2Of(log), [await holder(older), ...others], ...server)
  assert.deepEqual([held.status, held.verdict], [0, 'genuine'], held.text)
  assert.match(held.text, /has no proof of it\.\n[^]*does not answer\.\n/)
  // A withdrawal is believed, from anybody: the log has signed it.
  const withdrawn = await verify(policy2Of(log), [await holder(older), await holder(newer)], ...server)
  assert.deepEqual([withdrawn.status, withdrawn.verdict], [4, 'withdrawn'], withdrawn.text)
})

test('millseal verify finds at a node what happened after a bundle, and what a server denies', async () => {
  const log = openLog('live')
  const bundle = await place.write('old.json', await bundleOf(log))
  const policy = { logs: [log.log.vkey] }
  const denying = ['--server', await holder(undefined)]
  const fresh = await verify(policy, [await holder(await bundleOf(log))], ...denying)
  assert.deepEqual([fresh.status, fresh.verdict], [0, 'genuine'])
  correct(log, { action: 'withdraw', transactionId: log.transaction.id })
  const later = await verify(policy, [await holder(await bundleOf(log))], '--bundle', bundle)
  assert.deepEqual([later.status, later.verdict], [4, 'withdrawn'])
})

test('millseal verify asks the nodes about each of several files', async () => {
  const log = openLog('live')
  const bundle = await bundleOf(log)
  const nodes = [
    await holder(await cosigned(bundle, inspector)),
    await holder(await cosigned(bundle, association)),
  ]
  await place.write('other.json', { Heat: 'unknown' })
  const policy = await place.write('policy.json', policy2Of(log))
  const files = [place.path('c.json'), place.path('other.json')]
  const asked = ['--nodes', nodes.join(), '--server', await silent(), '--now', at(55), '--json']
  const { status, stdout } = await millseal(['verify', ...files, '--policy', policy, ...asked])
  const { files: lines } = JSON.parse(stdout) as {
    readonly files: readonly { readonly verdict: string; readonly notes?: readonly string[] }[]
  }
  // The holders give their bundle to everybody who asks, so the second file is not the one that they prove.
  assert.deepEqual([status, lines.map(({ verdict }) => verdict)], [1, ['genuine', 'altered']], stdout)
  assert.deepEqual(lines[0]?.notes, [
    'The server did not answer',
    ...nodes.map((node) => `The node ${node} has a proof of it`),
  ])
})

test('millseal verify says that nobody answers, and refuses nodes without an address', async () => {
  const log = openLog('live')
  const none = await verify(policy2Of(log), [await silent()], '--server', await silent())
  assert.equal(none.status, 5)
  assert.match(none.text, /Neither the server nor a node answers: /)
  const unnamed = await millseal([
    'verify',
    place.path('c.json'),
    '--policy',
    place.path('policy.json'),
    '--nodes',
    'policy',
  ])
  assert.match(unnamed.stderr, /--nodes policy: the policy has no node with an address/)
  const wrong = await millseal([
    'verify',
    place.path('c.json'),
    '--policy',
    place.path('policy.json'),
    '--nodes',
    'ftp://x',
  ])
  assert.deepEqual([unnamed.status, wrong.status], [2, 2])
})
