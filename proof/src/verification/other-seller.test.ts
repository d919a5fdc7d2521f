import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonValue } from '../json/read.ts'
import type { Issuer } from './issuer.ts'
import { otherSeller, otherSellerRemark, otherSellerSentence } from './other-seller.ts'
import { reportOf } from './report.ts'
import { sellersOf } from './sellers.ts'

const asJson = (value: object): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue
const named = (Name?: string, VAT_Id?: string): JsonValue =>
  asJson({ Certificate: { CommercialTransaction: { A01: { Name, VAT_Id }, A06: { Name: 'Bridge Works' } } } })
const isOther = (certificate: JsonValue, company: { name: string; vatId?: string }): boolean =>
  otherSeller(certificate, company) !== undefined

describe('the seller that a certificate names', () => {
  test('is compared by VAT id if both have one', () => {
    const company = { name: 'Rolling Mill', vatId: 'ATU12345678' }
    assert.equal(isOther(named('Another name', 'ATU12345678'), company), false)
    assert.equal(isOther(named('Another name', 'AT U 1234.5678'), company), false)
    assert.equal(isOther(named('Another name', 'U12345678'), company), false)
    assert.equal(isOther(named('Another name', 'ATU12345678'), { ...company, vatId: 'U12345678' }), false)
    assert.equal(isOther(named('Rolling Mill', 'ATU87654321'), company), true)
    assert.equal(isOther(named('Rolling Mill', '8'), company), true)
  })

  test('is otherwise compared by name, without case, accents, punctuation and legal form', () => {
    const names = [
      ['Rolling Mill', 'ROLLING MILL GmbH'],
      ['Müller & Söhne GmbH & Co. KG', 'Mueller und Soehne'],
      ['Acciaierie Venete S.p.A.', 'Acciaierie Venete SpA'],
      ['Łódź Stal Sp. z o.o.', 'ŁODZ-STAL'],
      ['Stahlwerk A/S', 'Stahl Werk A/S'],
      ['AG', 'AG'],
    ] as const
    for (const [one, other] of names) {
      assert.equal(isOther(named(one), { name: other }), false, one)
      assert.equal(isOther(named(other), { name: one, vatId: 'DE1' }), false, other)
    }
    assert.equal(isOther(named('Rolling Mill East GmbH'), { name: 'Rolling Mill GmbH' }), true)
    assert.equal(isOther(named('AG'), { name: 'GmbH' }), true)
  })

  test('is not another one if any of those named is the company, or none is named', () => {
    const list = [
      { PartyRole: 'Manufacturer', PartyName: 'Steel Works' },
      {
        PartyRole: 'Supplier',
        PartyName: 'Trader',
        PartyIdentifier: [{ NameOfIdentifier: 'VATID', ValueOfIdentifier: 'DE999' }],
      },
    ]
    const certificate = asJson({ EcocData: { Data: { Parties: list } } })
    assert.equal(isOther(certificate, { name: 'Steel Works SE' }), false)
    assert.equal(isOther(certificate, { name: 'Other name', vatId: 'DE999' }), false)
    assert.equal(otherSeller(certificate, { name: 'Third' })?.pointer, '/EcocData/Data/Parties/0')
    for (const empty of [{}, { Certificate: { Parties: [] } }, named(), named('  ')])
      assert.equal(isOther(empty, { name: 'Rolling Mill' }), false)
  })

  test('cannot be hidden by naming the own company in a second place', () => {
    const own = { name: 'Trader', Name: 'Trader' }
    const works = { Name: 'Steel Works' }
    const transaction = { A01: works, A06: { Name: 'Bridge Works' } }
    for (const certificate of [
      // Versions of EN 10168 that allow fields of one's own in this place.
      { Certificate: { CommercialTransaction: { ...transaction, Seller: own, Manufacturer: own } } },
      { Certificate: { CommercialTransaction: { Supplier: own, ...transaction } } },
      // Schemas that allow them beside the certificate.
      { Parties: { Seller: own }, Certificate: { CommercialTransaction: transaction } },
      {
        Certificate: { CommercialTransaction: transaction },
        Extra: { Parties: [{ PartyRole: 'Seller', PartyName: 'Trader' }] },
      },
      { DigitalMaterialPassport: { Supplier: own, TransactionData: { Parties: { Manufacturer: works } } } },
    ])
      assert.equal(otherSeller(asJson(certificate), own)?.name, 'Steel Works', JSON.stringify(certificate))
    const twice = { Parties: { Seller: own }, Certificate: { CommercialTransaction: { A01: own } } }
    assert.equal(isOther(asJson(twice), own), false)
  })

  test('is found only where certificates have their companies', () => {
    const party = { Seller: { Name: 'A' } }
    const found = (certificate: object) => sellersOf(asJson(certificate)).map(({ pointer }) => pointer)
    assert.deepEqual(found({ a: { b: { c: { d: { Parties: party } } } } }), ['/a/b/c/d/Parties/Seller'])
    assert.deepEqual(found({ a: { b: { c: { d: { e: { Parties: party } } } } } }), [])
    assert.deepEqual(found({ DigitalMaterialPassport: party }), ['/DigitalMaterialPassport/Seller'])
    assert.deepEqual(found({ Certificate: party, ...party }), [])
    assert.deepEqual(found({ Parties: { Buyer: { Name: 'B' } } }), [])
  })

  test('is found in odd and hostile certificates without an error', () => {
    assert.deepEqual(sellersOf(null), [])
    for (const odd of [null, 'text', 7, []]) assert.deepEqual(sellersOf({ Parties: odd }), [])
    assert.deepEqual(sellersOf({ Parties: { Seller: 'text', Manufacturer: 7 } }), [])
    assert.deepEqual(sellersOf({ Parties: [null, 4, { PartyRole: 'Seller' }] }), [])
    const [seller] = sellersOf({ 'a/b~c': { Parties: { Seller: { CompanyName: ' A ' } } } })
    assert.deepEqual(seller, {
      pointer: '/a~1b~0c/Parties/Seller',
      role: 'seller',
      name: 'A',
      vatId: undefined,
    })
  })

  test('is said in neutral words, on one line', () => {
    const [seller] = sellersOf(named('Steel\nWorks', 'DE1'))
    assert.ok(seller)
    assert.equal(
      otherSellerSentence('Trader GmbH', seller),
      'Notarized by Trader GmbH; the certificate names Steel Works as its seller',
    )
  })

  test('is remarked on only if the file is unchanged and its issuer is known', () => {
    const did = 'did:key:z6Mk'
    const trader = { answer: 'yes', did, knownBy: 'policy', name: 'Trader', vatId: 'DE999' } as const
    const remarkOn = (issuer: Issuer | undefined, outcome: 'passed' | 'failed' = 'passed') => {
      const facts = issuer && {
        origin: 'mill.example/ledger/live',
        mode: 'live' as const,
        transactionId: 'ab',
        time: undefined,
        index: 0,
        size: 1,
        asOf: undefined,
        statusAgeDays: undefined,
        isStatusOld: true,
        confirmation: { by: 'operator' as const, names: [], of: 0, before: undefined, isDemanded: false },
        isUnconfirmed: false,
        issuer,
        status: { answer: 'yes' as const, newest: undefined, corrections: [] },
      }
      const report = reportOf([{ name: 'file', outcome, says: '' }], facts)
      return otherSellerRemark(report, named('Steel Works', 'DE1'))
    }
    assert.equal(remarkOn(trader), 'Notarized by Trader; the certificate names Steel Works as its seller')
    assert.equal(remarkOn({ ...trader, vatId: 'DE1' }), undefined)
    assert.equal(remarkOn(trader, 'failed'), undefined)
    assert.equal(remarkOn({ ...trader, answer: 'unknown' }), undefined)
    assert.equal(remarkOn({ answer: 'yes', did }), undefined)
    assert.equal(remarkOn(undefined), undefined)
  })
})
