import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import {
  type AuthorityKey,
  certify,
  createAuthorityKey,
  extension,
  extensions,
  hashAlgorithm,
  integer,
  makeToken,
  octets,
  oid,
  oidOfName,
  seq,
  set,
  type TestCertificate,
  type TokenPlan,
} from '../../node/stamp-authority.ts'
import { compareBytes } from '../encoding/bytes.ts'
import { encodeDer } from '../ledger/der.ts'
import { readDer } from './der.ts'
import { attempt, indefiniteLength, longerLength, valuesIn, writeAgain } from './der.fixture.ts'
import { StampRefused } from './stamp-refused.ts'
import { openSslStamps } from './openssl-stamps.fixture.ts'
import { readAuthority, verifyStamp } from './verify-stamp.ts'

const digestOf = (bytes: Uint8Array | string): Uint8Array =>
  Uint8Array.from(createHash('sha256').update(bytes).digest())
const sha256 = digestOf('text')
const root = certify({ subject: 'Root', more: [extensions.authority] })
const authorities = [readAuthority('Authority', root.bytes)]
const signer = certify({ subject: 'Signer', by: root })
const plan: TokenPlan = { sha256, signer }

const verify = (token: Uint8Array, roots = authorities) => verifyStamp({ token, sha256, authorities: roots })
const refused = (token: Uint8Array, why: RegExp, roots = authorities): void => {
  assert.throws(
    () => verify(token, roots),
    (error) => error instanceof StampRefused && why.test(error.message),
  )
}
/** Signed by a certificate with these properties. */
const by = (properties: Partial<Parameters<typeof certify>[0]>): Uint8Array =>
  makeToken({ ...plan, signer: certify({ subject: 'Signer', by: root, ...properties }) })
const sorted = (...certificates: readonly TestCertificate[]): readonly Uint8Array[] =>
  certificates.map(({ bytes }) => bytes).toSorted(compareBytes)

void describe('a time stamp', () => {
  void it('of OpenSSL says when its text existed', () => {
    for (const { token, root: ofOpenSsl, text, time } of openSslStamps)
      assert.deepEqual(
        verifyStamp({ token, sha256: digestOf(text), authorities: [readAuthority('OpenSSL', ofOpenSsl)] }),
        {
          time: `${time}.000Z`,
          before: new Date(Date.parse(`${time}Z`) + 1_000).toISOString(),
          authority: 'OpenSSL',
        },
      )
  })

  void it('of OpenSSL is refused, or says the same, when any byte of it is altered', () => {
    for (const { name, token, root: ofOpenSsl, text } of openSslStamps) {
      const claim = { sha256: digestOf(text), authorities: [readAuthority('OpenSSL', ofOpenSsl)] }
      const said = verifyStamp({ token, ...claim })
      const altered = Uint8Array.from(token)
      // An elliptic curve takes much longer than RSA.
      for (const [at, octet] of token.entries())
        for (let bit = name === 'RSA' ? 0 : 7; bit < 8; bit += 1) {
          altered[at] = octet ^ (1 << ((at + bit) % 8))
          const again = attempt(() => verifyStamp({ token: altered, ...claim }))
          if (!(again instanceof StampRefused)) assert.deepEqual(again, said, `${name}, byte ${at}`)
          altered[at] = octet
        }
    }
  })

  void it('can be signed with RSA (PKCS #1 and PSS), P-256 and P-384, each with SHA-256, SHA-384 and SHA-512', () => {
    for (const kind of ['rsa', 'pss', 'P-256', 'P-384'] as const) {
      const key = createAuthorityKey(kind)
      for (const hash of ['sha256', 'sha384', 'sha512'] as const) {
        const keyOfHash: AuthorityKey = { ...key, hash }
        const top = certify({ subject: 'Top', key: keyOfHash, more: [extensions.authority] })
        const own = certify({ subject: 'Own', by: top, key: keyOfHash })
        const token = makeToken({ ...plan, signer: own })
        assert.equal(verify(token, [readAuthority('Other', top.bytes)]).authority, 'Other', `${kind} ${hash}`)
        const other = makeToken({ ...plan, signer: { ...own, key: { ...createAuthorityKey(kind), hash } } })
        refused(other, /signature of the time stamp is wrong/, [readAuthority('Other', top.bytes)])
      }
    }
  })

  void it('says before what time, with the accuracy of the authority, rounded up', () => {
    const accuracy = (...parts: readonly Uint8Array[]): Uint8Array => seq(...parts)
    const said = (time: string, of?: Uint8Array) =>
      verify(makeToken({ ...plan, time, ...(of === undefined ? {} : { accuracy: of }) }))
    const whole = said('2026-11-29T12:00:00Z')
    assert.deepEqual([whole.time, whole.before], ['2026-11-29T12:00:00.000Z', '2026-11-29T12:00:00.000Z'])
    const exact = said('2026-11-29T12:00:00.1234Z', accuracy(integer(1), encodeDer(0x80, Uint8Array.of(5))))
    assert.deepEqual([exact.time, exact.before], ['2026-11-29T12:00:00.123Z', '2026-11-29T12:00:01.129Z'])
  })

  void it('is refused with another time than one that DER can have', () => {
    for (const time of [
      '2026-11-29T12:00:00.10Z',
      '2026-02-30T12:00:00Z',
      '2026-11-29T12:00Z',
      '2026-11-29T12:00:00',
      '2026-11-29T12:00:00.1234567Z',
    ])
      refused(makeToken({ ...plan, time }), /unusable time/)
  })

  void it('is refused if it is about something else', () => {
    refused(makeToken({ ...plan, sha256: digestOf('other') }), /about something else/)
    refused(makeToken({ ...plan, imprintHash: 'sha384' }), /about something else/)
    refused(makeToken({ ...plan, imprintHash: 'sha1' }), /a hash other than/)
  })

  void it('is refused if the authority is not in the policy', () => {
    refused(makeToken(plan), /that you do not trust/, [])
    const namesake = certify({ subject: 'Root', more: [extensions.authority] })
    refused(makeToken(plan), /that you do not trust/, [readAuthority('Namesake', namesake.bytes)])
    assert.equal(
      verify(makeToken(plan), [readAuthority('Namesake', namesake.bytes), ...authorities]).authority,
      'Authority',
    )
  })

  void it('is refused if its signer is not for time stamps alone', () => {
    const why = /not for time stamps alone/
    const purposes = (isCritical: boolean, ...names: readonly string[]) =>
      extension('551d25', seq(...names.map(oid)), isCritical)
    refused(by({ more: [] }), why)
    refused(by({ more: [purposes(false, oidOfName.timeStamping)] }), why)
    refused(by({ more: [purposes(true, oidOfName.codeSigning)] }), why)
    refused(by({ more: [purposes(true, oidOfName.timeStamping, oidOfName.codeSigning)] }), why)
    refused(by({ more: [extensions.forStamps, extensions.usage(0x04)] }), why)
    refused(by({ more: [extensions.forStamps, extensions.authority] }), why)
    refused(
      by({ more: [extensions.forStamps, extension('2a03', integer(1), true)] }),
      /critical extension that is unknown/,
    )
    refused(by({ more: [extensions.forStamps, extensions.forStamps] }), /unusable certificate/)
    assert.ok(
      verify(by({ more: [extensions.forStamps, extensions.usage(0x80), extension('2a03', integer(1))] })),
    )
  })

  void it('is refused if a certificate was not valid at its time', () => {
    const why = /was not valid/
    refused(by({ to: '2026-11-29T11:59:59Z' }), why)
    refused(by({ from: '2026-11-29T12:00:01Z' }), why)
    assert.ok(verify(by({ from: '2026-11-29T12:00:00Z', to: '2026-11-29T12:00:00Z' })))
    const old = certify({ subject: 'Old', more: [extensions.authority], to: '2026-01-01T00:00:00Z' })
    const own = certify({ subject: 'Own', by: old })
    refused(makeToken({ ...plan, signer: own }), why, [readAuthority('Old', old.bytes)])
  })

  void it('has a chain of at most three certificates, each of an authority below the other', () => {
    const middle = (name: string, over: TestCertificate, more = [extensions.authority]) =>
      certify({ subject: name, by: over, more })
    const chainOf = (...between: readonly TestCertificate[]): Uint8Array => {
      const own = certify({ subject: 'Own', by: between.at(-1) })
      return makeToken({ ...plan, signer: own, certificates: sorted(own, ...between) })
    }
    const first = middle('First', root)
    const second = middle('Second', first)
    assert.ok(verify(chainOf(first)))
    assert.ok(verify(chainOf(first, second)))
    refused(chainOf(first, second, middle('Third', second)), /that you do not trust/)
    refused(chainOf(middle('No', root, [])), /that you do not trust/)
    refused(
      chainOf(middle('No', root, [extensions.authority, extensions.usage(0x80)])),
      /that you do not trust/,
    )
    refused(
      chainOf(
        middle('No', root, [extensions.authority, extension('551d25', seq(oid(oidOfName.codeSigning)))]),
      ),
      /that you do not trust/,
    )
    const short = middle('Short', root, [extensions.authorityOfPath(0)])
    assert.ok(verify(chainOf(short)))
    refused(chainOf(short, middle('Too deep', short)), /that you do not trust/)
  })

  void it('contains every certificate of its chain, and no other', () => {
    const stranger = certify({ subject: 'Stranger' })
    refused(makeToken({ ...plan, certificates: [] }), /does not contain the certificate/)
    refused(makeToken({ ...plan, certificates: [stranger.bytes] }), /does not contain the certificate/)
    refused(makeToken({ ...plan, certificates: sorted(signer, stranger) }), /not needed/)
    refused(makeToken({ ...plan, certificates: sorted(signer, root) }), /not needed/)
    refused(makeToken({ ...plan, certificates: sorted(signer, root).toReversed() }), /a set is not in order/)
    refused(makeToken({ ...plan, certificates: [signer.bytes, signer.bytes] }), /a set is not in order/)
  })

  void it('names the certificate of its signer in what is signed', () => {
    const twin = { ...certify({ subject: 'Signer', by: root, key: signer.key }), serial: signer.serial }
    refused(makeToken({ ...plan, named: twin }), /another certificate/)
    assert.ok(verify(makeToken({ ...plan, namedHash: [hashAlgorithm('sha256')] })))
    refused(makeToken({ ...plan, namedHash: [hashAlgorithm('sha512')] }), /another certificate/)
  })

  void it('has exactly one signer and nothing that nobody signs', () => {
    refused(makeToken({ ...plan, signedAgain: true }), /2 signers instead of one/)
    refused(
      makeToken({ ...plan, unsigned: [seq(oid('2a03'), set(integer(1)))] }),
      /attributes that nothing signs/,
    )
    refused(
      makeToken({ ...plan, lists: [encodeDer(0xa1, seq())] }),
      /revoked certificates, which nothing signs/,
    )
    const unknown = seq(oid('2a03'), Uint8Array.of(1, 1, 0xff), octets(integer(1)))
    refused(makeToken({ ...plan, infoEnd: [encodeDer(0xa1, unknown)] }), /critical extension/)
    refused(makeToken({ ...plan, infoEnd: [Uint8Array.of(1, 1, 0)] }), /unusable content/)
  })

  void it('is refused with bytes after its end, or if it is cut', () => {
    const token = makeToken(plan)
    refused(Uint8Array.from([...token, 0]), /bytes follow/)
    refused(new Uint8Array(0), /ends early/)
    for (let length = 1; length < token.length; length += 1) refused(token.subarray(0, length), /not in DER/)
    refused(new Uint8Array(16_385), /more than 16384 bytes/)
  })

  void it('is refused if any length in it is not in its shortest form, or indefinite', () => {
    const whole = readDer(makeToken(plan))
    const places = valuesIn(whole)
    assert.ok(places.length > 60)
    for (const place of places)
      for (const longer of [longerLength, indefiniteLength])
        refused(writeAgain(whole, { place, longer }), /not in DER|altered|about something else|unusable/)
  })
})
