import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Identity, Language } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { acceptCertificate } from './certificate-service.ts'
import { sampleCertificate } from './certificates.ts'
import { domainOf, entered, type From, kindOf } from './mailing-people.ts'
import { notarizeSample, publishIdentity } from './offline.ts'
import { newIdentity } from './signers.ts'
import { storedReasons } from '../src/lib/stored-reasons.ts'

/** Too large for a mail of 1 MiB. */
const largeFile = () => {
  const data = randomBytes(300_000)
  return {
    Hash: { Algorithm: 'SHA256', Encoding: 'hex', Value: createHash('sha256').update(data).digest('hex') },
    FileName: 'spectrum.bin',
    'MIME-Type': 'application/octet-stream',
    Encoding: 'base64',
    Data: data.toString('base64'),
  }
}

type Wanted = {
  readonly number?: string
  readonly languages?: readonly Language[]
  readonly isLarge?: boolean
}

export const certificateOf = (
  { language, company }: From,
  { number, languages = [language], isLarge = false }: Wanted = {},
): object => {
  const { product, buyer } = entered[language]
  const { RefSchemaUrl, Certificate } = sampleCertificate({
    ...(number !== undefined && { number }),
    receiver: { vatId: company.vatId, email: `goods-in@${domainOf(language)}` },
  })
  const { A01, A06, ...transaction } = Certificate.CommercialTransaction
  const email = `mill@${domainOf(language)}`
  return {
    RefSchemaUrl,
    Certificate: {
      ...Certificate,
      CertificateLanguages: languages.map((one) => one.toUpperCase()),
      CommercialTransaction: {
        ...transaction,
        A01: { ...A01, Name: company.name, Email: email },
        A06: { ...A06, Name: buyer },
      },
      ProductDescription: {
        ...Certificate.ProductDescription,
        B01: product,
        B13: { Value: 24_567.85, Unit: 'kg' },
      },
      ...(isLarge && { Attachments: [largeFile()] }),
    },
  }
}

export const mailAboutCertificates = async (from: From): Promise<void> => {
  const { server, language, admin, company } = from
  const client = server.client(admin.accessToken)
  const notarize = async (identity: Identity, wanted: Wanted): Promise<string> => {
    const certificate = certificateOf(from, wanted)
    const { id } = await notarizeSample(client, { company: company.id, identity, mode: 'live', certificate })
    return id
  }
  const one = await newIdentity(client, company.id, 'live')
  const body = { coinType: 822, account: 0, wallet: one.wallet }
  const many = await client.createIdentity({ company: company.id, query: { mode: 'live' }, body })
  for (const identity of [one, many])
    await publishIdentity(client, { company: company.id, identity, mode: 'live' })
  const number = `WZ-2026/${language.toUpperCase()}-000123456789`
  await notarize(one, { number: `${number}/1` })
  const withdrawn = await notarize(many, { number: `${number}/2`, languages: ['en', 'de'] })
  const replaced = await notarize(many, { number: `${number}/3` })
  const replacedBy = await notarize(many, { number: `${number}/4`, isLarge: true })
  const { reason } = entered[language]
  const since = '2026-01-01T00:00:00.000Z'
  const of = (id: string) => ({ company: company.id, params: { id } })
  await client.withdrawCertificate({ ...of(withdrawn), body: { reason } })
  await client.replaceCertificate({ ...of(replaced), body: { reason, replacedBy } })
  for (const { id } of [one, many])
    await client.revokeIdentity({ ...of(id), query: { mode: 'live' }, body: { reason, since } })
  await mailAboutFailures(from, number)
  await mailAboutReleases(from)
}

/** One and several, in both modes. */
const mailAboutReleases = async ({ deps, admin, company }: From): Promise<void> => {
  const { database, jobs } = deps
  for (const [mode, count] of [
    ['live', 1],
    ['test', 12],
  ] as const) {
    const mail = { companyId: company.id, mode, about: randomUUID(), address: admin.email, count }
    await database.transaction((tx) => jobs.enqueue(tx, kindOf('certificate-release-mail'), mail))
  }
}

/** As it is stored. */
const failure = storedReasons([because('document_refused', { flaw: because('picture_cut_off') })])

/** In both modes, of a certificate without a number, and without a reason. */
const mailAboutFailures = async (from: From, number: string): Promise<void> => {
  const { deps, admin, company } = from
  const { database, jobs } = deps
  const failures = [
    { mode: 'live', number: `${number}/5`, failure },
    { mode: 'test', number: `${number}/6`, failure: { error: null } },
    { mode: 'test', number: undefined, failure },
  ] as const
  for (const { mode, number: given, failure: why } of failures) {
    const certificateId = await acceptCertificate(deps, {
      companyId: company.id,
      identityId: randomUUID(),
      certificate: certificateOf(from, given === undefined ? {} : { number: given }),
      mode,
    })
    await database.query
      .updateTable('certificates')
      .set({ state: 'failed', ...why, nextAttemptAt: null, ...(given === undefined && { summary: '{}' }) })
      .where('id', '=', certificateId)
      .execute()
    const mail = { certificateId, address: admin.email }
    await database.transaction((tx) => jobs.enqueue(tx, kindOf('certificate-failure-mail'), mail))
  }
}
