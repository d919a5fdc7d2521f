import type { CertificateLife, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { readReasons } from '../../../lib/stored-reasons.ts'
import { callerOf } from '../certificates/caller.ts'
import { toCorrectionResponse } from '../certificates/correction-response.ts'
import {
  findRecordedCorrections,
  findReplacement,
  type RecordedCorrection,
} from '../certificates/corrections.store.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { findCertificate, type StoredCertificate } from '../certificates/certificates.store.ts'
import { toMailState } from '../certificates/read-certificate.ts'
import { releaseOf, stateOf } from '../certificates/certificate-response.ts'
import { requireOwn } from '../certificates/require-readable.ts'

export const readCertificateLife = async (
  deps: CertificateDependencies,
  call: Call<typeof operations.readCertificateLife>,
): Promise<CertificateLife> => {
  const { query } = deps.database
  const certificate = requireOwn(call, await findCertificate(query, call.params.id))
  const corrections = await findRecordedCorrections(query, [certificate.id])
  const [by, release, replaces, recorded, confirmed, mails] = await Promise.all([
    callerOf(deps, { by: certificate.acceptedBy, companyId: certificate.companyId }),
    namedRelease(deps, certificate),
    replacesOf(deps, certificate),
    recordedStep(deps, certificate),
    confirmedStep(deps, certificate),
    mailsOf(deps, { certificate, corrections }),
  ])
  const { id, mode, state, createdAt, endedAt, pdfHash, renderedAt, error } = certificate
  const at = endedAt?.toISOString()
  return {
    id,
    mode,
    state: stateOf(certificate),
    accepted: { at: createdAt.toISOString(), by },
    release,
    replaces,
    rendered: pdfHash === null ? undefined : { at: renderedAt?.toISOString(), pdfHash },
    recorded,
    confirmed,
    completed: state === 'notarized' ? { at } : undefined,
    failed: state === 'failed' ? { at, error: error ?? '', reasons: readReasons(certificate) } : undefined,
    corrections: corrections.map(toCorrectionResponse),
    mails,
  }
}

const namedRelease = async (
  { users }: CertificateDependencies,
  certificate: StoredCertificate,
): Promise<CertificateLife['release']> => {
  const release = releaseOf(certificate)
  if (release?.by === undefined) return release
  return { ...release, name: (await users.findSigner(release.by))?.username }
}

const replacesOf = async (
  { database }: CertificateDependencies,
  { id: replacedBy, replaces: certificateId }: StoredCertificate,
): Promise<CertificateLife['replaces']> => {
  if (certificateId === null) return undefined
  const found = await findReplacement(database.query, { certificateId, replacedBy })
  if (found === undefined) return undefined
  const { reason, recordedAt } = found
  return { id: certificateId, reason, at: recordedAt?.toISOString(), reasons: readReasons(found) }
}

const recordedStep = async (
  { keys }: CertificateDependencies,
  { mode, hash, transactionId, recordedAt }: StoredCertificate,
): Promise<CertificateLife['recorded']> => {
  if (transactionId === null || recordedAt === null) return undefined
  const records = await keys.findRecords({ mode, jsonHash: hash })
  const entry = records.find((record) => record.transactionId === transactionId)?.index
  return { at: recordedAt.toISOString(), transactionId, entry }
}

const confirmedStep = async (
  { keys }: CertificateDependencies,
  { mode, transactionId }: StoredCertificate,
): Promise<CertificateLife['confirmed']> => {
  if (transactionId === null) return undefined
  const confirmed = (await keys.confirmed.find({ mode, transactionIds: [transactionId] })).get(transactionId)
  return confirmed && { at: confirmed.at.toISOString(), by: [...confirmed.by] }
}

const mailsOf = async (
  { users, database }: CertificateDependencies,
  {
    certificate: { id, companyId, state },
    corrections,
  }: {
    readonly certificate: StoredCertificate
    readonly corrections: readonly RecordedCorrection[]
  },
): Promise<CertificateLife['mails']> => {
  const about = [
    { id, about: state === 'failed' ? 'failure' : 'certificate' },
    ...corrections.map((correction) => ({ id: correction.id, about: 'correction' }) as const),
  ] as const
  const found = await Promise.all(
    about.map(async (subject) =>
      (await users.findMailsAbout(database.query, { companyId, about: subject.id })).map((mail) => ({
        about: subject.about,
        ...toMailState(mail),
      })),
    ),
  )
  return found.flat()
}
