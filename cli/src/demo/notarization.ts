import { randomBytes } from 'node:crypto'
import type { JsonValue } from '@millseal/proof'
import type { Connection } from '@millseal/sdk'
import { fetchLogKey } from '../verification/fetch-proof.ts'
import { demoCertificate } from './certificate.ts'
import type { DemoCompany } from './company.ts'
import type { DemoContext } from './context.ts'

const mode = { mode: 'test' } as const

export type Documents = {
  readonly json: Buffer
  readonly pdf: Buffer
  readonly bundle: JsonValue
  readonly policy: JsonValue
}

export const notarize = async (
  { baseUrl, steps }: DemoContext,
  machine: Connection,
  company: DemoCompany,
): Promise<Documents> => {
  const wallet = await steps.step('create a wallet', () =>
    machine.createWallet({ query: mode, body: { name: 'Demo wallet' } }),
  )
  const identity = await steps.step(
    'create an identity',
    () =>
      machine.createIdentity({
        query: mode,
        body: { coinType: 822, account: 0, wallet: wallet.id, name: 'Quality department' },
      }),
    ({ id }) => id,
  )
  await steps.step('publish the identity', () =>
    machine.notarizeIdentity({ query: mode, params: { identityId: identity.id } }),
  )
  const certificate = writeCertificate(company)
  const accepted = await steps.step('submit a certificate (EN 10168)', () =>
    machine.notarizeCertificate({
      query: { ...mode, identity: identity.id },
      document: new Blob([certificate], { type: 'application/json' }),
    }),
  )
  if (!accepted.isNewInstance) throw new Error('the certificate of the demo is already on the ledger')
  const { jobId } = accepted
  const done = await steps.step(
    'wait until it is notarized',
    () => machine.waitForNotarization({ id: jobId }),
    ({ transactionId = '' }) => `transaction ${transactionId.slice(0, 16)}…`,
  )
  return await steps.step('download PDF, JSON and proof bundle', async () => {
    const params = { id: done.id }
    const [pdf, json, bundle, key] = await Promise.all([
      machine.readCertificatePdf({ params }),
      machine.readCertificateJson({ params }),
      machine.readProof({ params: { hash: done.hash.value }, query: mode }),
      fetchLogKey(baseUrl, 'test'),
    ])
    return {
      pdf: Buffer.from(await pdf.arrayBuffer()),
      json: Buffer.from(await json.arrayBuffer()),
      bundle: bundle as unknown as JsonValue,
      policy: { logs: [key], issuers: [{ did: identity.did, name: company.name }] },
    }
  })
}

const writeCertificate = ({ name, email }: DemoCompany): string =>
  JSON.stringify(
    demoCertificate({
      number: `DEMO-${randomBytes(4).toString('hex')}`,
      issuedOn: new Date().toISOString().slice(0, 10),
      mill: name,
      millEmail: email,
      receiverEmail: 'goods-in@demo.example.com',
    }),
  )
