import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Identity } from '@millseal/contract'
import { verifySeal } from '@millseal/proof'
import {
  acceptCertificate,
  rejectInserts,
  sha256,
  storedCertificate,
} from '../../../../test/certificate-service.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { movableClock } from '../../../../test/movable-clock.ts'
import { publishIdentity } from '../../../../test/offline.ts'
import { signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { makeSeals } from '../../../../test/sealing.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { startSilent } from '../../../../test/silent-server.ts'
import { type StampServer, startStampServer } from '../../../../test/stamp-server.ts'
import type { Seals } from '../../../ports/seals/seals.ts'
import { openClosedRenderer, openMill, type OpenedMill } from '../mill.suite.ts'
import { runClaimed } from './claimed.suite.ts'

let opened: OpenedMill
let identity: Identity
let authority: StampServer
before(async () => {
  opened = await openMill('sealing-mill')
  identity = await newIdentity(opened.server.client(opened.mill.admin.accessToken), opened.mill.company.id)
  authority = await startStampServer('association')
})
after(async () => {
  await authority[Symbol.asyncDispose]()
  await opened[Symbol.asyncDispose]()
})

const clock = movableClock()
const sealsOf = (wanted: Partial<Parameters<typeof makeSeals>[0]> = {}): Seals =>
  makeSeals({ companyId: opened.mill.company.id, clock, authorities: [authority], ...wanted })
const accept = (): Promise<string> =>
  acceptCertificate(opened.deps, {
    companyId: opened.mill.company.id,
    identityId: identity.id,
    certificate: sampleCertificate(),
  })
const run = (id: string, seals: Seals, changes: Partial<OpenedMill['deps']> = {}): Promise<void> =>
  runClaimed({ ...opened.deps, seals, ...changes }, id)
const recordOf = async (hash: string) => {
  const records = await opened.deps.keys.findRecords({ mode: 'test', jsonHash: hash })
  assert.equal(records.length, 1, 'one entry')
  const [{ transaction } = assert.fail()] = records
  return transaction.operation === 'CREATE' ? transaction.asset.data : undefined
}
/** Of a certificate that was notarized. */
const sealedPdf = async (id: string): Promise<Uint8Array> => {
  const { state, error, hash, pdf, pdfHash } = await storedCertificate(opened.deps, id)
  assert.equal(state, 'notarized', error ?? '')
  assert.equal(sha256(pdf ?? ''), pdfHash)
  assert.equal((await recordOf(hash))?.['pdfHash'], pdfHash, 'what is recorded is the sealed file')
  return pdf ?? assert.fail('no PDF')
}

describe('a notarization of a company with a seal', () => {
  test('records the hash of the sealed PDF, and says who sealed it', async () => {
    const id = await accept()
    await run(id, sealsOf())
    const seal = verifySeal(await sealedPdf(id), [authority.authority])
    assert.equal(seal?.signer, 'Stahl und Eisen GmbH')
    assert.deepEqual([seal.level, seal.stamped?.authority], ['B-T', 'association'])
    const client = opened.server.client(opened.mill.admin.accessToken)
    const { company } = opened.mill
    const read = await client.readCertificate({ company: company.id, params: { id } })
    assert.deepEqual(read.seal, {
      signer: 'Stahl und Eisen GmbH',
      issuer: 'Issuer of seals',
      sealedAt: seal.claimedAt.replace('.000Z', 'Z'),
      level: 'B-T',
      stampedBefore: seal.stamped?.before,
      stampedBy: 'association',
    })
  })

  test('never waits for an authority that is away: the seal has no time stamp', async () => {
    authority.setAway(true)
    const lacks: string[] = []
    const seals = sealsOf({ onLack: (why) => lacks.push(why) })
    const [first, second] = [await accept(), await accept()]
    await run(first, seals)
    assert.equal(verifySeal(await sealedPdf(first), [])?.level, 'B-B')
    assert.match(lacks[0] ?? '', /association: status 503/)
    const { asked } = authority
    await run(second, seals)
    assert.equal(authority.asked, asked, 'it rests, and is not asked for every PDF')
    clock.advance({ seconds: 11 })
    authority.setAway(false)
    const third = await accept()
    await run(third, seals)
    assert.equal(verifySeal(await sealedPdf(third), [])?.level, 'B-T')
  })

  test('goes on without a time stamp if an authority accepts the question and never answers', async () => {
    await using silent = await startSilent()
    const silently = { url: silent.url, authority: authority.authority }
    const id = await accept()
    await run(id, sealsOf({ authorities: [silently], waitMs: 100 }))
    assert.equal(verifySeal(await sealedPdf(id), [])?.level, 'B-B')
  })

  test('takes the first of several authorities that answers', async () => {
    await using silent = await startSilent()
    const silently = { url: silent.url, authority: authority.authority }
    const id = await accept()
    await run(id, sealsOf({ authorities: [silently, authority] }))
    assert.equal(verifySeal(await sealedPdf(id), [])?.level, 'B-T')
  })

  test('that was interrupted after it sealed uses the same bytes, and records once', async () => {
    const id = await accept()
    {
      // Using a key writes the audit log: the first run ends between sealing and recording.
      await using _rejecting = await rejectInserts(opened.deps, 'audit_log')
      await assert.rejects(run(id, sealsOf()), /interrupted/)
    }
    const { pdf, pdfHash, seal } = await storedCertificate(opened.deps, id)
    const { asked } = authority
    await run(id, sealsOf(), { pdf: await openClosedRenderer(opened) })
    const done = await storedCertificate(opened.deps, id)
    assert.deepEqual([done.pdf, done.pdfHash, done.seal], [pdf, pdfHash, seal])
    assert.equal(authority.asked, asked, 'nothing was sealed again')
    assert.equal(verifySeal(await sealedPdf(id), [])?.level, 'B-T')
  })

  test('fails with a sentence, and records nothing, if the certificate of the seal has expired', async () => {
    const id = await accept()
    await run(id, sealsOf({ to: '2026-01-01T00:00:00Z' }))
    const { state, error, hash, pdf } = await storedCertificate(opened.deps, id)
    assert.deepEqual([state, pdf], ['failed', null])
    assert.equal(
      error,
      'The certificate of the seal of Stahl und Eisen GmbH expired on 2026-01-01: give the service a new one',
    )
    assert.equal(await opened.deps.keys.findRecord({ mode: 'test', hash }), undefined)
  })

  test('of another company has no seal', async () => {
    const id = await accept()
    await run(id, sealsOf({ companyId: '0199aaaa-0000-7000-8000-000000000000' }))
    assert.equal(verifySeal(await sealedPdf(id), []), undefined)
  })
})

describe('a sealed PDF', () => {
  test('is said to be sealed to anybody with its hash, by whom only if the company is reviewed', async () => {
    const notesOfNew = async (): Promise<string> => {
      const id = await accept()
      await run(id, sealsOf())
      const { hash } = await storedCertificate(opened.deps, id)
      const response = await fetch(`${opened.server.url}/api/certificates/proof/${hash}?mode=test`)
      return `${response.headers.get('x-notes')}: ${response.headers.get('x-notes-text')}`
    }
    const unreviewed = await notesOfNew()
    assert.match(unreviewed, /^sealed_by_somebody: .*The PDF has a seal, which was not checked here/)
    assert.doesNotMatch(unreviewed, /Eisen/)
    await verifyCompany(opened.server, await signUpOperator(opened.server), opened.mill.company.id)
    const client = opened.server.client(opened.mill.admin.accessToken)
    await publishIdentity(client, { company: opened.mill.company.id, identity })
    const reviewed = await notesOfNew()
    assert.match(
      reviewed,
      /The PDF was sealed by Stahl und Eisen GmbH \(certificate of Issuer of seals\) on \d{4}-.*, PAdES B-T\. The seal itself was not checked here/,
    )
  })

  test('that was changed is not the notarized one, in the service too', async () => {
    const id = await accept()
    await run(id, sealsOf())
    const pdf = Buffer.from(await sealedPdf(id))
    const isValid = async (bytes: Buffer<ArrayBuffer>): Promise<boolean> => {
      const document = new File([bytes], 'certificate.pdf', { type: 'application/pdf' })
      return (await opened.server.client().verifyCertificateFile({ query: { mode: 'test' }, document }))
        .isValid
    }
    assert.equal(await isValid(pdf), true)
    // Inside of the hole, which the signature does not cover and the recorded hash does.
    const inHole = Buffer.from(pdf)
    inHole.write('01', pdf.lastIndexOf('00>>>'), 'latin1')
    for (const changed of [inHole, Buffer.concat([pdf, Buffer.from('\n')])])
      assert.equal(await isValid(changed), false)
  })
})
