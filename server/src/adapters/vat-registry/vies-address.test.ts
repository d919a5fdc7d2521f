import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readAddress } from './vies-address.ts'

/** In the notation of each country, with fictional places: street, zip code, city. */
const readable: readonly [string, string, string, string, string][] = [
  ['AT', 'Hauptstraße 1\nAT-1010 Wien', 'Hauptstraße 1', '1010', 'Wien'],
  ['BE', 'Rue de la Forge 12\n4000 Liège', 'Rue de la Forge 12', '4000', 'Liège'],
  [
    'BG',
    'ул. Стара планина №1, обл. СОФИЯ, гр. СОФИЯ 1000',
    'ул. Стара планина №1, обл. СОФИЯ',
    '1000',
    'гр. СОФИЯ',
  ],
  [
    'CZ',
    'Duhová 1444/2\nPRAHA 4 - MICHLE\n140 00  PRAHA 4',
    'Duhová 1444/2, PRAHA 4 - MICHLE',
    '140 00',
    'PRAHA 4',
  ],
  ['DK', 'Smedevej 7\n2100 København Ø', 'Smedevej 7', '2100', 'København Ø'],
  ['EE', 'Vana-Lõuna tn 15   10134 Tallinn', 'Vana-Lõuna tn 15', '10134', 'Tallinn'],
  ['EL', 'ΟΔΟΣ ΔΟΚΙΜΗΣ 7 \n10431 - ΑΘΗΝΑ', 'ΟΔΟΣ ΔΟΚΙΜΗΣ 7', '10431', 'ΑΘΗΝΑ'],
  ['FI', 'PL 226\n00045 NOKIA GROUP', 'PL 226', '00045', 'NOKIA GROUP'],
  [
    'FR',
    '2 PLACE DE LA FORGE\nLA DEFENSE 6\n92400 COURBEVOIE',
    '2 PLACE DE LA FORGE, LA DEFENSE 6',
    '92400',
    'COURBEVOIE',
  ],
  ['HR', 'KOVAČKA ULICA 1, ZAGREB, 10000 ZAGREB', 'KOVAČKA ULICA 1, ZAGREB', '10000', 'ZAGREB'],
  ['IT', 'VIA EMILIA EST 1163 \n41122 MODENA MO\n', 'VIA EMILIA EST 1163', '41122', 'MODENA MO'],
  ['LT', 'Kalvių g. 5, LT-02241 Vilnius', 'Kalvių g. 5', '02241', 'Vilnius'],
  ['LU', '24, BOULEVARD DE LA FORGE\nL-1160  LUXEMBOURG', '24, BOULEVARD DE LA FORGE', '1160', 'LUXEMBOURG'],
  ['LV', 'Kalēju iela 1, Rīga, LV-1050', 'Kalēju iela 1', '1050', 'Rīga'],
  ['MT', 'TRIQ IL-FERRIJA\nTA XBIEX XBX 1011', 'TRIQ IL-FERRIJA', 'XBX 1011', 'TA XBIEX'],
  ['NL', '\nSMIDSWEG 00006501\n5504DR VELDHOVEN\n', 'SMIDSWEG 00006501', '5504DR', 'VELDHOVEN'],
  ['PL', 'UL. KUŹNICZA 74\n03-301 WARSZAWA', 'UL. KUŹNICZA 74', '03-301', 'WARSZAWA'],
  ['PT', 'RUA DA FORJA N 7\nLISBOA\n1600-404 LISBOA', 'RUA DA FORJA N 7, LISBOA', '1600-404', 'LISBOA'],
  ['SE', 'REGERINGSGATAN 19 \n111 53 STOCKHOLM', 'REGERINGSGATAN 19', '111 53', 'STOCKHOLM'],
  ['SI', 'KOVAŠKA CESTA 6, 8000 NOVO MESTO', 'KOVAŠKA CESTA 6', '8000', 'NOVO MESTO'],
  [
    'SK',
    'Kováčska 24\n851 01 Bratislava - mestská časť Petržalka',
    'Kováčska 24',
    '851 01',
    'Bratislava - mestská časť Petržalka',
  ],
  ['XI', '1 FORGE ROAD\nBELFAST\nBT1 3BG', '1 FORGE ROAD', 'BT1 3BG', 'BELFAST'],
]

describe('an address', () => {
  for (const [country, text, street, zipCode, city] of readable) {
    test(`of ${country} is split at its postal code`, () => {
      const address = readAddress(text, country)
      assert.deepEqual([address.street, address.zipCode, address.city], [street, zipCode, city])
    })
  }

  test('without recognizable parts is entirely the street', () => {
    const unreadable: readonly [string, string][] = [
      ['RO', 'MUNICIPIUL BUCUREŞTI, SECTOR 6\nȘOS. FIERARILOR, Nr. 15A'],
      ['HU', '1117 BUDAPEST KOVÁCS UTCA 18'],
      ['IE', 'FORGE HOUSE\nSWORDS\nCO. DUBLIN'],
      ['CY', 'ΛΕΥΚΩΣΙΑ'],
    ]
    for (const [country, text] of unreadable) {
      assert.deepEqual(readAddress(text, country), {
        text,
        street: text.replaceAll('\n', ', '),
        city: '',
        zipCode: '',
        country,
      })
    }
  })

  test('of Greece and Northern Ireland has the country code of ISO 3166-1', () => {
    assert.equal(readAddress('x', 'EL').country, 'GR')
    assert.equal(readAddress('x', 'XI').country, 'GB')
  })

  test('of any form is read, and not by endless backtracking', () => {
    for (const text of [
      '',
      ',',
      ', '.repeat(250),
      ' '.repeat(500),
      '1 '.repeat(250),
      'A-'.repeat(250),
      '\n'.repeat(500),
    ]) {
      for (const country of ['AT', 'LV', 'NL', 'IE', 'QQ']) readAddress(text, country)
    }
  })
})
