import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import {
  certify,
  extensions,
  integer,
  makeResponse,
  makeToken,
  oid,
  seq,
  set,
  type TokenPlan,
} from '../../node/stamp-authority.ts'
import { encodeDer } from '../ledger/der.ts'
import { readStampResponse, writeStampRequest } from './stamp-exchange.ts'
import { StampRefused } from './stamp-refused.ts'
import { readAuthority, verifyStamp } from './verify-stamp.ts'

const sha256 = Uint8Array.from(createHash('sha256').update('text').digest())
const nonce = Uint8Array.of(0xc1, 2, 3, 4, 5, 6, 7, 8)
/** The same as a positive integer in its shortest form. */
const asked = Uint8Array.of(0x41, 2, 3, 4, 5, 6, 7, 8)
const root = certify({ subject: 'Root', more: [extensions.authority] })
const middle = certify({ subject: 'Middle', by: root, more: [extensions.authority] })
const signer = certify({ subject: 'Signer', by: middle })
const authorities = [readAuthority('Authority', root.bytes)]
const plan: TokenPlan = { sha256, signer, nonce: asked, certificates: [signer.bytes, middle.bytes] }

const read = (answer: Uint8Array) => readStampResponse(answer, { sha256, nonce, authorities })
const refused = (answer: Uint8Array, why: RegExp): void => {
  assert.throws(
    () => read(answer),
    (error) => error instanceof StampRefused && why.test(error.message),
  )
}

void describe('asking an authority for a time stamp', () => {
  void it('asks for a SHA-256 with a number and the certificates, in 69 bytes', () => {
    const request = Buffer.from(writeStampRequest({ sha256, nonce })).toString('hex')
    const imprint = `3031300d060960864801650304020105000420${Buffer.from(sha256).toString('hex')}`
    assert.equal(request, `3043020101${imprint}0208${Buffer.from(asked).toString('hex')}0101ff`)
  })

  void it('keeps what is signed and the certificates that are needed, in order, and nothing else', () => {
    const stranger = certify({ subject: 'Stranger' })
    const certificates = [root, stranger, middle, signer].map(({ bytes }) => bytes)
    const orders = [certificates, certificates.toReversed()]
    const unsigned = [seq(oid('2a03'), set(integer(1)))]
    for (const given of orders) {
      const answer = makeToken({ ...plan, certificates: given, unsigned, lists: [encodeDer(0xa1, seq())] })
      const { token, stamped } = read(makeResponse(answer))
      assert.deepEqual(verifyStamp({ token, sha256, authorities }), stamped)
      assert.equal(stamped.authority, 'Authority')
      assert.ok(token.length < answer.length - root.bytes.length - stranger.bytes.length)
    }
  })

  void it('refuses an answer to another question', () => {
    refused(makeResponse(makeToken({ ...plan, nonce: integer(9).subarray(2) })), /not to this question/)
    const { nonce: _, ...withoutNonce } = plan
    refused(makeResponse(makeToken(withoutNonce)), /not to this question/)
    refused(makeResponse(makeToken({ ...plan, sha256: new Uint8Array(32) })), /about something else/)
  })

  void it('says why an authority refused', () => {
    const words = seq(encodeDer(0x0c, Buffer.from('no such policy')))
    refused(seq(seq(integer(2), words)), /refused with status 2: no such policy/)
    refused(seq(seq(integer(2))), /refused with status 2$/)
    refused(seq(seq(integer(0))), /unusable answer/)
    refused(Buffer.from('<html>'), /not in DER/)
    refused(makeResponse(seq()), /not a time stamp/)
  })
})
