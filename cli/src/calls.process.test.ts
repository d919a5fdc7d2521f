import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { verifyWebhook } from '@millseal/sdk'
import { createMachine } from '../test/machine.ts'
import { millseal, running, serve, temporaryFolder } from '../test/millseal.ts'
import { demoCertificate } from './demo/certificate.ts'

const opened = new AsyncDisposableStack()
let folder: string
let environment: Readonly<Record<string, string>>
let certificate: string
let id: string

/** As a person does in a shell. */
const run = (...args: readonly string[]) => millseal(args, { environment })

before(async () => {
  folder = opened.use(await temporaryFolder()).path
  const server = opened.use(await serve(join(folder, 'data')))
  const { clientId, clientSecret, identity } = await createMachine(server.url, join(folder, 'data'))
  const { stdout } = await millseal(['token', '--client-id', clientId], {
    environment: { MILLSEAL_SERVER: server.url },
    input: `${clientSecret}\n`,
  })
  environment = { MILLSEAL_SERVER: server.url, MILLSEAL_TOKEN: stdout.trim() }
  certificate = join(folder, 'certificate.json')
  const about = { number: 'MC-1', issuedOn: '2026-11-20', mill: 'Mill', millEmail: 'mill@example.com' }
  await writeFile(certificate, JSON.stringify(demoCertificate({ ...about, receiverEmail: 'in@example.com' })))
  const done = await run(
    'notarize',
    certificate,
    '--identity',
    identity,
    '--mode',
    'test',
    '--wait',
    '--json',
  )
  id = JSON.parse(done.stdout).id
})
after(() => opened.disposeAsync())

describe('everything that the API has', () => {
  test('is listed with filters, in a pipe between tabs, and read by its id', async () => {
    const listed = await run('list', 'certificates', 'state=notarized')
    assert.equal(listed.status, 0, listed.stderr)
    const [first = ''] = listed.stdout.split('\n')
    assert.equal(first.split('\t')[0], id)
    assert.equal((await run('list', 'certificates', 'state=failed')).stdout, '')
    const rows = JSON.parse((await run('list', 'identities', '--limit', '1', '--json')).stdout)
    assert.equal(rows.length, 1)
    const read = await run('get', 'certificate', id)
    assert.match(read.stdout, new RegExp(`^id +${id}$`, 'm'))
    assert.match(read.stdout, /^state +notarized$/m)
  })

  test('is called by its path, byte for byte, with a body and into a file', async () => {
    const json = await run('api', 'GET', `/certificates/${id}/json`)
    assert.deepEqual(JSON.parse(json.stdout), JSON.parse(await readFile(certificate, 'utf8')))
    const pdf = join(folder, 'certificate.pdf')
    assert.equal((await run('api', 'get', `/certificates/${id}/pdf`, '--out', pdf)).status, 0)
    assert.match(await readFile(pdf, 'latin1'), /^%PDF-/)
    const valid = await run('api', 'POST', '/certificates/validate', '--body', certificate)
    assert.equal(valid.status, 0, valid.stderr)
    JSON.parse(valid.stdout)
    const without = { MILLSEAL_SERVER: environment['MILLSEAL_SERVER'] ?? '' }
    const health = await millseal(['api', 'GET', '/health'], { environment: without })
    assert.equal(health.status, 0, 'what everybody may ask needs no token')
  })

  test('is opened in the console', async () => {
    const { stdout } = await run('open', id, '--print')
    assert.equal(stdout, `${environment['MILLSEAL_SERVER']}/console/certificates/${id}\n`)
  })

  const mistakes: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [['list', 'certificate', 'stat=failed'], /there is no filter stat: did you mean state\?/],
    [['list', 'certificates', 'failed'], /failed is no filter: write name=value/],
    [['list', 'hook', '--limit', '0'], /--limit must be a number from 1/],
    [['list', 'hooks', '--mode', 'test'], /--mode means nothing here/],
    [['get', 'certifcate', '1'], /certifcate is nothing to get: did you mean certificates\?/],
    [['api', 'GET', 'certificates'], /<path> must begin with \//],
    [['api', 'GET', '/certificate'], /the API has no \/certificate, did you mean \/certificates\?/],
    [['api', 'DELETE', '/certificates'], /\/certificates has no DELETE, only GET/],
    [['open', 'everything'], /everything cannot be opened: use console/],
    [['listen', '--after', '1'], /--after needs --forward-to/],
    [['listen', '--forward-to', 'localhost:3000'], /--forward-to must be a URL/],
  ]
  for (const [args, says] of mistakes)
    test(`is not guessed: ${args.join(' ')}`, async () => {
      const refused = await run(...args)
      assert.equal(refused.status, 2, refused.stderr)
      assert.match(refused.stderr, says)
    })

  test('says in one line what the server refuses', async () => {
    const refused = await run('api', 'GET', '/certificates/0198c2f4-6f0a-7c3e-9a51-2f0d6a1b7c44')
    assert.equal(refused.status, 1)
    assert.match(refused.stderr, /^millseal: [^\n]+\n$/)
  })
})

test('events reach a receiver on this machine, signed as webhooks are, and the next one after a refusal', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const got: string[] = []
  const receiver = createServer((request, response) => {
    const take = async () => {
      const body = await buffer(request)
      const { headers } = request
      const { resource, action } = await verifyWebhook({ secret, headers, body, toleranceSeconds: 3_600 })
      got.push(`${resource}/${action}`)
      response.writeHead(got.length === 1 ? 500 : 204).end()
    }
    take().catch(() => response.writeHead(401).end())
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  try {
    const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
    const args = ['listen', '--forward-to', target, '--after', '0']
    await using listening = running(args, {
      environment: { ...environment, MILLSEAL_WEBHOOK_SECRET: secret },
    })
    await listening.until(/^500 {2}\S+ {2}\d+\n204 {2}\S+ {2}\d+\n/m)
    assert.ok(got.some((one) => one === 'certificates/notarize_one') || got.length > 1, got.join())
    assert.doesNotMatch(listening.text.out, /^401/m)
  } finally {
    receiver.close()
  }
})
