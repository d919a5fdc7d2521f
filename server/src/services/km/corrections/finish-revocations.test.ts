import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Identity } from '@millseal/contract'
import { canonicalLedgerText } from '@millseal/proof'
import {
  type CertificateProcess,
  openCertificateProcess,
  rejectInserts,
} from '../../../../test/certificate-service.ts'
import { eventually } from '../../../../test/eventually.ts'
import { makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { notarizeSample, publishIdentity } from '../../../../test/offline.ts'
import { signUpOperator } from '../../../../test/people.ts'
import { refusal } from '../../../../test/refusal.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import type { JobKind } from '../../../ports/jobs/jobs.ts'

const upkeep: JobKind<object> = { name: 'km-upkeep', retries: 2, backoffSeconds: 30, expireSeconds: 600 }
const query = { mode: 'test' } as const

let server: TestServer
let process: CertificateProcess
before(async () => {
  server = await startTestServer()
  process = await openCertificateProcess(server)
})
after(async () => {
  await process[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

type Signer = { readonly owner: Owner; readonly identity: Identity }

const newSigner = async (name: string): Promise<Signer> => {
  const owner = await newOwner(server, name)
  return { owner, identity: await newIdentity(server.client(owner.admin.accessToken), owner.company.id) }
}

const publish = ({ owner, identity }: Signer) =>
  publishIdentity(server.client(owner.admin.accessToken), { company: owner.company.id, identity })

const revoke = ({ owner, identity: { id } }: Signer) =>
  server
    .client(owner.admin.accessToken)
    .revokeIdentity({ company: owner.company.id, query, params: { id }, body: { reason: 'Lost' } })

const stored = ({ identity: { id } }: Signer) =>
  process.deps.database.query
    .selectFrom('keyRevocations')
    .selectAll()
    .where('identityId', '=', id)
    .executeTakeFirst()

const change = (
  { identity: { id } }: Signer,
  values: {
    readonly recordedAt: null
    readonly transaction?: string
    readonly transactionId?: string
    readonly createdAt?: Date
  },
) =>
  process.deps.database.query.updateTable('keyRevocations').set(values).where('identityId', '=', id).execute()

const runUpkeep = () => process.deps.database.transaction((tx) => process.deps.jobs.enqueue(tx, upkeep, {}))

describe('a revocation by the operator', () => {
  test('is recorded once if the server fails between signing and storing, and `since` is not given', async () => {
    const operator = await signUpOperator(server)
    const signer = await newSigner('interrupted-mill')
    await publish(signer)
    const { owner, identity } = signer
    const { hash } = await notarizeSample(server.client(owner.admin.accessToken), {
      company: owner.company.id,
      identity,
    })
    const revokeAsOperator = () =>
      server
        .client(operator.accessToken)
        .revokeIdentity({ query, params: { id: identity.id }, body: { reason: 'Reported' } })
    {
      await using _rejected = await rejectInserts(process.deps, 'audit_log')
      await refusal(revokeAsOperator())
    }
    server.clock.advance({ seconds: 5 })
    await revokeAsOperator()
    await change(signer, { recordedAt: null })
    server.clock.advance({ seconds: 5 })
    await revokeAsOperator()
    await eventually(async () => (await stored(signer))?.recordedAt ?? false)
    const { corrections } = await server.client().readProof({ params: { hash: hash.value }, query })
    assert.equal(corrections.length, 1)
  })
})

describe('revocations that the log does not have yet', () => {
  test('are recorded even if the log refuses an older one', async () => {
    const [refused, waiting] = [await newSigner('refused-mill'), await newSigner('waiting-mill')]
    for (const signer of [refused, waiting]) {
      await publish(signer)
      await revoke(signer)
    }
    const unknown = makeLedgerSigner().create({
      type: 'correction',
      action: 'revoke-key',
      did: 'did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH',
      since: '2026-01-01T00:00:00.000Z',
      reason: 'The log does not know this key',
    })
    await change(refused, {
      recordedAt: null,
      transaction: canonicalLedgerText(unknown),
      transactionId: unknown.id,
      createdAt: new Date(0),
    })
    await change(waiting, { recordedAt: null })
    await runUpkeep()
    await eventually(async () => (await stored(waiting))?.recordedAt ?? false)
    assert.equal((await stored(refused))?.recordedAt, null)
  })

  test('are kept for a day if the log does not know the key, because it can be about to', async () => {
    const unused = await newSigner('unused-mill')
    await revoke(unused)
    assert.equal((await stored(unused))?.recordedAt, null)
    server.clock.advance({ days: 2 })
    await runUpkeep()
    await eventually(async () => (await stored(unused)) === undefined)
  })
})
