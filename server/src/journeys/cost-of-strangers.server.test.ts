import assert from 'node:assert/strict'
import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Operation, operations, publicOperations } from '@millseal/contract'
import { costlyTransactions } from '../../test/attacks/costly-transactions.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server[Symbol.asyncDispose]())

const largest = 16 * 1024
const filled = (start: string, part: (at: number) => string, end: string): string => {
  let text = start
  for (let at = 0; text.length < largest - 200; at += 1) text += part(at)
  return text + end
}
/** As large as a body of somebody without a token may be. */
const objects: readonly (readonly [name: string, body: string])[] = [
  ['nested arrays', filled('{"a":[', () => `${'['.repeat(50)}${']'.repeat(50)},`, '1]}')],
  ['many keys', filled('{', (at) => `"k${at}":0,`, '"k":0}')],
  ['short texts', filled('{"a":[', () => '"\\u00e9",', '1]}')],
  ['a long text', filled('{"username":"', () => '\\u00e9a+.', '","email":"a@example.com","password":"x"}')],
]
const forms: readonly (readonly [name: string, body: string])[] = [
  ['many fields', filled('a=1', (at) => `&k${at}=1`, '')],
  ['escapes', filled('grant_type=', () => '%C3%A9', '')],
]

type Attack = {
  readonly path: string
  readonly name: string
  readonly type: string
  readonly body: string | Uint8Array
}

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const attacksOn = (path: string, type: string): Attack[] =>
  (type === json ? objects : forms).map(([name, body]) => ({ path, name, type, body }))

const someId = '0198c0de-0000-7000-8000-000000000000'
const fill = (path: string) => path.replaceAll(/\{\w+\}/g, someId)
const declared = Object.values<Operation>(operations).filter(
  ({ id, body }) => publicOperations.includes(id) && body !== undefined,
)
/** Every address that reads a body without a token. */
const attacks: readonly Attack[] = [
  ...declared.flatMap(({ path, body }) =>
    attacksOn(`/api${fill(path)}?mode=test`, body?.kind === 'form' ? form : json),
  ),
  ...[
    '/register',
    '/resend-confirmation',
    '/forgot-password',
    '/reset-password',
    '/invitation',
    `/unsubscribe/${someId}`,
    '/oidc/token',
    `/oidc/interaction/${someId}`,
    `/oidc/interaction/${someId}/code`,
  ].flatMap((path) => attacksOn(path, form)),
  ...costlyTransactions.map(({ name, body }) => ({
    path: '/ledger/test/api/v1/transactions',
    name,
    type: json,
    body,
  })),
]

/**
 * The processor time of this thread, in which the server and its client run, for one piece of work: the least of several
 * rounds, because what else the machine does only adds to it. Kernels count in steps of some milliseconds.
 */
const processorMs = async (perRound: number, work: () => unknown): Promise<number> => {
  const rounds: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const start = process.threadCpuUsage()
    for (let count = 0; count < perRound; count += 1) await work()
    const { user, system } = process.threadCpuUsage(start)
    rounds.push((user + system) / 1_000 / perRound)
  }
  return Math.min(...rounds)
}

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const message = Buffer.alloc(32)
const signature = sign(null, message, privateKey)
/** One takes 0.23 ms on the machine of docs/benchmarks.md, so this many take 20 ms. */
const mostVerifications = 88
const mostOfFiles = 220
const verificationMs = (): Promise<number> =>
  processorMs(200, () => verify(null, message, publicKey, signature))

/** Measured again if it is too much: what else the machine does costs caches, and so processor time. */
const verificationsOf = async (attack: Attack, most: number): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  for (let trial = 0; trial < 5 && least > most; trial += 1)
    least = Math.min(least, (await processorMs(8, () => send(attack))) / (await verificationMs()))
  return least
}

const send = async ({ path, type, body }: Attack): Promise<number> => {
  const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin' }
  const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body, redirect: 'manual' })
  await answer.arrayBuffer()
  return answer.status
}

describe('a request without a token', () => {
  test('records no transaction that is costly to verify; the answer says what an open ledger accepts', async () => {
    const messageOf = async (name: string): Promise<string> => {
      const { body } = costlyTransactions.find((one) => one.name === name) ?? assert.fail(name)
      const url = `${server.url}/ledger/test/api/v1/transactions`
      const answer = await fetch(url, { method: 'POST', headers: { 'content-type': json }, body })
      assert.equal(answer.status, 400)
      return answer.text()
    }
    assert.match(await messageOf('signed inputs'), /accepts at most 500 values in a transaction/)
    assert.match(await messageOf('a threshold of signatures'), /accepts at most 16 signatures/)
  })

  test('costs the main thread no more than 20 ms, whatever its body contains', async (t) => {
    assert.ok(declared.length >= 8)
    let worst = { verifications: 0, what: '' }
    for (const attack of attacks) {
      const status = await send(attack)
      assert.ok(status < 500, `${attack.path} answered ${status} to ${attack.name}`)
      const verifications = await verificationsOf(attack, mostVerifications)
      const what = `${attack.path}, ${attack.name}`
      if (verifications > worst.verifications) worst = { verifications, what }
      assert.ok(verifications <= mostVerifications, `${what} costs ${verifications.toFixed(0)} verifications`)
    }
    t.diagnostic(
      `${attacks.length} bodies; the worst costs ${worst.verifications.toFixed(0)} verifications: ${worst.what}`,
    )
  })

  test('costs it no more than 50 ms with the largest file, which another thread reads', async () => {
    const path = '/api/certificates/verify?mode=test'
    const numbers = `{"a":[${Array.from({ length: 130_000 }, () => '1e-300').join()}]}`
    const marks = `{"a":"${'\u0301'.repeat(280_000)}"}`
    for (const [name, body] of Object.entries({ numbers, marks })) {
      const file = { path, name, type: json, body }
      assert.match(String(await send(file)), /^4(?:00|13)$/, name)
      const verifications = await verificationsOf(file, mostOfFiles)
      assert.ok(verifications <= mostOfFiles, `${name} cost ${verifications.toFixed(0)} verifications`)
    }
  })
})
