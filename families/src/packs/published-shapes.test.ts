import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { because, inEnglish, type Reason } from '@millseal/contract/reasons'
import { filesOf, tarGzOf, zipOf } from '../../test/archives.ts'
import { importPack } from '../../test/import-pack.ts'
import { openPackFiles } from '../../test/pack-files.ts'
import { certificateOf } from '../../test/invented-certificate.ts'
import { copyPublishedSchemas, withoutRealCertificates } from '../../test/real-certificates.ts'
import { createRegistry } from '../registry/registry.ts'
import { toDocument } from '../to-document.ts'
import { validate } from '../validate/validate.ts'
import { openPackStore } from './pack-store.ts'
import { listPacks } from './list-packs.ts'

const draft = 'http://json-schema.org/draft-07/schema#'
const host = 'https://schemas.s1seven.com'
const idOf = (type: string, version: string) => `${host}/${type}-schemas/v${version}/schema.json`
const schemaOf = (type: string, version: string, rest: object = {}): string =>
  JSON.stringify({ $schema: draft, $id: idOf(type, version), type: 'object', ...rest })

type Test = { after: (done: () => Promise<void>) => void }

const temporary = async (t: Test): Promise<string> => {
  const root = await mkdtemp(join(tmpdir(), `millseal-test-${process.pid}-`))
  t.after(() => rm(root, { recursive: true, force: true }))
  return root
}

const importing = async (contents: Readonly<Record<string, string | Buffer>>) => {
  const target = openPackFiles()
  const archive = zipOf(filesOf(contents))
  const report = await importPack({ offer: { archive }, target, now: new Date() })
  const registry = createRegistry({ packs: target, log: { warn: assert.fail }, recheckMs: 0 })
  const isValid = async (type: string, version: string, content: object): Promise<boolean> => {
    const RefSchemaUrl = idOf(type, version)
    const entry = await registry.find(RefSchemaUrl)
    assert.ok(entry, `${type} ${version} was not imported`)
    return validate(certificateOf({ RefSchemaUrl, ...content }), entry).length === 0
  }
  return { ...report, target, registry, isValid }
}

const saidOf = (refusal: { readonly reasons: readonly Reason[] } | undefined): string =>
  refusal?.reasons.map(inEnglish).join('; ') ?? ''

describe('a published repository as it is', () => {
  test('of several families and versions', async () => {
    const { pack, refused, target } = await importing({
      'schemas-main/schemas/EN10168/v0.4.1/schema.json': schemaOf('en10168', '0.4.1'),
      'schemas-main/schemas/EN10168/v0.5.0/schema.json': schemaOf('en10168', '0.5.0'),
      'schemas-main/schemas/E-CoC/v1.0.0/schema.json': schemaOf('e-coc', '1.0.0'),
      'schemas-main/schemas/Forestry/Source/v0.0.1/schema.json': schemaOf('forestry-source', '0.0.1'),
      'schemas-main/schemas/ForestryOutput/v1.0.0/schema.json': schemaOf('forestry-output', '1.0.0'),
      'schemas-main/schemas/Metals/v0.1.1/schema.json': schemaOf('metals', '0.1.1'),
      'schemas-main/schemas/Metals/v0.1.1/translation.json': '{"EN":{"Bore":"Nominal bore"}}',
      'schemas-main/target/classes/schemas/Metals/v0.1.1/schema.json': schemaOf('metals', '0.1.1'),
      'schemas-main/test/fixtures/EN10168/v0.5.0/schema.json': '{',
      'schemas-main/LICENSE': 'the licence',
    })
    assert.deepEqual(refused, [])
    assert.deepEqual(
      pack.schemas.map(({ type, version, hasTranslations }) => `${type} ${version} ${hasTranslations}`),
      [
        'e-coc-schemas 1.0.0 false',
        'en10168-schemas 0.4.1 false',
        'en10168-schemas 0.5.0 false',
        'forestry-output-schemas 1.0.0 false',
        'metals-schemas 0.1.1 true',
        'forestry-source-schemas 0.0.1 false',
      ],
    )
    assert.equal(target.contents.get(`packs/${pack.name}/LICENSE`)?.toString('utf8'), 'the licence')
  })

  test('of one family, with a file of labels per language and the version in package.json', async () => {
    const { registry, pack } = await importing({
      'Valve-schemas-1.2.0/schema.json': JSON.stringify({ $schema: draft, $id: `${host}/`, type: 'object' }),
      'Valve-schemas-1.2.0/package.json': '{"name":"valve-schemas","version":"1.2.0"}',
      'Valve-schemas-1.2.0/EN.json': '{"Valve":{"Bore":"Nominal bore"}}',
      'Valve-schemas-1.2.0/DE.json': '{"Valve":{"Bore":"Nennweite"}}',
      'Valve-schemas-1.2.0/tsconfig.json': 'no JSON',
    })
    assert.equal(pack.schemas[0]?.id, idOf('valve', '1.2.0'))
    const RefSchemaUrl = idOf('valve', '1.2.0')
    const entry = await registry.find(RefSchemaUrl)
    assert.ok(entry)
    const document = toDocument(certificateOf({ RefSchemaUrl, Valve: { Bore: 50 } }), entry)
    assert.deepEqual(document.sections[0]?.blocks, [
      { kind: 'fields', fields: [{ label: ['Nominal bore'], value: '50' }] },
    ])
    assert.equal(entry.labels.get('de')?.get('Bore'), 'Nennweite')
  })

  test('as a folder with an archive of each tag', async (t) => {
    const folder = await temporary(t)
    const tag = (version: string, content: object) =>
      filesOf({ [`valve-schemas-${version}/schema.json`]: schemaOf('valve', version, content) })
    const reference = { properties: { Seller: { $ref: `${host}/schema-definitions/v0.0.7/company.json` } } }
    await writeFile(join(folder, 'a.zip'), zipOf(tag('1.0.0', {})))
    await writeFile(join(folder, 'b.tgz'), tarGzOf(tag('2.0.0', reference)))
    const definitions = filesOf({ 'schema-definitions-0.0.7/company.json': '{"type":"string"}' })
    await writeFile(join(folder, 'c.tar.gz'), tarGzOf(definitions))
    await writeFile(join(folder, 'pictures.zip'), 'no archive')
    const escaping = [...tag('3.0.0', {}), ...filesOf({ '../a.json': '{}' })]
    await writeFile(join(folder, 'escaping.tgz'), tarGzOf(escaping))
    const target = openPackFiles()
    const { pack, refused } = await importPack({ offer: { path: folder }, target, now: new Date() })
    assert.deepEqual(
      refused.map(({ file }) => file),
      ['escaping.tgz', 'pictures.zip'],
    )
    assert.match(saidOf(refused[0]), /is not a path within it/)
    assert.deepEqual(
      pack.schemas.map(({ version }) => version),
      ['1.0.0', '2.0.0'],
    )
  })

  test('that is real, as zip and as tar, gives the same pack as its folder', {
    skip: withoutRealCertificates,
  }, async (t) => {
    const target = openPackFiles()
    const folder = await temporary(t)
    copyPublishedSchemas(folder)
    const paths = ['LICENSE', ...globSync('**/*.json', { cwd: folder }).toSorted()]
    const files = filesOf(
      Object.fromEntries(paths.map((path) => [`repository/${path}`, readFileSync(join(folder, path))])),
    )
    const offers = [{ path: folder }, { archive: zipOf(files) }, { archive: tarGzOf(files) }]
    for (const offer of offers)
      assert.deepEqual((await importPack({ offer, target, now: new Date() })).refused, [])
    assert.equal((await listPacks(target)).length, 1)
  })
})

describe('definitions that a schema refers to', () => {
  const company = (references: object = {}) =>
    JSON.stringify({
      $schema: draft,
      $id: `${host}/schema-definitions/v0.0.5/company/company.json`,
      definitions: {
        Company: {
          type: 'object',
          required: ['Name'],
          properties: { Name: { $ref: '#/definitions/Name' }, ...references },
        },
        Name: { type: 'string', minLength: 3 },
      },
    })
  const certificate = (reference: string) =>
    schemaOf('valve', '1.0.0', {
      required: ['Seller'],
      definitions: { Company: { type: 'boolean' } },
      properties: { Seller: { $ref: reference }, $ref: { type: 'string' } },
    })
  const reference = `${host}/schema-definitions/v0.0.5/company/company.json#/definitions/Company`

  test('are found by their $id, by their path, and beside the schema', async () => {
    const offers = [
      { reference, 'any/where.json': company() },
      {
        reference: reference.replace('s1seven.com', 's1seven.dev'),
        'any/where.json': company(),
      },
      {
        reference: 'https://elsewhere.example/definitions/v3/c.json#/definitions/Company',
        'schemas/definitions/v3/c.json': company(),
      },
      {
        reference: `${host}/valve-schemas/v1.0.0/parts/company.json#/definitions/Company`,
        'r/valve/v1.0.0/parts/company.json': company(),
      },
      { reference: 'company.json#/definitions/Company', 'r/valve/v1.0.0/company.json': company() },
    ]
    for (const { reference: one, ...files } of offers) {
      const { isValid, refused } = await importing({
        'r/valve/v1.0.0/schema.json': certificate(one),
        ...files,
      })
      assert.deepEqual(refused, [])
      assert.equal(await isValid('valve', '1.0.0', { Seller: { Name: 'Mill' } }), true)
      assert.equal(await isValid('valve', '1.0.0', { Seller: { Name: 'M' } }), false)
      assert.equal(await isValid('valve', '1.0.0', { Seller: true }), false)
    }
  })

  test('may refer to further ones, to each other, and back to the schema', async () => {
    const { isValid, refused } = await importing({
      'valve/v1.0.0/schema.json': certificate(reference),
      'd/company/company.json': company({
        Parent: { $ref: '#/definitions/Company' },
        Address: { $ref: '../address/address.json' },
        Certificate: { $ref: idOf('valve', '1.0.0') },
      }),
      'd/address/address.json': JSON.stringify({
        $id: `${host}/schema-definitions/v0.0.5/address/address.json`,
        type: 'object',
        properties: {
          City: { type: 'string' },
          Owner: { $ref: '../company/company.json#/definitions/Company' },
        },
      }),
    })
    assert.deepEqual(refused, [])
    const seller = (Owner: object) => ({ Seller: { Name: 'Mill', Address: { City: 'X', Owner } } })
    assert.equal(await isValid('valve', '1.0.0', seller({ Name: 'Owner', Parent: { Name: 'Mill' } })), true)
    assert.equal(await isValid('valve', '1.0.0', seller({ Name: 'Owner', Parent: { Name: 'M' } })), false)
    assert.equal(await isValid('valve', '1.0.0', seller({ Name: 'Owner', Certificate: {} })), false)
  })

  test('are named if they are missing or written for another draft', async () => {
    const { refused } = await importing({
      'other-schemas/v1.0.0/schema.json': schemaOf('other', '1.0.0'),
      'valve/v1.0.0/schema.json': certificate(reference),
    })
    assert.deepEqual(refused, [
      {
        file: 'valve/v1.0.0/schema.json',
        reasons: [because('schema_refers_outside_import', { reference: JSON.stringify(reference) })],
      },
    ])
    const newer = company().replace(draft, 'https://json-schema.org/draft/2020-12/schema')
    const second = await importing({
      'other-schemas/v1.0.0/schema.json': schemaOf('other', '1.0.0'),
      'valve/v1.0.0/schema.json': certificate(reference),
      'company.json': newer,
    })
    assert.match(saidOf(second.refused[0]), /company\.json, which has another \$schema/)
  })
})

describe('an import of which a part is refused', () => {
  test('takes the rest and says for each file why', async () => {
    const { pack, refused, target } = await importing({
      'a-schemas/v1.0.0/schema.json': schemaOf('a', '1.0.0'),
      'A/v1.0.0/schema.json': schemaOf('a', '1.0.0', { title: 'another' }),
      'B/v1.0.0/schema.json': schemaOf('b', '1.0.1'),
      'C/v1.0.0/schema.json': schemaOf('c', '1.0.0', { pattern: '(?=a)' }),
      'D/v1.0.0/schema.json': '{',
      'E/v1.0.0/schema.json': schemaOf('e', '1.0.0', { type: 'nonsense' }),
      'F/v1.0.0/schema.json': schemaOf('f', '1.0.0'),
      'F/v1.0.0/translations.json': '[]',
      'schema.json': '{}',
    })
    assert.deepEqual(
      pack.schemas.map(({ type }) => type),
      ['a-schemas'],
    )
    const reasons = Object.fromEntries(refused.map((refusal) => [refusal.file, saidOf(refusal)]))
    assert.match(reasons['a-schemas/v1.0.0/schema.json'] ?? '', /different schema with the name of A\/v1/)
    const conflict = /\$id says b-schemas 1\.0\.1, the folder says B 1\.0\.0/
    assert.match(reasons['B/v1.0.0/schema.json'] ?? '', conflict)
    assert.match(reasons['C/v1.0.0/schema.json'] ?? '', /pattern that cannot be used/)
    assert.match(reasons['D/v1.0.0/schema.json'] ?? '', /must be JSON/)
    assert.match(reasons['E/v1.0.0/schema.json'] ?? '', /does not compile/)
    assert.match(reasons['F/v1.0.0/schema.json'] ?? '', /translations\.json: must be a JSON object/)
    assert.match(reasons['schema.json'] ?? '', /\$id must end with/)
    assert.equal(refused.length, 7)
    assert.equal((await listPacks(target)).length, 1)
  })

  test('reports its progress', async () => {
    const seen: string[] = []
    const archive = zipOf(
      filesOf({
        'a-schemas/v1.0.0/schema.json': schemaOf('a', '1.0.0'),
        'b-schemas/v1.0.0/schema.json': schemaOf('b', '1.0.0'),
      }),
    )
    await importPack({
      offer: { archive },
      target: openPackFiles(),
      now: new Date(),
      onProgress: ({ done, total, file }) => seen.push(`${done}/${total} ${file}`),
    })
    assert.deepEqual(seen, ['0/2 a-schemas/v1.0.0/schema.json', '1/2 b-schemas/v1.0.0/schema.json'])
  })
})

describe('the store of packs', () => {
  test('removes a pack from a registry that is in use, and nothing else', async () => {
    const { pack, target, registry } = await importing({
      'a-schemas/v1.0.0/schema.json': schemaOf('a', '1.0.0'),
    })
    const store = openPackStore(target)
    assert.ok(await registry.find(idOf('a', '1.0.0')))
    for (const name of ['pack-0123456789abcdef', '../packs', '', '.', `${pack.name}/`]) {
      assert.equal(await store.remove(name), false)
    }
    assert.equal(await store.remove(pack.name), true)
    assert.equal(await registry.find(idOf('a', '1.0.0')), undefined)
    assert.deepEqual(await listPacks(target), [])
    assert.equal(await store.remove(pack.name), false)
  })
})
