import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inWords } from '@millseal/contract/reason-words'
import { inEnglish, reasonTemplates } from '@millseal/contract/reasons'
import { readCertificate } from '../certificate/read-certificate.ts'
import { families } from '../families/index.ts'
import { realCertificate, realCertificates, withoutRealCertificates } from '../../test/real-certificates.ts'
import { selfCheck } from './self-check.ts'

const sentencesOf = (bytes: Uint8Array): readonly string[] =>
  selfCheck(readCertificate(bytes)).map(({ reason }) => inEnglish(reason))

const mean = 'KV: the mean of 71.2, 84.2, 85.2 is 80.2 J, but 80.3 J is printed'
const hardness = 'Hardness: the mean of 71.2, 84.2, 85.2 is 80.2 J, but 80.3 J is printed (heat 175508)'
const formula = 'C + Mn/6 + (Cr+Mo+V)/5 + (Ni+Cu)/15'
const equivalent = `CEV is printed as 0.327 %, but ${formula} gives 0.323 % (heat 175508)`
const tooMuchCarbon = [
  `${mean} (heat 175508)`,
  `CEV is printed as 0.327 %, but ${formula} gives 150.673 % (heat 175508)`,
  'The mass fractions add up to 151.659 %, more than 100 % (heat 175508)',
]

/** Worked out by hand from the files. A certificate without an entry has no finding. */
const slips: Readonly<Record<string, readonly string[]>> = {
  'en10168/v0.5.0/valid_certificate_1.json': tooMuchCarbon,
  'en10168/v0.5.0/malformed_logo.json': tooMuchCarbon,
  'en10168/v0.5.0/valid_certificate_2.json': [equivalent],
  // Its V is printed as "at least", so that its CEV may be right.
  'en10168/v0.5.0/valid_certificate_3.json': [hardness],
  'en10168/v0.5.0/valid_certificate_4.json': [
    `${mean} (heat 175508)`,
    'F1 is printed as 0.300, but F1 = C + Al gives 0.191 (heat 175508)',
    'F2 is printed as 0.0000, but F2= F1/Ni gives 33.3333 (heat 175508)',
    'F3 is printed as 0.3227, but F3 = F1 + F2 gives 0.3000 (heat 175508)',
  ],
  'en10168/v0.5.0/valid_certificate_7.json': [`${mean} (heat Charge NotchedImpactTest)`],
  'en10168/v0.5.0/valid_certificate_8.json': [`${mean} (heat Charge NotchedImpactTest)`],
  // Its Mn is printed as 1, so that its CEV of 0.327 may be right; its CE of 0.42 cannot be.
  'en10168/v0.5.0/valid_certificate_9.json': [
    `${mean} (heat 175508)`,
    `CE is printed as 0.42 %, but ${formula} gives 0.32 % (heat 175508)`,
  ],
  'en10168/v0.5.0/valid_certificate_10.json': [mean],
  'en10168/v0.4.1/valid_certificate_1.json': [`${mean} (heat 175508)`],
  'en10168/v0.4.1/valid_certificate_3.json': [hardness, equivalent],
  'en10168/v0.2.1/valid_certificate_1.json': [`${mean} (heat 175508)`],
  // Round bars of 260 mm: 416.7 kg/m, 6 m each.
  'metals/v0.1.1/valid_round_bar_tolerances.json': [
    '12 pieces of 2500.2 kg weigh 30002.4 kg, but 12000 kg is printed',
  ],
}

describe('the self-check', () => {
  test('finds the slips of eight of the ten valid certificates of EN 10168 v0.5.0', {
    skip: withoutRealCertificates,
  }, () => {
    const names = Array.from(
      { length: 10 },
      (_, index) => `en10168/v0.5.0/valid_certificate_${index + 1}.json`,
    )
    const found = names.filter((name) => sentencesOf(realCertificate(name)).length > 0)
    assert.equal(found.length, 8)
  })

  test('finds in every published certificate what was found by hand, and nothing else', {
    skip: withoutRealCertificates,
  }, () => {
    const readable = realCertificates().filter(({ name }) => !name.includes('missing_ref'))
    assert.ok(readable.length > 25)
    for (const { name, bytes } of readable) assert.deepEqual(sentencesOf(bytes), slips[name] ?? [], name)
  })

  test('says the same in German', { skip: withoutRealCertificates }, () => {
    const certificate = readCertificate(realCertificate('en10168/v0.5.0/valid_certificate_1.json'))
    const equivalentDe = `CEV ist mit 0.327 % gedruckt, ${formula} ergibt aber 150.673 % (Schmelze 175508)`
    assert.deepEqual(
      selfCheck(certificate).map(({ reason }) => inWords(reason, reasonTemplates.de)),
      [
        'KV: Das Mittel aus 71.2, 84.2, 85.2 ist 80.2 J, gedruckt ist 80.3 J (Schmelze 175508)',
        equivalentDe,
        'Die Massenanteile ergeben zusammen 151.659 %, mehr als 100 % (Schmelze 175508)',
      ],
    )
  })

  test('has heat, property, both numbers and the place of a finding', {
    skip: withoutRealCertificates,
  }, () => {
    const certificate = readCertificate(realCertificate('en10168/v0.5.0/valid_certificate_2.json'))
    const [{ reason, ...finding } = assert.fail()] = selfCheck(certificate)
    assert.equal(reason.code, 'own_formula')
    assert.deepEqual(finding, {
      weight: 'does_not_add_up',
      heat: '175508',
      property: 'CEV',
      printed: '0.327 %',
      against: '0.323 %',
      pointer: '/Certificate/Inspection/0/ChemicalComposition/C92/Actual/Value',
    })
  })

  test('finds nothing in the samples of the families', () => {
    for (const { samples } of families)
      for (const sample of samples) assert.deepEqual(sentencesOf(Buffer.from(JSON.stringify(sample))), [])
  })
})
