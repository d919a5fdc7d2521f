import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { because } from '@millseal/contract/reasons'
import type { Identity, Mode, ProofBundle } from '@millseal/contract'
import { signerOf, type SignedTransaction } from '@millseal/proof'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { newLiveOwner, newOwner, type Owner } from '../../../../test/machines.ts'
import { notarizeSample, openVerifier, publishIdentity } from '../../../../test/offline.ts'
import { type Person, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'
import { endedNotarization, newIdentity } from '../../../../test/signers.ts'
import { makeTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { addressOf, startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { backUp } from '../../../compose/backup.ts'
import { restore } from '../../../compose/restore.ts'

type Company = { readonly owner: Owner; readonly identity: Identity }

let server: TestServer
let operator: Person
/** Whom the certificates name as their seller. */
let seller: Company
/** Who records them first. */
let thief: Company
before(async () => {
  server = await startOwnServer()
  operator = await signUpOperator(server)
  seller = await openCompany('own-seller')
  thief = await openCompany('own-thief')
})
after(() => server[Symbol.asyncDispose]())

const openCompany = async (username: string, { isVerified = true } = {}): Promise<Company> => {
  const owner = await newOwner(server, username)
  if (isVerified) await verifyCompany(server, operator, owner.company.id)
  const client = server.client(owner.admin.accessToken)
  const identity = await newIdentity(client, owner.company.id)
  await publishIdentity(client, { company: owner.company.id, identity })
  return { owner, identity }
}

const clientOf = ({ owner }: Company) => server.client(owner.admin.accessToken)
const blobOf = (text: string) => new Blob([text], { type: 'application/json' })

/** A certificate that names this VAT id as that of its seller. */
const soldBy = (vatId: string | null = seller.owner.company.vatId) => {
  const certificate = sampleCertificate()
  Object.assign(certificate.Certificate.CommercialTransaction.A01, vatId === null ? {} : { VAT_Id: vatId })
  return certificate
}

type Asked = { readonly text: string; readonly own?: boolean; readonly key?: string; readonly mode?: Mode }

const notarize = (by: Company, { text, own, key, mode = 'test' }: Asked) =>
  clientOf(by).notarizeCertificate({
    company: by.owner.company.id,
    query: { mode, identity: by.identity.id, own },
    document: blobOf(text),
    idempotencyKey: key,
  })

/** Recorded by somebody else first. */
const preempted = async (certificate: object = soldBy()) => {
  const { owner, identity } = thief
  return notarizeSample(clientOf(thief), { company: owner.company.id, identity, certificate })
}

const recordOwn = async (by: Company, text: string) => {
  const { jobId } = await notarize(by, { text, own: true })
  return endedNotarization(clientOf(by), { company: by.owner.company.id, jobId })
}

const verify = (document: Blob) => server.client().verifyCertificate({ query: { mode: 'test' }, document })
const proofOf = async (hash: string, issuer?: string): Promise<ProofBundle> =>
  server.client().readProof({ params: { hash }, query: { mode: 'test', issuer } })
const signerIn = ({ entry }: ProofBundle) => signerOf(entry.transaction as unknown as SignedTransaction)

describe('notarizing what another company has recorded', () => {
  test('answers its transaction as before, and whose it is', async () => {
    const first = await preempted()
    const answer = await notarize(seller, { text: first.text })
    assert.equal(answer.isNewInstance, false)
    assert.equal(answer.transactionId, first.transactionId)
    assert.deepEqual(answer.issuer, {
      name: thief.owner.company.name,
      did: thief.identity.did,
      time: first.timestamp,
    })
  })

  test('records an own entry for the seller whom it names, which verifies and names the other', async () => {
    const first = await preempted()
    const own = await recordOwn(seller, first.text)
    assert.equal(own.state, 'notarized')
    assert.notEqual(own.transactionId, first.transactionId)
    const company = seller.owner.company.id
    const pdf = await clientOf(seller).readCertificatePdf({ company, params: { id: own.id } })
    for (const document of [blobOf(first.text), new Blob([pdf], { type: 'application/pdf' })]) {
      const answer = await verify(document)
      assert.equal(answer.transactionId, own.transactionId)
      assert.equal(answer.issuer?.did, seller.identity.did)
      const time = `${first.timestamp?.slice(0, 16).replace('T', ' ')} UTC`
      assert.deepEqual(answer.notes, [because('also_recorded_by', { name: 'Rolling Mill', time })])
      assert.equal(answer.message, `Rolling Mill recorded the same certificate as well, on ${time}.`)
    }
    const life = await clientOf(seller).readCertificateLife({ company, params: { id: own.id } })
    assert.ok(life.recorded?.entry, 'the life of the own certificate has its own entry')
  })

  test('gives the proof of either entry, and that of the seller without a choice', async () => {
    const first = await preempted()
    const own = await recordOwn(seller, first.text)
    const hash = own.hash.value
    const verifyOffline = await openVerifier(server)
    const wanted = [
      [undefined, seller],
      [seller.identity.did, seller],
      [thief.identity.did, thief],
    ] as const
    for (const [issuer, { identity }] of wanted) {
      const bundle = await proofOf(hash, issuer)
      assert.equal(signerIn(bundle), identity.did)
      assert.equal(verifyOffline({ kind: 'json', hash }, bundle).answers.unchanged, 'yes')
    }
    const { identity: nobody } = await openCompany('own-nobody')
    await assertRefused(proofOf(hash, nobody.did), 'not_found')
  })

  test('has one own entry, however often and however much at once it is asked for', async () => {
    const { text } = await preempted()
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        notarize(seller, { text, own: true, key: at < 2 ? 'own-entry-only-once' : undefined }),
      ),
    )
    const [one] = answers
    const company = seller.owner.company.id
    const ended = await endedNotarization(clientOf(seller), { company, jobId: one?.jobId })
    // On a slow machine the last of them finds it recorded.
    for (const { jobId, transactionId } of answers)
      assert.ok(jobId === one?.jobId || transactionId === ended.transactionId)
    for (const own of [true, undefined])
      assert.equal((await notarize(seller, { text, own })).isNewInstance, false)
    const again = await notarize(seller, { text, own: true })
    assert.equal(again.transactionId, ended.transactionId)
    assert.equal(again.issuer?.did, seller.identity.did)
    assert.deepEqual(await notarize(seller, { text, own: true, key: 'own-entry-only-once' }), one)
    const listed = await clientOf(seller).listCertificates({
      company,
      query: { mode: 'test', hash: ended.hash.value },
    })
    assert.deepEqual(
      listed.map(({ id }) => id),
      [ended.id],
    )
  })

  test('still gives the first entry to everybody else', async () => {
    const first = await preempted()
    await recordOwn(seller, first.text)
    const stranger = await openCompany('own-stranger')
    assert.equal((await notarize(stranger, { text: first.text })).transactionId, first.transactionId)
    assert.equal((await notarize(thief, { text: first.text })).transactionId, first.transactionId)
  })

  test('with own=true is the usual entry where nobody was first', async () => {
    const text = JSON.stringify(soldBy())
    const own = await recordOwn(seller, text)
    assert.equal((await notarize(thief, { text })).transactionId, own.transactionId)
    const answer = await verify(blobOf(text))
    assert.deepEqual([answer.transactionId, answer.notes], [own.transactionId, undefined])
  })
})

describe('an own entry is refused, naming the reason,', () => {
  const assertNot = async (by: Company, text: string, reason: RegExp): Promise<void> => {
    const refused = notarize(by, { text, own: true })
    await assertRefused(refused, 'not_the_seller')
    const { answer } = await refusal(refused)
    assert.equal(answer?.statusCode, 422)
    assert.match(answer?.details?.join() ?? '', reason)
  }

  test('to a company that the certificate does not name', async () => {
    const { text } = await preempted()
    const stranger = await openCompany('own-other')
    await assertNot(stranger, text, /^\/own needs your VAT id \S+ in the certificate/)
    const unnamed = await preempted(soldBy(null))
    await assertNot(seller, unnamed.text, /^\/own needs a certificate that names its seller with a VAT id/)
    const short = await preempted(soldBy(seller.owner.company.vatId.slice(2)))
    await assertNot(seller, short.text, /with the letters of the country/)
  })

  test('to a company whose VAT id nobody has reviewed', async () => {
    const unverified = await openCompany('own-unverified', { isVerified: false })
    const { text } = await preempted(soldBy(unverified.owner.company.vatId))
    await assertNot(unverified, text, /^\/own needs a verified company/)
  })

  test('beside a company that the certificate names as well', async () => {
    const path = '../../../../../families/src/families/e-coc/sample.json'
    const certificate = JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8'))
    const [maker, ...others] = certificate.EcocData.Data.Parties
    const named = (PartyRole: string, vatId: string) => ({
      ...maker,
      PartyRole,
      PartyIdentifier: [{ NameOfIdentifier: 'VATID', ValueOfIdentifier: vatId }],
    })
    certificate.EcocData.Data.Parties = [
      named('Manufacturer', thief.owner.company.vatId),
      ...others,
      { ...named('Supplier', seller.owner.company.vatId), PartyNo: 3 },
    ]
    const { text } = await preempted(certificate)
    await assertNot(seller, text, /^\/own is not possible, because the certificate also names the company/)
  })
})

describe('in live mode', () => {
  test('the seller records its entry, too, and only by a notarization', async () => {
    const [rightful, first] = [
      await newLiveOwner(server, 'own-live'),
      await newLiveOwner(server, 'own-early'),
    ]
    const identities = new Map<Owner, Identity>()
    for (const { owner, client } of [rightful, first].map(withClient)) {
      const company = owner.company.id
      const identity = await newIdentity(client, company, 'live')
      identities.set(owner, identity)
      await publishIdentity(client, { company, identity, mode: 'live' })
    }
    const certificate = soldBy(rightful.company.vatId)
    const record = async (owner: Owner, own?: boolean) => {
      const { client } = withClient(owner)
      const company = owner.company.id
      const { jobId } = await client.notarizeCertificate({
        company,
        query: { mode: 'live', identity: identities.get(owner)?.id ?? '', own },
        document: blobOf(JSON.stringify(certificate)),
      })
      return endedNotarization(client, { company, jobId })
    }
    const earlier = await record(first)
    const own = await record(rightful, true)
    const answer = await server
      .client()
      .verifyCertificate({ query: { mode: 'live' }, document: blobOf(JSON.stringify(certificate)) })
    assert.deepEqual([answer.verdict, answer.transactionId], ['genuine', own.transactionId])
    assert.notEqual(earlier.transactionId, own.transactionId)
    assert.equal(answer.otherSeller, undefined)
  })
})

const withClient = (owner: Owner) => ({ owner, client: server.client(owner.admin.accessToken) })

describe('in test mode, where anybody can record', () => {
  test('an entry beside another one that no notarization recorded does not answer', async () => {
    const first = await preempted()
    const beside = first.transactionId ?? assert.fail('not recorded')
    const sent = await fetch(`${server.url}/ledger/test/api/v1/transactions`, {
      method: 'POST',
      body: JSON.stringify(makeLedgerSigner().create({ jsonHash: first.hash.value, beside })),
    })
    assert.equal(sent.status, 202)
    const answer = await verify(blobOf(first.text))
    assert.equal(answer.transactionId, beside)
    assert.deepEqual(
      answer.notes?.map(({ code }) => code),
      ['also_recorded_by'],
    )
  })
})

test('an own entry comes with a backup, and with a restore of it', async () => {
  const { text } = await preempted()
  await recordOwn(seller, text)
  await using folder = await makeTemporaryFolder()
  await using database = await openTestDatabase({ migrated: false })
  const name = join(folder.path, 'backup')
  await backUp(server.config, { name, includeKeys: false })
  const empty = { databaseUrl: addressOf(database), dataDir: join(folder.path, 'restored') }
  assert.deepEqual((await restore({ ...server.config, ...empty }, { name })).problems, [])
})
