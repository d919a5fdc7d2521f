import { readFile } from 'node:fs/promises'
import { runTool, writePdf } from './tools.ts'

/** Where the signature belongs in a file of ours: the last dictionary before the cross-reference stream. */
export const holeOf = (pdf: Uint8Array): { readonly from: number; readonly to: number } => {
  const text = Buffer.from(pdf).toString('latin1')
  const from = text.lastIndexOf('/Contents <') + '/Contents '.length
  return { from, to: text.indexOf('>', from) + 1 }
}

/** Has OpenSSL sign all bytes around the hole with a new key, and fills the hole. */
export const signWithOpenssl = async (pdf: Uint8Array): Promise<Uint8Array> => {
  const { from, to } = holeOf(pdf)
  await using content = await writePdf(Buffer.concat([pdf.subarray(0, from), pdf.subarray(to)]))
  const [key, certificate, signed] = ['key.pem', 'certificate.pem', 'signed.der'].map(content.beside)
  if (key === undefined || certificate === undefined || signed === undefined) throw new Error('No paths')
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  await runTool('openssl', [...request, '-subj', '/CN=Mill', '-keyout', key, '-out', certificate])
  const sign = ['cms', '-sign', '-binary', '-cades', '-md', 'sha256', '-outform', 'DER', '-in', content.path]
  await runTool('openssl', [...sign, '-signer', certificate, '-inkey', key, '-out', signed])
  const filled = Buffer.from(pdf)
  filled.write((await readFile(signed)).toString('hex'), from + 1, 'latin1')
  return filled
}
