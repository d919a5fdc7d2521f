import { readCertificateFile } from '../verification/read-file.ts'

/** The JSON of a certificate as it is sent. */
export const certificateDocument = async (path: string, action: 'submit' | 'validate'): Promise<Blob> => {
  const { hash, bytes } = await readCertificateFile(path)
  if (hash.kind !== 'json') throw new Error(`${path} is a PDF: ${action} the JSON of the certificate`)
  return new Blob([new Uint8Array(bytes)], { type: 'application/json' })
}
