import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { because } from '@millseal/contract/reasons'
import { importPack } from '../../test/import-pack.ts'
import { openPackFiles, type TestPackFiles } from '../../test/pack-files.ts'
import { certificateOf } from '../../test/invented-certificate.ts'
import {
  copyPublishedSchemas,
  realCertificates,
  withoutRealCertificates,
} from '../../test/real-certificates.ts'
import { readCertificate } from '../certificate/read-certificate.ts'
import { createRegistry } from '../registry/registry.ts'
import { toDocument } from '../to-document.ts'
import { validate } from '../validate/validate.ts'
import { listPacks } from './list-packs.ts'
import { PackRejected } from './manifest.ts'

const now = new Date('2026-01-31T12:00:00Z')
const place = 'valve-schemas/v1.2.0'
const id = `https://example.org/${place}/schema.json`
const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: id,
  title: 'Valve certificate',
  type: 'object',
  required: ['RefSchemaUrl', 'Valve'],
  properties: {
    RefSchemaUrl: { type: 'string' },
    Valve: { type: 'object', properties: { Bore: { type: 'number' } } },
  },
}

type Files = Readonly<Record<string, string | Buffer>>

const folders = async (t: { after: (done: () => Promise<void>) => void }, files: Files = {}) => {
  const root = await mkdtemp(join(tmpdir(), `millseal-test-${process.pid}-`))
  t.after(() => rm(root, { recursive: true, force: true }))
  const folder = join(root, 'offered')
  await mkdir(folder)
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return { folder, target: openPackFiles() }
}

const registryOf = (target: TestPackFiles) =>
  createRegistry({ packs: target, log: { warn: assert.fail }, recheckMs: 0 })

const rejectsWith = async (t: Parameters<typeof folders>[0], files: Files, reason: RegExp) => {
  const { folder, target } = await folders(t, files)
  await assert.rejects(importPack({ offer: { path: folder }, target, now }), (error: unknown) => {
    assert.ok(error instanceof PackRejected)
    assert.match(error.message, reason)
    return true
  })
  assert.deepEqual(await listPacks(target), [])
}

const pack = (changes: object = {}): Files => ({
  [`${place}/schema.json`]: JSON.stringify({ ...schema, ...changes }),
})

describe('importPack', () => {
  test('adds schemas and labels to a registry that is in use', async (t) => {
    const { folder, target } = await folders(t, {
      ...pack(),
      [`${place}/translations.json`]: JSON.stringify({ EN: { Valve: { Bore: 'Nominal bore' } } }),
    })
    const registry = registryOf(target)
    assert.equal(await registry.find(id), undefined)
    const { pack: manifest } = await importPack({ offer: { path: folder }, target, now })
    assert.deepEqual(
      manifest.schemas.map(({ type, version }) => `${type} ${version}`),
      ['valve-schemas 1.2.0'],
    )
    const entry = await registry.find(id)
    assert.ok(entry)
    assert.deepEqual((await registry.list())['valve-schemas'], ['1.2.0'])
    const certificate = certificateOf({ RefSchemaUrl: id, Valve: { Bore: 50 } })
    assert.deepEqual(validate(certificate, entry), [])
    assert.deepEqual(validate(certificateOf({ RefSchemaUrl: id, Valve: { Bore: 'x' } }), entry), [
      {
        pointer: '/Valve/Bore',
        reason: because('schema_type', { type: because('type_number') }),
        label: 'Nominal bore',
      },
    ])
    const document = toDocument(certificate, entry)
    assert.equal(document.family, 'generic')
    assert.deepEqual(document.title, ['Valve certificate'])
    assert.deepEqual(document.sections[0]?.blocks, [
      { kind: 'fields', fields: [{ label: ['Nominal bore'], value: '50' }] },
    ])
  })

  test('ignores a file of labels that is empty', async (t) => {
    for (const labels of [
      { 'EN.json': '{"Valve":{"Bore":"Nominal bore"}}', 'ES.json': '' },
      { 'translations.json': ' \n' },
    ]) {
      const beside = Object.fromEntries(
        Object.entries(labels).map(([name, text]) => [`${place}/${name}`, text]),
      )
      const { folder, target } = await folders(t, { ...pack(), ...beside })
      const { pack: manifest, refused } = await importPack({ offer: { path: folder }, target, now })
      assert.deepEqual(refused, [])
      assert.equal(manifest.schemas.length, 1)
      assert.equal(
        (await registryOf(target).find(id))?.labels.get('en')?.get('Bore'),
        'EN.json' in labels ? 'Nominal bore' : undefined,
      )
    }
  })

  test('changes nothing if the pack exists, and prefers the later of two packs', async (t) => {
    const { folder, target } = await folders(t, pack())
    const first = await importPack({ offer: { path: folder }, target, now })
    assert.deepEqual(
      await importPack({ offer: { path: folder }, target, now: new Date(now.getTime() + 1_000) }),
      first,
    )
    const changed = await folders(t, pack({ title: 'Another title' }))
    await importPack({ offer: { path: changed.folder }, target, now: new Date(now.getTime() + 2_000) })
    assert.equal((await listPacks(target)).length, 2)
    assert.equal((await registryOf(target).find(id))?.schema['title'], 'Another title')
  })

  test('changes nothing if it is interrupted, and completes when it is repeated', async (t) => {
    const { folder, target } = await folders(t, { ...pack(), LICENSE: 'the licence' })
    const registry = registryOf(target)
    for (const end of ['schema.json', 'LICENSE', 'manifest.json']) {
      target.failFrom = end
      await assert.rejects(importPack({ offer: { path: folder }, target, now }), /interrupted/)
      assert.deepEqual(await listPacks(target), [], end)
      assert.equal(await registry.find(id), undefined, end)
    }
    target.failFrom = undefined
    const { pack: imported } = await importPack({ offer: { path: folder }, target, now })
    assert.ok(await registry.find(id))
    assert.deepEqual(await listPacks(target), [imported])
  })

  test('keeps the known schemas while the files cannot be read, and finds new ones afterwards', async (t) => {
    const { folder, target } = await folders(t, pack())
    const warnings: string[] = []
    const log = { warn: (_: object, message: string) => warnings.push(message) }
    let fails = true
    const list = (name: string) => (fails ? Promise.reject(new Error('away')) : target.list(name))
    const registry = createRegistry({ packs: { ...target, list }, log, recheckMs: 0 })
    await assert.rejects(registry.find(id), /away/)
    fails = false
    assert.equal(await registry.find(id), undefined)
    await importPack({ offer: { path: folder }, target, now })
    assert.ok(await registry.find(id))
    fails = true
    assert.ok(await registry.find(id))
    assert.deepEqual(warnings, ['Could not look for new packs of schemas; using the known ones'])
  })

  test('does not let requests wait for files that do not answer', async (t) => {
    const { folder, target } = await folders(t, pack())
    await importPack({ offer: { path: folder }, target, now })
    let answers = true
    const list = (name: string) => (answers ? target.list(name) : new Promise<never>(() => {}))
    const registry = createRegistry({ packs: { ...target, list }, log: { warn: assert.fail }, recheckMs: 0 })
    assert.ok(await registry.find(id))
    answers = false
    assert.ok(await registry.find(id))
    assert.ok(await registry.find(id))
  })

  test('loads the other packs and logs a warning if one pack is damaged', async (t) => {
    const { folder, target } = await folders(t, pack())
    const {
      pack: { name },
    } = await importPack({ offer: { path: folder }, target, now })
    target.contents.set(`packs/${name}/${place}/schema.json`, Buffer.from('{'))
    const warnings: string[] = []
    const log = { warn: (_: object, message: string) => warnings.push(message) }
    const registry = createRegistry({ packs: target, log })
    assert.equal(await registry.find(id), undefined)
    assert.ok(await registry.find('https://schemas.millseal.org/coa-schemas/v1.0.0/schema.json'))
    assert.deepEqual(warnings, ['Could not read a pack of schemas; it is ignored'])
  })

  test('rejects what could harm the server, and names the file and the reason', async (t) => {
    await rejectsWith(t, pack({ $ref: 'http://169.254.169.254/' }), /valve-schemas.*refers to "http/)
    await rejectsWith(t, pack({ pattern: '(?=a)' }), /pattern that cannot be used/)
    await rejectsWith(
      t,
      pack({ $id: 'https://example.org/other-schemas/v1.0.0/schema.json' }),
      /\$id says other-schemas/,
    )
    await rejectsWith(
      t,
      pack({ $id: `https://schemas.millseal.org/${place}/schema.json` }),
      /reserved for the schemas of Millseal/,
    )
    await rejectsWith(t, pack({ type: 'nonsense' }), /does not compile/)
    await rejectsWith(t, { [`${place}/schema.json`]: '{' }, /must be JSON/)
    await rejectsWith(
      t,
      { [`${place}/schema.json`]: '['.repeat(100) + ']'.repeat(100) },
      /must be a JSON object/,
    )
    await rejectsWith(
      t,
      { [`${place}/schema.json`]: `{"a":${'['.repeat(100)}${']'.repeat(100)}}` },
      /more than 64 levels/,
    )
    await rejectsWith(t, { [`${place}/schema.json`]: '{"__proto__":{}}' }, /__proto__/)
    await rejectsWith(
      t,
      { ...pack(), [`${place}/translations.json`]: '[]' },
      /translations.json: must be a JSON object/,
    )
    await rejectsWith(t, { [`${place}/schema.json`]: ' '.repeat(1_100_000) }, /at most 1048576 bytes/)
    await rejectsWith(t, { 'readme.txt': 'nothing' }, /contains no/)
    const target = openPackFiles()
    const nowhere = importPack({ offer: { path: join(import.meta.dirname, 'nowhere') }, target, now })
    await assert.rejects(nowhere, /nowhere is not a readable folder/)
  })

  test('does not follow links out of the folder', async (t) => {
    const { folder, target } = await folders(t, pack())
    const secret = join(dirname(folder), 'secret.json')
    await writeFile(secret, '{"EN":{}}')
    await symlink(secret, join(folder, place, 'translations.json'))
    await assert.rejects(
      importPack({ offer: { path: folder }, target, now }),
      /translations.json must be a regular file/,
    )
  })
})

describe('the published schemas as a pack', () => {
  test('accept the valid and reject the invalid published certificates', {
    skip: withoutRealCertificates,
  }, async (t) => {
    const { folder, target } = await folders(t)
    copyPublishedSchemas(folder)
    await importPack({ offer: { path: folder }, target, now })
    const registry = registryOf(target)
    const { 'en10168-schemas': versions = [] } = await registry.list()
    assert.deepEqual(versions.slice(-3), ['0.4.1', '0.5.0', '1.0.0'])
    for (const real of realCertificates().filter(({ isInPack }) => isInPack)) {
      const certificate = readCertificate(real.bytes)
      const entry = await registry.find(certificate.refSchemaUrl)
      const isValid = entry !== undefined && validate(certificate, entry).length === 0
      assert.equal(isValid, real.isValid, real.name)
      if (entry === undefined) continue
      assert.equal(entry.origin, 'pack', real.name)
      const warnings = toDocument(certificate, entry).warnings.map(({ pointer }) => pointer)
      const expected = real.name.includes('malformed_logo') ? ['/Certificate/CommercialTransaction/A04'] : []
      assert.deepEqual(warnings, expected, real.name)
    }
  })
})
