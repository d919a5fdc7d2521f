import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inEnglish } from '@millseal/contract/reasons'
import { realCertificate, realCertificates, withoutRealCertificates } from '../../test/real-certificates.ts'
import { readCertificate } from '../certificate/read-certificate.ts'
import { builders, certificateOf, right } from '../self-check/invented.fixture.ts'
import { checkCertificate } from './check-certificate.ts'
import { readRequirement } from './read-requirement.ts'
import { resolveRequirement } from './resolve.ts'

const check = async (certificate: unknown, requirement: object) => {
  const bytes = Buffer.isBuffer(certificate) ? certificate : Buffer.from(JSON.stringify(certificate))
  const read = readRequirement({ name: 'Order', ...requirement })
  return checkCertificate(readCertificate(bytes), await resolveRequirement(read, async () => undefined))
}
const strength = { of: 'Rm', min: '470', max: '630', unit: 'MPa' }
const phosphorus = { of: 'P', max: '0.025', unit: '%' }

describe('a check of a certificate', () => {
  for (const name of Object.keys(builders))
    test(`reads a certificate of ${name}, and leads back to the value`, async () => {
      const certificate = certificateOf(name, right)
      const { verdict, lines } = await check(certificate, { rules: [strength] })
      assert.equal(verdict, 'pass')
      for (const { pointer = '', printed = '', result } of lines) {
        const path = pointer.split('/').slice(1)
        const value = path.reduce<unknown>(
          (place, part) => (place as Record<string, unknown>)[part],
          certificate,
        )
        assert.equal(`${value}`, printed.split(' ')[0])
        assert.equal(result, 'pass')
      }
      const failed = await check(certificateOf(name, { ...right, strength: { rm: '640', yield: '370' } }), {
        rules: [strength],
      })
      assert.equal(failed.verdict, 'fail')
      const sentences = failed.lines.flatMap(({ reason }) => (reason === undefined ? [] : inEnglish(reason)))
      assert.match(sentences[0] ?? '', /^Rm 640 (?:MPa|N\/mm²) is above the maximum 630 MPa/)
    })

  test('checks every heat of every inspection', async () => {
    const slip = certificateOf('en10168', { ...right, limited: { ...right.limited, value: '0.030' } })
    const { verdict, lines } = await check(slip, { rules: [phosphorus] })
    assert.deepEqual(
      lines.map(({ heat, result }) => [heat, result]),
      [
        ['H-1', 'pass'],
        ['H-2', 'fail'],
        ['H-3', 'pass'],
      ],
    )
    assert.equal(verdict, 'fail')
  })

  test('compares the type of the document, the order and the heats', async () => {
    const certificate = certificateOf('en10168', right)
    const accepted = { document: ['3.1'], heats: ['H-1', 'H-2', 'H-3'], rules: [strength] }
    assert.equal((await check(certificate, accepted)).verdict, 'pass')
    assert.equal((await check(certificate, { ...accepted, document: ['3.2'] })).verdict, 'fail')
    assert.equal((await check(certificate, { ...accepted, heats: ['H-1'] })).verdict, 'fail')
    const { lines } = await check(certificate, { ...accepted, order: '4500' })
    assert.deepEqual(
      lines.filter(({ of }) => of === 'order').map(({ result, rule }) => [result, rule]),
      [['missing', '/order']],
    )
  })

  test('reads a place that has no name of its own', async () => {
    const certificate = certificateOf('en10168', right)
    const of = '/Certificate/Inspection/*/SupplementaryInformation/*/Value'
    const { verdict, lines } = await check(certificate, { rules: [{ of, oneOf: ['2026-01-31'] }] })
    assert.equal(verdict, 'pass')
    assert.deepEqual(
      lines.map(({ pointer }) => pointer),
      [0, 1, 2].map((at) => `/Certificate/Inspection/${at}/SupplementaryInformation/C04/Value`),
    )
    assert.equal(
      (await check(certificate, { rules: [{ of: '/Nothing/there', max: '1' }] })).verdict,
      'missing',
    )
  })

  test('says that a certificate of an unknown family states nothing', async () => {
    const { verdict } = await check(
      { RefSchemaUrl: 'https://schemas.example/x.json', Rm: 500 },
      { rules: [strength] },
    )
    assert.equal(verdict, 'missing')
  })

  test('never passes a published certificate that lacks something, and names what', {
    skip: withoutRealCertificates,
  }, async () => {
    for (const { name, bytes } of realCertificates().filter((one) => one.isValid)) {
      const { verdict, lines } = await check(bytes, {
        rules: [{ of: 'Xe', max: '0.1', unit: '%' }, strength],
      })
      assert.notEqual(verdict, 'pass', name)
      assert.ok(
        lines.every(({ result, reason }) => (result === 'pass') === (reason === undefined)),
        name,
      )
    }
  })

  test('finds the slips of a published certificate', { skip: withoutRealCertificates }, async () => {
    const bytes = realCertificate('en10168/v0.5.0/valid_certificate_9.json')
    const { lines } = await check(bytes, {
      rules: [
        { of: 'ReH', min: '355', unit: 'MPa' },
        { of: 'Ce', max: '0.001', unit: '%' },
        { of: 'rhenium', max: '0.001', unit: '%' },
        { of: 'KV', unit: 'J', mean: { min: '80.3' }, at: '-20 °C' },
      ],
    })
    assert.deepEqual(
      lines.map(({ of, result, compared }) => [of, result, compared]),
      [
        ['ReH', 'unknown', undefined],
        ['Ce', 'pass', '0.000'],
        ['rhenium', 'pass', '0.000'],
        ['KV', 'fail', '80.2'],
      ],
    )
  })
})
