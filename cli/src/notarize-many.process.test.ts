import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClient } from '@millseal/sdk'
import { createMachine } from '../test/machine.ts'
import { millseal, running, serve, temporaryFolder } from '../test/millseal.ts'
import { demoCertificate } from './demo/certificate.ts'

/** More than fit in one request. */
const count = 230

const writeCertificates = async (folder: string): Promise<string[]> => {
  await mkdir(folder)
  const files = Array.from({ length: count }, (_, at) => join(folder, `${at}.json`))
  for (const [at, file] of files.entries()) {
    const certificate = demoCertificate({
      number: `MC-${at}`,
      issuedOn: '2026-11-20',
      mill: 'Rolling Mill',
      millEmail: 'mill@example.com',
      receiverEmail: 'goods-in@example.com',
    })
    await writeFile(file, JSON.stringify(certificate, null, 2))
  }
  return files
}

const linesIn = async (path: string): Promise<{ file: string; state: string; error?: string }[]> =>
  (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** Without credentials, as a receiver would. */
const areVerified = async ({
  server,
  files,
  folder,
}: {
  readonly server: string
  readonly files: readonly string[]
  readonly folder: string
}) => {
  const environment = { MILLSEAL_SERVER: server }
  const altered = join(folder, 'altered.json')
  const [, other = ''] = files
  await writeFile(altered, (await readFile(other, 'utf8')).replace('"MC-1"', '"MC-9999"'))
  const missing = join(folder, 'missing.pdf')
  const report = join(folder, 'verified.ndjson')
  const args = ['verify', ...files, altered, missing, '--mode', 'test', '--report', report]
  const killed = running(args, { environment })
  await killed.until(/^100 of 232$/m)
  await killed.kill()
  assert.ok((await linesIn(report)).length >= 100)
  const all = await millseal([...args, '--json'], { environment })
  assert.equal(all.status, 1, 'the altered one is not on the ledger')
  const found = (JSON.parse(all.stdout) as { files: { file: string; verdict: string; exitCode: number }[] })
    .files
  assert.deepEqual(
    found.map(({ file }) => file),
    [...files, altered, missing],
  )
  assert.deepEqual(
    found.slice(-3).map(({ verdict, exitCode }) => [verdict, exitCode]),
    [
      [found[0]?.verdict, found[0]?.exitCode],
      ['notFound', 1],
      ['unchecked', 5],
    ],
  )
  const alone = await millseal(['verify', other, '--mode', 'test', '--json'], { environment })
  assert.deepEqual([JSON.parse(alone.stdout).verdict, alone.status], [found[1]?.verdict, found[1]?.exitCode])
  const shown = await millseal(args, { environment: { MILLSEAL_SERVER: server } })
  assert.match(shown.stdout, /missing\.pdf: NOT CHECKED: \S+missing\.pdf does not exist/)
  assert.match(shown.stdout, /^232 files: \d+ genuine, \d+ not$/m)
  const lines = await linesIn(report)
  assert.equal(lines.filter(({ file }) => file === missing).length, 2, 'what was not checked is tried again')
  assert.equal(lines.filter(({ file }) => file === other).length, 1)
  const both = await millseal(['verify', other, altered, '--bundle', altered], { environment })
  assert.equal(both.status, 2)
  assert.match(both.stderr, /--bundle is for one file/)
}

test('hundreds of files are notarized once each, though the command was killed between them', async () => {
  await using folders = new AsyncDisposableStack()
  const folder = folders.use(await temporaryFolder()).path
  await using server = await serve(join(folder, 'data'))
  const { clientId, clientSecret, identity } = await createMachine(server.url, join(folder, 'data'))
  const armed = {
    MILLSEAL_SERVER: server.url,
    MILLSEAL_CLIENT_ID: clientId,
    MILLSEAL_CLIENT_SECRET: clientSecret,
  }
  const token = (await millseal(['token'], { environment: armed })).stdout.trim()
  const environment = { MILLSEAL_SERVER: server.url, MILLSEAL_TOKEN: token }
  const files = await writeCertificates(join(folder, 'certificates'))
  const report = join(folder, 'report.ndjson')
  const args = ['notarize', ...files, '--identity', identity, '--mode', 'test', '--report', report]

  const killed = running(args, { environment })
  await killed.until(/^200 of 230$/m)
  await killed.kill()
  const before = await linesIn(report)
  assert.ok(before.length >= 200)
  await writeFile(report, `${await readFile(report, 'utf8')}{"file":"cut o`)

  const [slip = ''] = files
  const broken = join(folder, 'broken.json')
  const paper = join(folder, 'paper.pdf')
  await writeFile(broken, '{"RefSchemaUrl": ')
  await writeFile(paper, '%PDF-1.7 a scan')
  const rest = await millseal([...args, broken, paper], { environment })
  assert.equal(rest.status, 1, rest.stderr)
  assert.match(rest.stdout, /broken\.json is neither a PDF nor JSON/)
  assert.match(rest.stdout, /paper\.pdf: it is a PDF: submit the JSON/)
  assert.match(rest.stdout, /^232 files: 230 accepted, 2 refused$/m)

  const corrected = JSON.parse(await readFile(slip, 'utf8'))
  corrected.Certificate.CommercialTransaction.A03 = 'MC-corrected'
  await writeFile(slip, JSON.stringify(corrected))
  const done = await millseal([...args, '--wait', '--json'], { environment })
  assert.equal(done.status, 0, done.stderr)
  const { files: lines } = JSON.parse(done.stdout) as { files: { file: string; state: string }[] }
  assert.deepEqual(
    lines.map(({ file }) => file),
    files,
  )
  assert.deepEqual(new Set(lines.map(({ state }) => state)), new Set(['onLedger']))

  const totals = Promise.withResolvers<string | null>()
  await createClient({ baseUrl: server.url, accessToken: token }).listCertificates({
    query: { mode: 'test', state: 'notarized', limit: 1 },
    onHeaders: (headers) => totals.resolve(headers.get('x-total-count')),
  })
  assert.equal(await totals.promise, '231', 'the corrected one is another certificate')

  const again = await millseal(args, {
    environment: { ...environment, MILLSEAL_SERVER: 'http://localhost:9' },
  })
  assert.match(again.stdout, /^230 files: 230 on the ledger$/m, 'nothing is sent')
  await areVerified({ server: server.url, files, folder })
  const single = ['notarize', slip, slip, '--identity', identity, '--mode', 'test', '--reason', 'x']
  assert.equal((await millseal(single, { environment })).status, 2)
})
