import { createHash, randomBytes } from 'node:crypto'
import { Secret } from '../../../lib/secret.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { type CertificateWithBodies, findCertificateWithBodies } from '../certificates/certificates.store.ts'
import { findLinkedCertificate, insertFilesLink } from './files-link.store.ts'

export const filesPath = '/files'

/** A new link for one mail: the mail contains the token, the database its hash. */
export const newFilesUrl = async (
  { database, clock, publicUrl }: CertificateDependencies,
  { id }: CertificateWithBodies,
): Promise<string> => {
  const token = new Secret(randomBytes(32).toString('base64url'))
  await insertFilesLink(database.query, {
    tokenHash: hashOf(token),
    certificateId: id,
    createdAt: new Date(clock.now()),
  })
  return `${publicUrl()}${filesPath}/${token.reveal()}`
}

/** Undefined if there is no such link, or the files are erased. */
export const findLinkedFiles = async (
  { database: { query } }: CertificateDependencies,
  token: Secret,
): Promise<CertificateWithBodies | undefined> => {
  const id = await findLinkedCertificate(query, hashOf(token))
  const certificate = id === undefined ? undefined : await findCertificateWithBodies(query, id)
  return certificate?.body && certificate.pdf ? certificate : undefined
}

const hashOf = (token: Secret): Buffer => createHash('sha256').update(token.reveal()).digest()
