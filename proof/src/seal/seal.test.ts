import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { certify, createAuthorityKey, extensions } from '../../node/stamp-authority.ts'
import { readAuthority } from '../stamps/verify-stamp.ts'
import { findSealHole } from './find-seal.ts'
import { readSealCertificates } from './seal-certificates.ts'
import { SealRefused } from './seal-refused.ts'
import { forSeals, issuing, mill, pdfWithHole, rsaMill, seal, stamping } from '../../node/sealed-pdf.ts'
import { type Seal, verifySeal } from './verify-seal.ts'

const trusted = [readAuthority('association', stamping.root.bytes)]
const verified = (pdf: Uint8Array): Seal => verifySeal(pdf, trusted) ?? assert.fail('no seal')
const whyNot = (pdf: Uint8Array): string => {
  try {
    return `sealed: ${JSON.stringify(verifySeal(pdf, trusted))}`
  } catch (error) {
    if (!(error instanceof SealRefused)) throw error
    return error.message
  }
}
const changed = (pdf: Uint8Array, change: (text: string) => string): Uint8Array =>
  Uint8Array.from(Buffer.from(change(Buffer.from(pdf).toString('latin1')), 'latin1'))

describe('the seal of a PDF', () => {
  test('says who sealed it, who issued their certificate, and when by their clock', () => {
    for (const chain of [[mill, issuing], [mill], [rsaMill(), issuing]])
      assert.deepEqual(verified(seal({ chain })), {
        signer: 'Mill Ltd',
        issuer: 'Issuer of seals',
        claimedAt: '2026-11-30T12:00:00.000Z',
        level: 'B-B',
        stamped: undefined,
      })
  })

  test('is B-T with a time stamp, whose time it says if the reader trusts the authority', () => {
    const pdf = seal({ stamped: 'itself' })
    const { level, stamped } = verified(pdf)
    assert.deepEqual(
      [level, stamped?.authority, stamped?.time],
      ['B-T', 'association', '2026-11-29T12:00:00.000Z'],
    )
    assert.deepEqual([verifySeal(pdf, [])?.level, verifySeal(pdf, [])?.stamped], ['B-T', undefined])
  })

  test('is not there in a PDF without one', () => {
    assert.equal(verifySeal(Buffer.from('%PDF-1.7\n%%EOF\n'), []), undefined)
  })

  test('covers every byte: only a certificate above that of the signer can change, whose root a reader must know', () => {
    const pdf = seal({ pdf: pdfWithHole({ bytes: 2_400 }), stamped: 'itself' })
    const { from, digits } = findSealHole(pdf) ?? assert.fail('no seal')
    const above = from + digits.indexOf(Buffer.from(issuing.bytes).toString('hex'))
    const isAbove = (at: number): boolean => at >= above && at < above + 2 * issuing.bytes.length
    for (let at = 0; at < pdf.length; at += at >= from && at < from + digits.length ? 11 : 1) {
      if (isAbove(at)) continue
      const other = pdf.slice()
      other[at] = (other[at] ?? 0) ^ 1
      // Without the name of its kind, there is no seal at all.
      assert.match(whyNot(other), /^(?!sealed)|^sealed: undefined$/, `byte ${at}`)
    }
  })

  test('is refused if its hole is larger than its range says, or has more than the signature', () => {
    const pdf = seal()
    assert.match(
      whyNot(changed(pdf, (text) => text.replace('00>>>\n', '0000>>>\n'))),
      /does not cover the whole PDF|was extended/,
    )
    assert.equal(
      whyNot(changed(pdf, (text) => text.replace('00>>>\n', '01>>>\n'))),
      'The seal does not cover the whole PDF',
    )
    assert.equal(
      whyNot(changed(pdf, (text) => text.replace('00>>>\n', '/J>>>\n'))),
      'The seal does not cover the whole PDF',
    )
  })

  test('is refused if somebody added a revision or a second signature', () => {
    const pdf = seal()
    const revision = '8 0 obj\n<<>>\nendobj\nstartxref\n9\n%%EOF\n'
    assert.equal(whyNot(changed(pdf, (text) => text + revision)), 'The PDF was extended after it was sealed')
    const inside = Buffer.from(pdfWithHole({ content: 'another' }))
      .toString('latin1')
      .slice(9)
    assert.match(whyNot(changed(pdf, (text) => text + inside)), /^The seal does not cover the whole PDF$/)
    const foreign = '8 0 obj\n<</SubFilter /ETSI.CAdES.detached/ByteRange [0 1 2 3]/Contents <00>>>\n'
    assert.equal(
      whyNot(changed(pdf, (text) => text + foreign)),
      'The PDF has a signature that is not a seal of this service',
    )
  })

  test('is refused if the key is not that of the certificate, or the certificate that of another', () => {
    assert.equal(whyNot(seal({ key: createAuthorityKey('P-256') })), 'The signature of the seal is wrong')
    const other = certify({ subject: 'Mill Ltd', by: issuing, more: forSeals })
    assert.equal(
      whyNot(seal({ chain: [other, issuing], key: mill.key })),
      'The signature of the seal is wrong',
    )
  })

  test('is refused if a certificate was not valid when it was made', () => {
    const expired = certify({ subject: 'Mill Ltd', by: issuing, more: forSeals, to: '2026-11-30T11:59:58Z' })
    const late = 'The PDF was sealed while the certificate of its signer was not valid'
    assert.equal(whyNot(seal({ chain: [expired, issuing] })), late)
    // The clock of an authority counts more than that of the signer.
    assert.match(whyNot(seal({ chain: [expired, issuing], stamped: 'itself' })), /^sealed/)
    const early = certify({ subject: 'Mill Ltd', by: issuing, more: forSeals, from: '2026-11-30T12:00:01Z' })
    assert.equal(whyNot(seal({ chain: [early, issuing] })), late)
  })

  test('is refused with a time stamp of something else', () => {
    assert.equal(whyNot(seal({ stamped: 'something else' })), 'The time stamp of the seal is unusable')
  })
})

describe('certificates for seals', () => {
  const read = (...chain: readonly { readonly bytes: Uint8Array }[]) =>
    readSealCertificates(chain.map(({ bytes }) => bytes))

  test('are a chain from the signer on, from which a root is dropped', () => {
    const root = certify({ subject: 'Root', more: [extensions.authority] })
    const own = certify({ subject: 'Mill', by: root, more: forSeals })
    assert.equal(read(own, root).length, 1)
    assert.equal(read(mill, issuing).length, 2)
    const alone = certify({ subject: 'Mill', more: forSeals })
    assert.equal(read(alone).length, 1)
  })

  test('are refused in one sentence if they cannot be used', () => {
    const authority = certify({ subject: 'Root', more: [extensions.authority] })
    const forStamps = certify({ subject: 'Stamps', by: issuing, more: [extensions.usage(0x20)] })
    const without = certify({ subject: 'Mill', by: issuing, more: [] })
    const other = certify({ subject: 'Other', more: [extensions.authority] })
    assert.throws(() => read(), /There is no certificate/)
    assert.throws(() => read(authority), /is one of a certification authority/)
    for (const one of [forStamps, without])
      assert.throws(() => read(one, issuing), /has neither digitalSignature nor nonRepudiation/)
    for (const chain of [
      [mill, other],
      [issuing, mill],
    ])
      assert.throws(() => read(...chain), /each must be issued by the next|certification authority/)
    assert.throws(() => read({ bytes: Uint8Array.of(1, 2) }), SealRefused)
  })
})
