import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createMachine } from '../test/machine.ts'
import { millseal, running, serve, settingsIn, temporaryFolder } from '../test/millseal.ts'
import { demoCertificate } from './demo/certificate.ts'

/** Rm below the yield strength: the certificate contradicts itself, and stays valid. */
const nobodyNotarizesByAccident = async ({
  folder,
  carried,
  identity,
  certificate,
}: {
  readonly folder: string
  readonly carried: Record<string, string>
  readonly identity: string
  readonly certificate: Parameters<typeof demoCertificate>[0]
}) => {
  const right = demoCertificate(certificate)
  const file = join(folder, 'slip.json')
  const write = (json: object) => writeFile(file, JSON.stringify(json))
  await write(right)
  const validate = () => millseal(['validate', file], { environment: carried })
  assert.equal((await validate()).status, 0)
  right.Certificate.Inspection.TensileTest.C12.Value = 300
  await write(right)
  const said = /! Rm 300 MPa is below the yield strength 377 MPa/
  const found = await validate()
  assert.equal(found.status, 3, found.stderr)
  assert.match(found.stdout, /^\S+slip\.json is valid by https:/)
  assert.match(found.stdout, said)
  const args = ['notarize', file, '--identity', identity, '--mode', 'test', '--wait']
  const refused = await millseal(args, { environment: carried })
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /Rm 300 MPa is below the yield strength 377 MPa/)
  assert.match(refused.stderr, /add --accept-findings/)
  const accepted = await millseal([...args, '--accept-findings'], { environment: carried })
  assert.equal(accepted.status, 0, accepted.stderr)
  await write({ ...right, Certificate: { ...right.Certificate, Validation: undefined } })
  const invalid = await validate()
  assert.equal(invalid.status, 1)
  assert.match(invalid.stdout, /is not valid\n {2}✕ .*Validation/)
}

/** A file is filed once, and the worst of several decides the exit code. */
const certificatesAreFiled = async ({
  folder,
  carried,
  file,
}: {
  readonly folder: string
  readonly carried: Record<string, string>
  readonly file: string
}) => {
  const add = (...files: readonly string[]) =>
    millseal(['inbox', 'add', ...files, '--mode', 'test', '--json'], { environment: carried })
  const filed = await add(file)
  assert.equal(filed.status, 4, filed.stdout)
  const { files } = JSON.parse(filed.stdout) as { files: { entry: { id: string; unchecked: string } }[] }
  assert.equal(files[0]?.entry.unchecked, 'noRequirement')
  const again = await add(file, join(folder, 'nothing.json'))
  assert.equal(again.status, 5)
  const second = JSON.parse(again.stdout) as { files: { advice: string; entry?: { id: string } }[] }
  assert.deepEqual(
    second.files.map(({ advice, entry }) => [advice, entry?.id]),
    [
      ['look', files[0]?.entry.id],
      ['notFiled', undefined],
    ],
  )
  const unknown = ['inbox', 'add', file, '--mode', 'test', '--against', 'Nothing of this name']
  const refused = await millseal(unknown, { environment: carried })
  assert.equal(refused.status, 1)
}

/** Each verdict has its exit code, and the worst of several files is that of the command. */
const certificatesAreChecked = async ({
  folder,
  carried,
  file,
}: {
  readonly folder: string
  readonly carried: Record<string, string>
  readonly file: string
}) => {
  const against = join(folder, 'requirement.json')
  const check = async (rules: readonly object[], ...more: readonly string[]) => {
    await writeFile(against, JSON.stringify({ name: 'Plate', rules }))
    return await millseal(['check', file, ...more, '--against', against], { environment: carried })
  }
  const strength = { of: 'Rm', min: '470', unit: 'MPa' }
  const passed = await check([strength])
  assert.equal(passed.status, 0, passed.stderr)
  assert.match(passed.stdout, /certificate\.json: PASS \(Plate, [0-9a-f]{12}\)/)
  assert.match(passed.stdout, /pass +Rm +175508-1 +545 MPa +545 +min 470 MPa/)
  const failed = await check([{ ...strength, min: '550' }])
  assert.equal(failed.status, 1)
  assert.match(failed.stdout, /Rm 545 MPa is below the minimum 550 MPa \(heat 175508-1\)/)
  assert.equal((await check([{ of: 'Ti', max: '0.1', unit: '%' }])).status, 3)
  assert.equal((await check([{ ...strength, when: { thickness: { upTo: '16' } } }])).status, 4)
  const unread = await check([strength], join(folder, 'nothing.json'), '--json')
  assert.equal(unread.status, 5)
  const { verdict, files } = JSON.parse(unread.stdout) as { verdict: string; files: { verdict: string }[] }
  assert.deepEqual([verdict, ...files.map((one) => one.verdict)], ['unchecked', 'pass', 'unchecked'])
  const csv = join(folder, 'Plate.csv')
  await writeFile(csv, 'of;min;max;unit\nRm;"470";630,0;MPa\n')
  const byTable = await millseal(['check', file, '--against', csv, '--json'], { environment: carried })
  assert.equal(JSON.parse(byTable.stdout).files[0].check.requirement.name, 'Plate')
  assert.equal(byTable.status, 0)
  await writeFile(csv, 'of,maximum,remark\nC,0.2,as agreed\n')
  const remarked = await millseal(['check', file, '--against', csv], { environment: carried })
  assert.match(remarked.stderr, /no column of requirements is called remark/)
  const refused = await check([{ of: 'Re', min: '355', unit: 'MPa' }])
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /\/requirement\/rules\/0\/of "Re" has several meanings: write ReH/)
}

test('an application gets a token, notarizes once, receives the event, and corrects certificates', async () => {
  await using folders = new AsyncDisposableStack()
  const folder = folders.use(await temporaryFolder()).path
  await using server = await serve(join(folder, 'data'))
  const { clientId, clientSecret, identity } = await createMachine(server.url, join(folder, 'data'))
  const environment = { MILLSEAL_SERVER: server.url, MILLSEAL_CLIENT_ID: clientId }
  const armed = { ...environment, MILLSEAL_CLIENT_SECRET: clientSecret }

  const token = await millseal(['token'], { environment, input: `${clientSecret}\n` })
  assert.equal(token.status, 0, token.stderr)
  assert.match(token.stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/)
  const carried = { MILLSEAL_SERVER: server.url, MILLSEAL_TOKEN: token.stdout.trim() }
  const wrong = await millseal(['token'], { environment, input: 'mss_wrong\n' })
  assert.equal(wrong.status, 1)
  assert.match(wrong.stderr, /^millseal: [^\n]*credentials[^\n]*\n$/i)
  assert.equal((await millseal(['token'], { environment })).status, 2, 'without a secret')

  const file = join(folder, 'certificate.json')
  const about = {
    number: 'MC-1',
    issuedOn: '2026-11-20',
    mill: 'Rolling Mill',
    millEmail: 'mill@example.com',
    receiverEmail: 'goods-in@example.com',
  }
  const certificate = demoCertificate(about)
  await writeFile(file, JSON.stringify(certificate))
  const shown = await millseal(['listen', '--connection'], { environment: armed })
  assert.match(
    shown.stdout,
    /^address +mqtts?:\/\/\S+\n[^]*^username +[^:\s]+:[0-9a-f-]{36}\n[^]*^topic +company\//m,
  )
  await using listening = running(['listen', '--json'], { environment: armed })
  await listening.until(/Listening to /)
  const args = ['notarize', file, '--identity', identity, '--mode', 'test', '--wait', '--json']
  const done = await millseal(args, { environment: armed })
  assert.equal(done.status, 0, done.stderr)
  const { state, transactionId } = JSON.parse(done.stdout) as { state: string; transactionId: string }
  assert.equal(state, 'notarized')
  const [line] = await listening.until(/^\{.*notarize_one.*$/m)
  const heard = JSON.parse(line) as { resource: string; action: string; payload: unknown }
  assert.deepEqual(
    [heard.resource, heard.action, heard.payload],
    ['certificates', 'notarize_one', certificate],
  )

  const again = await millseal(args, { environment: carried })
  const answer = JSON.parse(again.stdout) as { isNewInstance: boolean; transactionId: string }
  assert.deepEqual([answer.isNewInstance, answer.transactionId], [false, transactionId])
  const next = join(folder, 'next.json')
  await writeFile(next, JSON.stringify(demoCertificate({ ...about, number: 'MC-2' })))
  const second = await millseal(['notarize', next, ...args.slice(2)], { environment: carried })
  assert.equal(second.status, 0, second.stderr)
  await certificatesAreChecked({ folder, carried, file })
  await certificatesAreFiled({ folder, carried, file })
  await nobodyNotarizesByAccident({ folder, carried, identity, certificate: { ...about, number: 'MC-3' } })
  const correct = (...words: string[]) =>
    millseal([...words, '--mode', 'test', '--reason', 'Wrong heat', '--json'], { environment: carried })
  const stranger = join(folder, 'stranger.json')
  await writeFile(stranger, '{"Heat":"1"}')
  const unknown = await correct('withdraw', stranger)
  assert.equal(unknown.status, 1)
  assert.match(unknown.stderr, /stranger\.json is not a certificate that your company notarized/)
  const replaced = await correct('replace', file, next)
  assert.equal(replaced.status, 0, replaced.stderr)
  const corrected = join(folder, 'corrected.json')
  await writeFile(corrected, JSON.stringify(demoCertificate({ ...about, number: 'MC-4' })))
  const replacing = ['notarize', corrected, ...args.slice(2), '--replaces', next, '--reason', 'Wrong heat']
  const both = await millseal(replacing, { environment: carried })
  assert.equal(both.status, 0, both.stderr)
  assert.equal((JSON.parse(both.stdout) as { replaces?: string }).replaces, JSON.parse(second.stdout).id)
  const withdrawn = await correct('withdraw', next)
  assert.equal(withdrawn.status, 0, withdrawn.stderr)
  const revoked = await correct('revoke', identity, '--since', '2026-01-01T00:00:00.000Z')
  assert.equal(revoked.status, 0, revoked.stderr)
  const { revokedSince } = JSON.parse(revoked.stdout) as { revokedSince: string }
  assert.equal(revokedSince, '2026-01-01T00:00:00.000Z')
  const verified = await millseal(['verify', next, '--mode', 'test', '--json'], { environment: carried })
  assert.equal(verified.status, 4)
  const { answers } = JSON.parse(verified.stdout) as { answers: { status: string } }
  assert.equal(answers.status, 'no')

  await writeFile(file, JSON.stringify({ ...certificate, Certificate: {} }))
  const refused = await millseal(args, { environment: carried })
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /^millseal: [^\n]+\n$/)

  const pack = join(folder, 'pack')
  const valves = 'valve-schemas/v1.0.0'
  await mkdir(join(pack, valves), { recursive: true })
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  const schema = { $schema, $id: `https://example.org/${valves}/schema.json`, type: 'object' }
  await writeFile(join(pack, valves, 'schema.json'), JSON.stringify(schema))
  const settings = settingsIn(join(folder, 'data'))
  const empty = join(folder, 'empty')
  await mkdir(empty)
  const refusedPack = await millseal(['schemas', 'add', empty], { environment: settings })
  assert.equal(refusedPack.status, 1)
  assert.match(refusedPack.stderr, /^millseal: The pack was rejected: [^\n]+\n$/)
  const added = await millseal(['schemas', 'add', pack, '--json'], { environment: settings })
  assert.equal(added.status, 0, added.stderr)
  const list = await millseal(['schemas', 'list', '--json'], { environment: settings })
  const packs = JSON.parse(list.stdout) as { name: string }[]
  assert.deepEqual(
    packs.map(({ name }) => name),
    [(JSON.parse(added.stdout) as { name: string }).name],
  )
  const doctor = await millseal(['doctor'], { environment: settings })
  assert.equal(doctor.status, 0, doctor.stdout)
  assert.match(doctor.stdout, /✓ ledger +test: 16 entries verified/)
  assert.match(doctor.stdout, /processes +\d+ with \d+ cores and \d+ MiB of memory/)
})
