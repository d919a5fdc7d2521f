import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { after, before, describe, test } from 'node:test'
import { checkpointIn } from '@millseal/proof'
import { sha256Of } from '@millseal/proof/testing'
import { millseal, running, serve, temporaryFolder } from '../test/millseal.ts'

const opened = new AsyncDisposableStack()
let dataDir: string
let documents: string
let copies: string
let port: string
let nodePort: string

before(async () => {
  dataDir = opened.use(await temporaryFolder()).path
  documents = opened.use(await temporaryFolder()).path
  copies = opened.use(await temporaryFolder()).path
  port = await freePort()
  nodePort = await freePort()
})
after(() => opened.disposeAsync())

const path = (name: string): string => join(documents, name)
const nodeUrl = (): string => `http://127.0.0.1:${nodePort}`
const nodeCommand = (...more: string[]): string[] => {
  const folder = join(copies, 'copies')
  return ['node', '--name', 'inspection.example/node', '--logs', path('logs.v0'), '--folder', folder, ...more]
}
const startNode = async () => {
  const node = running(nodeCommand('--listen', `127.0.0.1:${nodePort}`))
  await node.until(/The node is ready/)
  return node
}
const startServer = () =>
  serve(dataDir, { MILLSEAL_PORT: port, MILLSEAL_COSIGNERS: path('cosigners.policy') })
const demo = async (folder: string): Promise<void> => {
  const environment = { MILLSEAL_SERVER: `http://127.0.0.1:${port}`, MILLSEAL_DATA_DIR: dataDir }
  const ran = await millseal(['demo', '--folder', path(folder)], { environment })
  assert.equal(ran.status, 0, ran.stderr)
}
const sizeAt = async (url: string): Promise<number> => {
  const response = await fetch(url)
  return response.status === 200 ? checkpointIn(await response.text()).size : -1
}
/** All that the log has recorded. */
const untilConfirmed = async (): Promise<number> => {
  const log = `http://127.0.0.1:${port}/ledger/test`
  for (;;) {
    const [recorded, confirmed] = [
      await sizeAt(`${log}/checkpoint`),
      await sizeAt(`${log}/confirmed/checkpoint`),
    ]
    if (recorded > 0 && recorded === confirmed) return recorded
    await pause(50)
  }
}

describe('millseal node', () => {
  test('confirms what a server records, also after both were killed, and proves it without the server', async () => {
    const first = await serve(dataDir, { MILLSEAL_PORT: port })
    const list = await (await fetch(`${first.url}/ledger/logs.v0`)).text()
    await first[Symbol.asyncDispose]()
    await writeFile(path('logs.v0'), list)
    const printed = await millseal(nodeCommand('--keys', '--json'))
    const keys = JSON.parse(printed.stdout) as { readonly node: string; readonly witness: string }
    const policy = `witness inspector ${keys.node} ${nodeUrl()}\nquorum inspector\n`
    await writeFile(path('cosigners.policy'), policy)

    const node = await startNode()
    const server = await startServer()
    await demo('one')
    const size = await untilConfirmed()
    await node.kill()

    await using again = await startNode()
    await demo('two')
    assert.ok((await untilConfirmed()) > size)
    const key = /^vkey (\S+\/ledger\/test\S+)$/m.exec(list)?.[1] ?? ''
    const id = sha256Of(Buffer.from(key.split('+', 1)[0] ?? ''))
    await server.kill()

    const pdf = path('two/certificate.pdf')
    const hash = sha256Of(await readFile(pdf))
    const bundle = await fetch(`${nodeUrl()}/${id}/proof/${hash}`)
    assert.equal(bundle.status, 200)
    await writeFile(path('bundle.json'), await bundle.text())
    const trust = ['--mode', 'test', '--bundle', path('bundle.json'), '--policy', path('two/policy.json')]
    const verified = await millseal(['verify', pdf, ...trust, '--json'], { offline: true })
    const { answers } = JSON.parse(verified.stdout) as { readonly answers: Readonly<Record<string, string>> }
    assert.deepEqual(
      [verified.status, answers],
      [0, { unchanged: 'yes', issuer: 'yes', time: 'yes', status: 'yes' }],
    )
    const witnesses = `witness inspector ${keys.node} ${nodeUrl()}\nquorum inspector\n`
    const { issuers } = JSON.parse(await readFile(path('two/policy.json'), 'utf8')) as {
      readonly issuers: []
    }
    const held = { policyVersion: 2, log: `log ${key}\n${witnesses}`, nodes: ['inspector'], issuers }
    await writeFile(path('held.json'), JSON.stringify(held))
    const gone = ['--mode', 'test', '--policy', path('held.json'), '--server', `http://127.0.0.1:${port}`]
    const asked = await millseal(['verify', pdf, ...gone, '--nodes', 'policy'])
    assert.equal(asked.status, 0, asked.stdout + asked.stderr)
    assert.match(
      asked.stdout,
      /The server did not answer\.\n[^]*Held by 1 independent node: inspector, before /,
    )
    const copy = await millseal(['log', 'verify', '--url', `${nodeUrl()}/${id}`, '--key', key])
    assert.equal(copy.status, 0, copy.stdout)
    assert.doesNotMatch(again.text.err, /^millseal: .*STOPPED/m)
  })

  test('refuses arguments that it cannot use, and a folder that another one uses', async () => {
    const refused = async (...args: string[]) => {
      const { status, stderr } = await millseal(args)
      return `${status} ${stderr}`
    }
    assert.match(await refused('node', '--logs', 'x', '--folder', 'x'), /^2 .*--name is missing/)
    assert.match(await refused(...nodeCommand('--every', 'often')), /^2 .*--every must be a time/)
    assert.match(
      await refused(...nodeCommand('--listen', '8091')),
      /^2 .*--listen must be an address and a port/,
    )
    await using _node = await startNode()
    assert.match(await refused(...nodeCommand('--keys')), /^1 .*Another node uses the folder/)
    await writeFile(path('bad.v0'), 'logs/v1\n')
    const bad = nodeCommand().map((one) => one.replace('logs.v0', 'bad.v0'))
    assert.match(await refused(...bad), /^2 .*bad\.v0: line 1: expected logs\/v0/)
  })
})

const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? String(address.port) : ''
}
