/** For tests: PDFs that are sealed, rightly or not. */

import { createHash, sign } from 'node:crypto'
import {
  type AuthorityKey,
  certify,
  createAuthorityKey,
  extensions,
  makeToken,
  type TestCertificate,
} from './test-authority.ts'
import { readSealCertificates } from '../src/seal/seal-certificates.ts'
import { findSealHole } from '../src/seal/find-seal.ts'
import { writeSeal, writeSealAttributes } from '../src/seal/write-seal.ts'

export const forSeals = [extensions.usage(0xc0)]

const root = certify({ subject: 'Root of seals', more: [extensions.authority, extensions.usage(0x06)] })
export const issuing = certify({
  subject: 'Issuer of seals',
  by: root,
  more: [extensions.authorityOfPath(0), extensions.usage(0x06)],
})
export const mill = certify({ subject: 'Mill Ltd', by: issuing, more: forSeals })

const authorityRoot = certify({ subject: 'Root of stamps', more: [extensions.authority] })
export const stamping = { root: authorityRoot, signer: certify({ subject: 'Stamps', by: authorityRoot }) }

const sha256 = (...parts: readonly Uint8Array[]): Uint8Array => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return Uint8Array.from(hash.digest())
}

/** As the writer of PDFs ends a file. */
export const pdfWithHole = ({
  bytes = 4_000,
  at = '20261130120000',
  content = 'a certificate',
}: {
  readonly bytes?: number
  readonly at?: string
  readonly content?: string
} = {}): Uint8Array => {
  const before = `%PDF-1.7\n${content}\n7 0 obj\n<</Type /Sig/Filter /Adobe.PPKLite/SubFilter /ETSI.CAdES.detached/Name (Mill Ltd)/M (D:${at}Z)/ByteRange `
  const hole = before.length + '[0          0          0          0         ]/Contents '.length
  const end = '>>\nendobj\nstartxref\n9\n%%EOF\n'
  const range = [0, hole, hole + 2 * bytes + 2, end.length].map((one) => String(one).padEnd(10)).join(' ')
  return new TextEncoder().encode(`${before}[${range}]/Contents <${'0'.repeat(2 * bytes)}>${end}`)
}

export const seal = ({
  pdf = pdfWithHole(),
  chain = [mill, issuing],
  key = chain[0]?.key,
  stamped,
}: {
  readonly pdf?: Uint8Array
  /** The signer first. */
  readonly chain?: readonly TestCertificate[]
  /** That signs, if it is not that of the signer. */
  readonly key?: AuthorityKey
  /** What its time stamp is about, if it has one. */
  readonly stamped?: 'itself' | 'something else'
} = {}): Uint8Array => {
  const hole = findSealHole(pdf)
  const [own] = chain
  if (hole === undefined || own === undefined || key === undefined) throw new Error('Nothing to seal')
  const attributes = writeSealAttributes({
    digest: sha256(hole.before, hole.after),
    certificateDigest: sha256(own.bytes),
  })
  const signature = Uint8Array.from(sign('sha256', attributes, key.privateKey))
  const about = stamped === 'itself' ? signature : attributes
  const token = stamped && makeToken({ sha256: sha256(about), signer: stamping.signer })
  const certificates = readSealCertificates(chain.map(({ bytes }) => bytes))
  const filled = Buffer.from(pdf)
  filled.write(
    Buffer.from(writeSeal({ attributes, signature, certificates, token })).toString('hex'),
    hole.from,
    'latin1',
  )
  return Uint8Array.from(filled)
}

export const rsaMill = (): TestCertificate =>
  certify({ subject: 'Mill Ltd', by: issuing, key: createAuthorityKey('rsa'), more: forSeals })
