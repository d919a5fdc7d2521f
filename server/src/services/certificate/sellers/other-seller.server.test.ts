import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { because } from '@millseal/contract/reasons'
import { type Identity, type Mode, modes } from '@millseal/contract'
import type { Client } from '@millseal/sdk'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { everyScope, newApplication, newLiveOwner, type Owner, tokenOf } from '../../../../test/machines.ts'
import { notarizeSample, publishIdentity } from '../../../../test/offline.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'

type Trader = {
  readonly server: TestServer
  readonly owner: Owner
  readonly client: Client
  readonly identities: ReadonlyMap<Mode, Identity>
}

/** Its company is called Rolling Mill. */
const openTrader = async (environment: Readonly<Record<string, string>> = {}): Promise<Trader> => {
  const server = await startOwnServer({ environment })
  const owner = await newLiveOwner(server, 'trader')
  const client = server.client(owner.admin.accessToken)
  const identities = new Map<Mode, Identity>()
  for (const mode of modes) {
    const identity = await newIdentity(client, owner.company.id, mode)
    await publishIdentity(client, { company: owner.company.id, identity, mode })
    identities.set(mode, identity)
  }
  return { server, owner, client, identities }
}

let open: Trader
let strict: Trader
before(async () => {
  open = await openTrader()
  strict = await openTrader({ MILLSEAL_OTHER_SELLERS: 'off' })
})
after(async () => {
  await open.server[Symbol.asyncDispose]()
  await strict.server[Symbol.asyncDispose]()
})

/** A certificate of this seller. */
const soldBy = (seller: { readonly Name: string; readonly VAT_Id?: string }) => {
  const certificate = sampleCertificate()
  const transaction = certificate.Certificate.CommercialTransaction
  Object.assign(transaction.A01, seller)
  return certificate
}
const another = { Name: 'Steel Works SE', VAT_Id: 'DE136695976' }
const blobOf = (certificate: object, type = 'application/json') =>
  new Blob([JSON.stringify(certificate)], { type })

const notarize = ({ client, owner, identities }: Trader, mode: Mode, certificate: object) =>
  notarizeSample(client, {
    company: owner.company.id,
    identity: identities.get(mode) ?? assert.fail('no identity'),
    mode,
    certificate,
  })

describe('a certificate that names another seller', () => {
  test('is valid, with a warning for the company of the call', async () => {
    const { server, owner, client } = open
    const certificate = soldBy(another)
    const validate = async (by: Client, company?: string) => {
      const query = { report: true }
      const report = await by.validateCertificate({ query, document: blobOf(certificate), company })
      assert.equal(report['isValid'], true)
      return report['warnings']
    }
    const warning = {
      pointer: '/Certificate/CommercialTransaction/A01',
      reason: 'names Steel Works SE as its seller; your company is Rolling Mill',
      because: because('names_other_seller', {
        name: 'Steel Works SE',
        role: because('role_seller'),
        company: 'Rolling Mill',
      }),
    }
    assert.deepEqual(await validate(client, owner.company.id), [warning])
    assert.deepEqual(await validate(client), [], 'without a company there is nothing to compare')
    const machine = await tokenOf(server, await newApplication(server, owner, { scopes: everyScope }))
    assert.deepEqual(await validate(server.client(machine)), [warning])
  })

  test('is notarized in both modes, and the verification says both names', async () => {
    for (const mode of modes) {
      const certificate = soldBy(another)
      const { id } = await notarize(open, mode, certificate)
      const { client, owner } = open
      const pdf = await client.readCertificatePdf({ company: owner.company.id, params: { id } })
      for (const document of [blobOf(certificate), new Blob([pdf], { type: 'application/pdf' })]) {
        const answer = await open.server.client().verifyCertificate({ query: { mode }, document })
        assert.equal(answer.verdict, mode === 'test' ? 'test' : 'genuine')
        assert.deepEqual(answer.otherSeller, {
          role: 'seller',
          name: another.Name,
          vatId: another.VAT_Id,
        })
        assert.equal(
          answer.message,
          'Notarized by Rolling Mill; the certificate names Steel Works SE as its seller.',
        )
      }
    }
  })

  test('has no remark if it names the company itself, whatever its legal form', async () => {
    const certificate = soldBy({ Name: 'ROLLING MILL GmbH' })
    await notarize(open, 'live', certificate)
    const document = blobOf(certificate)
    const answer = await open.server.client().verifyCertificate({ query: { mode: 'live' }, document })
    assert.equal(answer.verdict, 'genuine')
    assert.equal(answer.otherSeller, undefined)
    assert.equal(answer.message, undefined)
  })
})

describe('an operator who allows no other sellers', () => {
  test('refuses them in live mode, naming the field, and accepts them in test mode', async () => {
    const refused = notarize(strict, 'live', soldBy(another))
    await assertRefused(refused, 'seller_differs')
    const { answer } = await refusal(refused)
    assert.equal(answer?.statusCode, 422)
    assert.deepEqual(answer?.details, [
      '/Certificate/CommercialTransaction/A01 names Steel Works SE as its seller; your company is Rolling Mill',
    ])
    assert.equal((await notarize(strict, 'test', soldBy(another))).state, 'notarized')
    // A published version that allows further fields beside the seller.
    const hiding = soldBy(another)
    hiding.RefSchemaUrl = 'https://schemas.s1seven.com/en10168-schemas/v0.4.1/schema.json'
    Object.assign(hiding.Certificate.CommercialTransaction, { Seller: { Name: 'Rolling Mill' } })
    await assertRefused(notarize(strict, 'live', hiding), 'seller_differs')
    const own = soldBy({ Name: 'Rolling Mill' })
    assert.equal((await notarize(strict, 'live', own)).state, 'notarized')
  })
})
