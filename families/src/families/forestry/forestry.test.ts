import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { certificateOf } from '../../../test/invented-certificate.ts'
import { oldTimber } from '../../../test/old-timber.ts'
import { partiesOf } from '../../certificate/parties.ts'
import { plausibility } from '../../certificate/plausibility.ts'
import { summarize } from '../../certificate/summarize.ts'
import { createRegistry } from '../../registry/registry.ts'
import { toDocument } from '../../to-document.ts'
import { recogniseFamily } from '../index.ts'
import metals from '../metals/sample.json' with { type: 'json' }
import sample from './sample.json' with { type: 'json' }

const registry = createRegistry({ log: { warn: assert.fail } })
const documentOf = async (json: unknown) => {
  const certificate = certificateOf(json)
  const entry = (await registry.find(certificate.refSchemaUrl)) ?? assert.fail()
  return toDocument(certificate, entry)
}
const [draft, source] = oldTimber

describe('a passport for timber', () => {
  test('of every version is recognised, one for metals is not', async () => {
    for (const json of [sample, ...oldTimber]) {
      assert.equal(recogniseFamily(certificateOf(json).json)?.name, 'forestry')
      assert.equal((await documentOf(json)).family, 'forestry')
    }
    assert.equal(recogniseFamily(certificateOf(metals).json)?.name, 'metals')
  })

  test('shows its parties as cards with their registers', async () => {
    const { parties } = await documentOf(sample)
    assert.deepEqual(
      parties.map(({ role, name }) => `${role[0]}: ${name}`),
      [
        'Supplier: Example Timber',
        'Producer: Example Forest',
        'Customer: Example Sawmill',
        'Issuer of the passport: Example Forest Office',
      ],
    )
    assert.deepEqual(
      parties[0]?.lines.filter(({ label }) => label !== undefined).map(({ value }) => value),
      ['ATU12345678', 'ATEOS1000012345'],
    )
    assert.deepEqual(
      (await documentOf(draft)).parties.map(({ name }) => name),
      ['Example Forest', 'Example Forest'],
    )
  })

  test('has quantities with their units and species with their whole name', async () => {
    const tables = (await documentOf(sample)).sections
      .flatMap(({ blocks }) => blocks)
      .flatMap((block) => (block.kind === 'table' ? [block.table] : []))
    const species = tables.find(({ caption }) => caption?.[0] === 'Species') ?? assert.fail()
    assert.deepEqual(
      species.columns.map(({ label, unit }) => [label[0], unit]),
      [
        ['Common name', undefined],
        ['Scientific name', undefined],
        ['Volume', 'm³'],
        ['Net weight', 'kg'],
        ['Supplementary quantity', 'stacks · Stacks · STK'],
        ['Estimate or deviation', '%'],
      ],
    )
    assert.deepEqual(species.rows[0]?.cells, ['Norway spruce', 'Picea abies', '250.25', '200200', '', '2.5'])
  })

  test('has the geometry of its plots as text', async () => {
    const { sections } = await documentOf(source)
    const texts = sections
      .flatMap(({ blocks }) => blocks)
      .flatMap((block) => (block.kind === 'paragraph' ? block.text : []))
    assert.ok(texts.includes('Plot A: 14.101 48.201, 14.111 48.201, 14.111 48.211, 14.101 48.201'))
    assert.ok(texts.includes('Plot B: 14.3 48.41'))
  })

  test('is summarized, names its sender and receiver, and asks for what is missing', () => {
    const certificate = certificateOf(sample)
    assert.deepEqual(summarize(certificate), {
      identifier: 'TIMBER-0042',
      sellerName: 'Example Timber',
      buyerName: 'Example Sawmill',
      productDescription: 'Spruce and larch saw logs, 4 m',
      heats: ['LOT-9', 'BATCH-3'],
      orderNumber: 'PO-771',
      orderPosition: '20',
      deliveryNumber: 'DN-3301',
      deliveryPosition: '4',
    })
    const { senders, receivers } = partiesOf(certificate)
    assert.deepEqual(
      [senders, receivers].map(([one]) => one?.emails),
      [['supply@example.org'], ['sawmill@example.org']],
    )
    const { DigitalMaterialPassport: passport } = sample
    const {
      HarvestUnits: _units,
      HarvestUnitsDownloadURL: _url,
      EUDRReferences: _eudr,
      DMPReferences: _dmp,
      ...bare
    } = passport
    const open = plausibility(
      certificateOf({ ...sample, DigitalMaterialPassport: { ...bare, DueDiligenceStatement: ' ' } }),
    )
    assert.deepEqual(
      open.map(({ pointer }) => pointer),
      ['/DigitalMaterialPassport/DueDiligenceStatement', '/DigitalMaterialPassport/HarvestUnits'],
    )
  })
})
