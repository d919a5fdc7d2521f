import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inEnglish } from '@millseal/contract/reasons'
import { inventedCertificate, inventedJson } from '../../test/invented-certificate.ts'
import { realCertificate, withoutRealCertificates } from '../../test/real-certificates.ts'
import { plausibility } from './plausibility.ts'
import { partiesOf } from './parties.ts'
import { readCertificate } from './read-certificate.ts'
import { summarize } from './summarize.ts'

const skip = withoutRealCertificates
const read = (name: string) => readCertificate(realCertificate(name))

describe('summarize', () => {
  test('reads EN 10168 and takes the first buyer in document order', () => {
    const json = inventedJson().Certificate.CommercialTransaction
    assert.deepEqual(summarize(inventedCertificate()), {
      identifier: 'C-1',
      sellerName: 'Example Mill',
      buyerName: 'Example Buyer',
      productDescription: 'Round bar',
      orderNumber: 'PO-7',
      orderPosition: '10',
      deliveryNumber: 'DN-3',
      heats: ['B-1'],
    })
    const stores = Object.fromEntries(Object.entries(json).toReversed())
    assert.equal(summarize(inventedCertificate({ transaction: stores })).buyerName, 'Example Store')
  })

  test('returns numeric positions as text', () => {
    const transaction = { A97: 10, A98: 3 }
    assert.deepEqual(summarize(inventedCertificate({ transaction })), {
      productDescription: 'Round bar',
      orderPosition: '10',
      deliveryNumber: '3',
      heats: ['B-1'],
    })
  })

  test('reads certificates of analysis, certificates of conformity and material passports', {
    skip,
  }, () => {
    assert.deepEqual(summarize(read('coa/v1.1.0/valid_certificate_1.json')), {
      identifier: '43',
      sellerName: 'Green Plastics AG',
      buyerName: 'Plastic Processor SE',
      productDescription: 'Manufactured Product Name',
      orderNumber: '1000/12/12/2021',
      orderPosition: '000010',
      deliveryNumber: '3000/20',
      deliveryPosition: '1',
      heats: ['210000', '100001'],
    })
    const eCoc = summarize(read('e-coc/v1.0.0/valid_certificate_1.json'))
    assert.deepEqual(
      [eCoc.identifier, eCoc.orderNumber, eCoc.deliveryNumber],
      ['89172671', '686901', '89172671'],
    )
    assert.deepEqual([eCoc.sellerName, eCoc.buyerName], ['Material Manufacturing SE', 'Material Trading AG'])
    const metals = summarize(read('metals/v0.1.1/valid_round_bar_tolerances.json'))
    assert.deepEqual(
      [metals.identifier, metals.orderNumber, metals.orderPosition],
      ['DMP-RB-2025-00214', 'PO-82455', '10'],
    )
  })

  test('returns nothing for a certificate of an unknown family', () => {
    assert.deepEqual(summarize({ json: { RefSchemaUrl: 'x', Certificate: { Id: '1' } } }), {})
    assert.deepEqual(partiesOf({ json: { RefSchemaUrl: 'x' } }), { senders: [], receivers: [] })
  })
})

describe('partiesOf', () => {
  test('returns the seller, the buyers and the consignees with their e-mail addresses and identifiers', () => {
    const { senders, receivers } = partiesOf(inventedCertificate())
    assert.deepEqual(senders, [
      {
        field: 'A01',
        role: 'Seller',
        name: 'Example Mill',
        emails: ['example.mill@example.org'],
        vatId: 'ATU12345678',
        dunsId: '123456789',
      },
    ])
    assert.deepEqual(
      receivers.map(({ field, role, name, vatId }) => [field, role, name, vatId]),
      [
        ['A06.1', 'Buyer', 'Example Buyer', 'DE123456789'],
        ['A06.3', 'CertificateConsignee', 'Example Store', 'DE987654321'],
      ],
    )
  })

  test('leaves out the subsequent purchaser, who neither sends nor receives the certificate', () => {
    const transaction = { 'A06.4': { Name: 'Example Later' } }
    assert.deepEqual(partiesOf(inventedCertificate({ transaction })), { senders: [], receivers: [] })
  })

  test('reads the field names of older versions', () => {
    const transaction = { A06: { CompanyName: 'Example Old', Email: 'old@example.org', VAT_Id: 'ATU1' } }
    assert.deepEqual(partiesOf(inventedCertificate({ transaction })).receivers, [
      { field: 'A06', role: 'Buyer', name: 'Example Old', emails: ['old@example.org'], vatId: 'ATU1' },
    ])
  })

  test('finds the parties in every family', { skip }, () => {
    const roles = (name: string) => {
      const { senders, receivers } = partiesOf(read(name))
      return [senders.map(({ role }) => role), receivers.map(({ role }) => role)]
    }
    assert.deepEqual(roles('coa/v1.1.0/valid_certificate_1.json'), [
      ['Manufacturer'],
      ['Customer', 'Receiver', 'GoodsReceiver'],
    ])
    assert.deepEqual(roles('e-coc/v1.0.0/valid_certificate_1.json'), [['Manufacturer'], ['Recipient']])
    assert.deepEqual(roles('metals/v0.1.1/valid_basic_certificate.json'), [['Manufacturer'], ['Customer']])
    assert.deepEqual(
      partiesOf(read('e-coc/v1.0.0/valid_certificate_1.json')).senders[0]?.vatId,
      'AT123456789',
    )
  })
})

describe('plausibility', () => {
  const reasons = (changes: Parameters<typeof inventedCertificate>[0]) =>
    plausibility(inventedCertificate(changes)).map(({ pointer, reason }) => `${pointer} ${inEnglish(reason)}`)

  test('returns nothing for a certificate that answers every question of EN 10204', () => {
    assert.deepEqual(reasons({}), [])
  })

  test('reports a missing inspector, declaration, order or heat', () => {
    const found = reasons({
      transaction: { A07: ' ' },
      product: { B01: 'x' },
      validation: { Z01: '', Z03: { Title: 'x' } },
    })
    assert.deepEqual(found, [
      '/Certificate/Validation/Z03 does not name the person responsible for the inspection (EN 10204)',
      '/Certificate/Validation/Z01 does not declare that the product conforms to the order (EN 10204)',
      '/Certificate/CommercialTransaction/A07 does not refer to an order (EN 10204)',
      '/Certificate/Inspection does not name the heat or batch that the results belong to (EN 10204)',
    ])
  })
})
