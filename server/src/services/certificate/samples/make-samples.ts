import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { families, toDocument } from '@millseal/families'
import { type Correction, correctionType, type LedgerObject, signCreate } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import { checkCertificate, type CheckedCertificate } from '../checking/check-certificate.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { renderPdf } from '../rendering/render-pdf.ts'
import { findSamples, insertSamples, type NewSample, saveRecorded } from './samples.store.ts'

const mode = 'test'

export const samplesToMake: JobKind<object> = {
  name: 'certificate-samples',
  retries: 20,
  backoffSeconds: 10,
  expireSeconds: 300,
}

/** Costs one small query once the samples are made. */
export const wantSamples = async (deps: CertificateDependencies, tx: Transaction): Promise<void> => {
  if (!deps.hasSamples || (await areRecorded(deps))) return
  await deps.jobs.enqueue(tx, samplesToMake, {}, { singletonKey: 'all' })
}

export const areRecorded = async ({ database }: CertificateDependencies): Promise<boolean> => {
  const found = await findSamples(database.query)
  return found.length > 0 && found.every(({ isRecorded }) => isRecorded)
}

/**
 * Stores the files and their signed transactions, then records these. Every run and every process continues with the files
 * that were stored first, so it can be interrupted anywhere and repeated.
 */
export const makeSamples = async (deps: CertificateDependencies, { signal }: Job<object>): Promise<void> => {
  const { database, clock, keys } = deps
  const now = () => new Date(clock.now())
  if ((await findSamples(database.query)).length === 0)
    await insertSamples(database.query, await newSamples(deps, signal), now())
  for (const { transactions } of await findSamples(database.query))
    for (const transaction of transactions) await keys.recordInOwnLog({ mode, transaction, signal })
  await saveRecorded(database.query, now())
}

const newSamples = async (
  deps: CertificateDependencies,
  signal: AbortSignal,
): Promise<readonly NewSample[]> => {
  const number = `DEMO-${randomBytes(4).toString('hex')}`
  const date = new Date(deps.clock.now()).toISOString().slice(0, 10)
  const [demo] = families.flatMap((family) => family.demo ?? [])
  const written = (digit: number, isChanged = false) => {
    const certificate = demo?.({ seller: 'Millseal Demo', number: `${number}-${digit}`, date, isChanged })
    return checkCertificate(deps, Buffer.from(JSON.stringify(certificate)))
  }
  const [genuine, forged, withdrawn] = [await written(1), await written(1, true), await written(2)]
  const pdfOf = (data: CheckedCertificate, shown = data): Promise<Uint8Array> => {
    const document = toDocument(shown.certificate, shown.schema)
    return renderPdf(deps, { certificate: data.certificate, document, mode, isDraft: false, signal })
  }
  const issue = newIssuer()
  const notarized = async (checked: CheckedCertificate) => {
    const { hash, refSchemaUrl: schema } = checked.certificate
    const pdf = await pdfOf(checked)
    const pdfHash = createHash('sha256').update(pdf).digest('hex')
    return { pdf, hash, transaction: issue({ jsonHash: hash, pdfHash, schema }) }
  }
  const { transaction: first, ...genuineFile } = await notarized(genuine)
  const { transaction: second, ...withdrawnFile } = await notarized(withdrawn)
  const withdrawal: Correction = {
    action: 'withdraw',
    transactionId: second.id,
    reason: 'This is a sample of a withdrawn certificate',
  }
  return [
    { kind: 'genuine', ...genuineFile, transactions: [first] },
    // As forgers do: another value on the page, and the data of the genuine file inside.
    { kind: 'changed', pdf: await pdfOf(genuine, forged), transactions: [] },
    {
      kind: 'withdrawn',
      ...withdrawnFile,
      transactions: [second, issue({ type: correctionType, ...withdrawal })],
    },
  ]
}

/** Signs with a new key that is never stored, so nobody can issue anything else in its name. */
const newIssuer = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const signer = {
    publicKey: new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')),
    sign: (message: Uint8Array) => sign(null, message, privateKey),
  }
  return (asset: LedgerObject) => signCreate(asset, signer, nodePrimitives)
}
