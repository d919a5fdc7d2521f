import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { certificateOf, pixel } from '../../test/invented-certificate.ts'
import { publishedSchemas, realCertificates, withoutRealCertificates } from '../../test/real-certificates.ts'
import { readCertificate } from '../certificate/read-certificate.ts'
import { createRegistry } from '../registry/registry.ts'
import { toDocument } from '../to-document.ts'
import { validate } from '../validate/validate.ts'
import { importPack } from './import-pack.ts'
import { listPacks } from './list-packs.ts'
import { PackRefused } from './manifest.ts'
import { readSource } from './read-source.ts'

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
  const root = await mkdtemp(join(tmpdir(), 'millseal-packs-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const folder = join(root, 'offered')
  await mkdir(folder)
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return { folder, target: join(root, 'packs') }
}

const registryOf = (target: string) =>
  createRegistry({ packFolders: [target], log: { warn: assert.fail }, recheckMs: 0 })

const refusedWith = async (t: Parameters<typeof folders>[0], files: Files, reason: RegExp) => {
  const { folder, target } = await folders(t, files)
  await assert.rejects(importPack({ folder, target, now }), (error: unknown) => {
    assert.ok(error instanceof PackRefused)
    assert.match(error.message, reason)
    return true
  })
  assert.deepEqual(await listPacks(target), [])
}

const pack = (changes: object = {}): Files => ({
  [`${place}/schema.json`]: JSON.stringify({ ...schema, ...changes }),
})

describe('importing a pack', () => {
  test('gives certificates their schema and their labels while the registry is in use', async (t) => {
    const { folder, target } = await folders(t, {
      ...pack(),
      [`${place}/translations.json`]: JSON.stringify({ EN: { Valve: { Bore: 'Nominal bore' } } }),
    })
    const registry = registryOf(target)
    assert.equal(await registry.find(id), undefined)
    const manifest = await importPack({ folder, target, now })
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
      { pointer: '/Valve/Bore', reason: 'must be a number', label: 'Nominal bore' },
    ])
    const document = toDocument(certificate, entry)
    assert.equal(document.family, 'generic')
    assert.deepEqual(document.title, ['Valve certificate'])
    assert.deepEqual(document.sections[0]?.blocks, [
      { kind: 'fields', fields: [{ label: ['Nominal bore'], value: '50' }] },
    ])
  })

  test('changes nothing when the same pack comes again, and lets a later one count', async (t) => {
    const { folder, target } = await folders(t, pack())
    const first = await importPack({ folder, target, now })
    assert.deepEqual(await importPack({ folder, target, now: new Date(now.getTime() + 1_000) }), first)
    const changed = await folders(t, pack({ title: 'Another title' }))
    await importPack({ folder: changed.folder, target, now: new Date(now.getTime() + 2_000) })
    assert.equal((await listPacks(target)).length, 2)
    assert.equal((await registryOf(target).find(id))?.schema['title'], 'Another title')
  })

  test('leaves nothing half done behind, and overlooks what a crash left', async (t) => {
    const { folder, target } = await folders(t, pack())
    await mkdir(join(target, '.staging-crashed', place), { recursive: true })
    await writeFile(join(target, '.staging-crashed', place, 'schema.json'), '{')
    await mkdir(join(target, 'pack-0123456789abcdef'))
    const { name } = await importPack({ folder, target, now })
    assert.deepEqual(
      (await readdir(target)).toSorted(),
      ['.staging-crashed', name, 'pack-0123456789abcdef'].toSorted(),
    )
    assert.ok(await registryOf(target).find(id))
    await importPack({ folder, target, now: new Date(Date.now() + 2 * 60 * 60 * 1_000) })
    assert.ok(!(await readdir(target)).includes('.staging-crashed'))
  })

  test('imports once when two do it at the same time', async (t) => {
    const { folder, target } = await folders(t, pack())
    await Promise.all([1, 2, 3].map(() => importPack({ folder, target, now })))
    assert.equal((await readdir(target)).length, 1)
  })

  test('leaves a pack out that was damaged later, names it in the log, and keeps the others', async (t) => {
    const { folder, target } = await folders(t, pack())
    const { name } = await importPack({ folder, target, now })
    await writeFile(join(target, name, place, 'schema.json'), '{')
    const warnings: string[] = []
    const log = { warn: (_: object, message: string) => warnings.push(message) }
    const registry = createRegistry({ packFolders: [target], log })
    assert.equal(await registry.find(id), undefined)
    assert.ok(await registry.find('https://schemas.millseal.org/coa-schemas/v1.0.0/schema.json'))
    assert.deepEqual(warnings, ['A pack of schemas could not be read'])
  })

  test('refuses what could harm the server, with the file and the reason', async (t) => {
    await refusedWith(t, pack({ $ref: 'http://169.254.169.254/' }), /valve-schemas.*refers to "http/)
    await refusedWith(t, pack({ pattern: '(?=a)' }), /pattern that is refused/)
    await refusedWith(
      t,
      pack({ $id: 'https://example.org/other-schemas/v1.0.0/schema.json' }),
      /\$id names other-schemas/,
    )
    await refusedWith(
      t,
      pack({ $id: `https://schemas.millseal.org/${place}/schema.json` }),
      /claims a name of Millseal/,
    )
    await refusedWith(t, pack({ type: 'nonsense' }), /does not compile/)
    await refusedWith(t, { [`${place}/schema.json`]: '{' }, /not JSON/)
    await refusedWith(t, { [`${place}/schema.json`]: '['.repeat(100) + ']'.repeat(100) }, /no JSON object/)
    await refusedWith(
      t,
      { [`${place}/schema.json`]: `{"a":${'['.repeat(100)}${']'.repeat(100)}}` },
      /deeper than 64/,
    )
    await refusedWith(t, { [`${place}/schema.json`]: '{"__proto__":{}}' }, /__proto__/)
    await refusedWith(
      t,
      { ...pack(), [`${place}/translations.json`]: '[]' },
      /translations.json: it is no JSON object/,
    )
    await refusedWith(t, { [`${place}/schema.json`]: ' '.repeat(1_100_000) }, /more than 1048576 bytes/)
    await refusedWith(t, { 'readme.txt': 'nothing' }, /holds neither/)
    await assert.rejects(readSource(join(import.meta.dirname, 'nowhere')), /nowhere is no folder that can/)
  })

  test('follows no links out of its folder', async (t) => {
    const { folder, target } = await folders(t, pack())
    const secret = join(dirname(folder), 'secret.json')
    await writeFile(secret, '{"EN":{}}')
    await symlink(secret, join(folder, place, 'translations.json'))
    await assert.rejects(importPack({ folder, target, now }), /translations.json is no regular file/)
  })

  test('keeps layouts with their logo, for one company or for all', async (t) => {
    const { folder, target } = await folders(t, {
      'layouts/house/layout.typ': '= House',
      'layouts/example-mill/layout.typ': '= Example Mill',
      'layouts/example-mill/layout.json': '{"families":["en10168"],"company":"c-1"}',
      'layouts/example-mill/logo.png': Buffer.from(pixel(), 'base64'),
    })
    await importPack({ folder, target, now })
    const registry = registryOf(target)
    const own = await registry.findLayout({ family: 'en10168', company: 'c-1' })
    assert.equal(own?.source, '= Example Mill')
    assert.equal(own.logo?.type, 'image/png')
    assert.equal((await registry.findLayout({ family: 'coa', company: 'c-1' }))?.source, '= House')
    assert.equal((await registry.findLayout({ family: 'en10168', company: 'c-2' }))?.source, '= House')
    await refusedWith(
      t,
      { 'layouts/a/layout.typ': 'x', 'layouts/a/logo.png': 'no picture' },
      /logo.png is neither/,
    )
    await refusedWith(t, { 'layouts/a/logo.png': Buffer.from(pixel(), 'base64') }, /layout.typ is missing/)
  })
})

describe('the published schemas as a pack', () => {
  test('let every published certificate behave as its name says', {
    skip: withoutRealCertificates,
  }, async (t) => {
    const { folder, target } = await folders(t)
    await cp(publishedSchemas, folder, { recursive: true })
    await importPack({ folder, target, now })
    const registry = registryOf(target)
    assert.deepEqual((await registry.list())['en10168-schemas'], ['0.4.1', '0.5.0', '1.0.0'])
    for (const real of realCertificates()) {
      const certificate = readCertificate(real.bytes)
      const entry = await registry.find(certificate.refSchemaUrl)
      const isValid = entry !== undefined && validate(certificate, entry).length === 0
      assert.equal(isValid, real.isValid, real.name)
      if (entry === undefined) continue
      const warnings = toDocument(certificate, entry).warnings.map(({ pointer }) => pointer)
      const expected = real.name.includes('malformed_logo') ? ['/Certificate/CommercialTransaction/A04'] : []
      assert.deepEqual(warnings, expected, real.name)
    }
  })
})
