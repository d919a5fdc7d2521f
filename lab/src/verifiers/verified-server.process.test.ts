import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { canonicalJson } from '../../../proof/src/json/canonical.ts'
import type { JsonValue } from '../../../proof/src/json/read.ts'
import { portablePrimitives as primitives } from '../../../proof/src/primitives.ts'
import { readPolicy } from '../../../proof/src/verification/policy.ts'
import { exitCodeOf } from '../../../proof/src/verification/verdict.ts'
import { verifyBundle } from '../../../proof/src/verification/verify-bundle.ts'
import { sampleCertificate } from '../../../server/test/certificates.ts'
import { certificateAsset, makeLedgerSigner } from '../../../server/test/ledger-signer.ts'
import { newOwner, type Owner } from '../../../server/test/machines.ts'
import { endedNotarization, newIdentity } from '../../../server/test/signers.ts'
import { startTestServer, type TestServer } from '../../../server/test/test-server.ts'
import { languages, missing, type Verifier, verifierIn } from './programs.ts'

describe('a running server', () => {
  let server: TestServer
  let mill: Owner
  let pdf: Uint8Array
  let bundle: JsonValue
  let vkey: string
  const certificate = sampleCertificate()
  const at = (name: string): string => join(server.config.dataDir, name)

  before(async () => {
    server = await startTestServer()
    mill = await newOwner(server, 'plate-mill')
    vkey = (await (await fetch(`${server.url}/ledger/test/vkey`)).text()).trim()
    const done = await notarize()
    const answer = await fetch(`${server.url}/api/certificates/proof/${done.hash.value}?mode=test`)
    bundle = (await answer.json()) as JsonValue
    const file = await fetch(`${server.url}/api/certificates/${done.id}/pdf`, {
      headers: { authorization: `Bearer ${mill.admin.accessToken}`, company: mill.company.id },
    })
    pdf = new Uint8Array(await file.arrayBuffer())
    await writeFile(at('certificate.json'), JSON.stringify(certificate, undefined, 2))
    await writeFile(at('certificate.pdf'), pdf)
    await writeFile(at('bundle.json'), JSON.stringify(bundle))
    await writeFile(at('policy.json'), JSON.stringify({ logs: [vkey] }))
  })
  after(() => server[Symbol.asyncDispose]())

  const notarize = async () => {
    const client = server.client(mill.admin.accessToken)
    const company = mill.company.id
    const identity = await newIdentity(client, company)
    const { jobId } = await client.notarizeCertificate({
      company,
      query: { mode: 'test', identity: identity.id },
      document: new Blob([JSON.stringify(certificate)], { type: 'application/json' }),
    })
    const done = await endedNotarization(client, { company, jobId })
    assert.equal(done.state, 'notarized', done.error)
    return done
  }

  const record = async (count: number): Promise<void> => {
    const signer = makeLedgerSigner()
    const answers = await Promise.all(
      Array.from({ length: count }, () =>
        fetch(`${server.url}/ledger/test/api/v1/transactions?mode=commit`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(signer.create(certificateAsset())),
        }),
      ),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [202])
  }

  for (const language of languages) {
    const skip = missing[language]
    let verifier: Verifier
    before(async () => {
      if (skip === false) verifier = await verifierIn(language, server.config.dataDir)
    })

    test(`gives a bundle that ${language} verifies as Millseal does, for JSON and PDF`, {
      skip,
    }, async () => {
      for (const [kind, bytes] of [
        ['json', Buffer.from(canonicalJson(certificate))],
        ['pdf', pdf],
      ] as const) {
        const file = { kind, hash: Buffer.from(primitives.sha256(bytes)).toString('hex') }
        const policy = readPolicy({ logs: [vkey] }, primitives)
        const { verdict, answers } = verifyBundle({ file, bundle, policy, now: new Date() }, primitives)
        assert.deepEqual([verdict, answers.unchanged], ['test', 'yes'])
        const given = ['verify', at(`certificate.${kind}`), '--bundle', at('bundle.json')]
        const { code, output } = await verifier.run([
          ...given,
          '--policy',
          at('policy.json'),
          '--mode',
          'test',
        ])
        const printed = output.split('\n').map((line) => line.split(/ +/).slice(0, 2).join(' '))
        const expected = Object.entries(answers).map(([question, answer]) => `${question} ${answer}`)
        // The policy demands nobody besides the log.
        assert.deepEqual(printed, [verdict, ...expected, 'confirmed unknown', ''])
        assert.equal(
          code,
          exitCodeOf(verdict, { ...answers, isUnconfirmed: false, isStatusOld: false, isTestWanted: true }),
        )
      }
    })

    test(`has a log whose growth ${language} joins to a bundle, beyond the edge of a tile`, {
      skip,
    }, async () => {
      const given = ['--from', at('bundle.json'), '--url', `${server.url}/ledger/test`, '--key', vkey]
      for (const count of [1, 260]) {
        await record(count)
        const { code, output, errors } = await verifier.run(['watch', ...given, '--once'])
        assert.equal(code, 0, output + errors)
        assert.match(output, /entries, consistent with the first/)
      }
    })
  }
})
