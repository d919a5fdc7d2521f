import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Certificate, Identity, Readiness } from '@millseal/contract'
import { readAuthority, verifySeal } from '@millseal/proof'
import { sampleCertificate } from '../../test/certificates.ts'
import { sha256 } from '../../test/certificate-service.ts'
import { openTestDatabase } from '../../test/database.ts'
import { eventually } from '../../test/eventually.ts'
import { newOwner, type Owner } from '../../test/machines.ts'
import { password } from '../../test/people.ts'
import { type OpensslAuthority, startOpensslAuthority } from '../../test/openssl-authority.ts'
import { makeSealFiles, type SealFiles } from '../../test/seal-files.ts'
import { judgeByDss, judgeByOpenssl, judgeByPdfsig, lacksDss, lacksPdfsig } from '../../test/seal-judges.ts'
import { endedNotarization, newIdentity } from '../../test/signers.ts'
import { lacksSoftToken, openSoftToken, type SoftToken } from '../../test/soft-token.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'
import { addressOf, startOwnServer, type TestServer } from '../../test/test-server.ts'

const noToken = await lacksSoftToken()
const noPdfsig = await lacksPdfsig()
const noDss = await lacksDss()

describe('a service that seals the PDFs of a company', () => {
  const opened = new AsyncDisposableStack()
  let server: TestServer
  let mill: Owner
  let accessToken: string
  let identity: Identity
  let files: SealFiles
  let authority: OpensslAuthority
  let folder: string
  let token: SoftToken | undefined
  /** One sample for all judges. */
  let pdf: Buffer
  let notarized: Certificate
  before(async () => {
    folder = opened.use(await makeTemporaryFolder()).path
    files = opened.use(await makeSealFiles('ECDSA'))
    authority = opened.use(await startOpensslAuthority('ECDSA'))
    token = noToken === false ? opened.use(await openSoftToken()) : undefined
    token?.importKey(files.key, 'mill-seal')
    const databaseUrl = addressOf(opened.use(await openTestDatabase()))
    {
      await using plain = await startOwnServer({ databaseUrl })
      mill = await newOwner(plain, 'sealed-mill')
      identity = await newIdentity(plain.client(mill.admin.accessToken), mill.company.id)
    }
    const key = token === undefined ? files.key : 'pkcs11:mill-seal'
    await writeFile(join(folder, 'seals'), `seal ${mill.company.id} test ${key} ${files.chain}\n`)
    await writeFile(join(folder, 'stamps'), `authority association ${authority.url} ${authority.root}\n`)
    const { module = '', pin = '', token: label = '' } = token?.settings ?? {}
    const inToken = {
      MILLSEAL_PKCS11_MODULE: module,
      MILLSEAL_PKCS11_PIN: pin,
      MILLSEAL_PKCS11_TOKEN: label,
    }
    server = opened.use(
      await startOwnServer({
        databaseUrl,
        environment: {
          MILLSEAL_SEALS: join(folder, 'seals'),
          MILLSEAL_STAMPS: join(folder, 'stamps'),
          ...(token === undefined ? {} : inToken),
        },
      }),
    )
    // The token of the first server names another address.
    const { username } = mill.admin
    ;({ accessToken } = await server.client().login({ body: { username, password } }))
    notarized = await notarize()
    pdf = await pdfOf(notarized)
    await writeFile(join(folder, 'sealed.pdf'), pdf)
  })
  after(() => opened.disposeAsync())

  const client = () => server.client(accessToken)
  const notarize = async (): Promise<Certificate> => {
    const company = mill.company.id
    const document = new File([JSON.stringify(sampleCertificate())], 'a.json', { type: 'application/json' })
    const query = { mode: 'test', identity: identity.id } as const
    const { jobId } = await client().notarizeCertificateFile({ company, query, document })
    return endedNotarization(client(), { company, jobId })
  }
  const pdfOf = async ({ id }: Certificate): Promise<Buffer> => {
    const answer = await client().readCertificatePdf({ company: mill.company.id, params: { id } })
    return Buffer.from(await answer.arrayBuffer())
  }

  test('with the key in a token or a file and the time stamp of OpenSSL, and records the sealed file', async (t) => {
    t.diagnostic(token === undefined ? `key in a file: ${noToken}` : 'key in a token')
    assert.equal(notarized.state, 'notarized', notarized.error)
    const { signer, issuer, level, stampedBy } = notarized.seal ?? assert.fail('no seal')
    assert.deepEqual(
      [signer, issuer, level, stampedBy],
      ['Stahl und Eisen GmbH, Quality', 'Test Trust, Root of seals', 'B-T', 'association'],
    )
    assert.equal(notarized.pdfHash?.value, sha256(pdf))
    const root = new X509Certificate(await readFile(authority.root)).raw
    const seal = verifySeal(pdf, [readAuthority('association', Uint8Array.from(root))])
    assert.equal(seal?.stamped?.before, notarized.seal?.stampedBefore)
    assert.equal(server.config.sealStampBytes, 4_096)
  })

  test('so that Poppler finds the signature valid, and not after a byte has changed', {
    skip: noPdfsig,
  }, async () => {
    const said = await judgeByPdfsig(join(folder, 'sealed.pdf'))
    assert.match(said, /Signature Validation: Signature is Valid\./)
    assert.match(said, /Signature Type: ETSI\.CAdES\.detached/)
    assert.match(said, /Total document signed/)
    const changed = Buffer.from(pdf)
    changed[30] = (changed[30] ?? 0) ^ 1
    await writeFile(join(folder, 'changed.pdf'), changed)
    assert.match(await judgeByPdfsig(join(folder, 'changed.pdf')), /Digest Mismatch/)
  })

  test('so that OpenSSL verifies the signature with the root, and not after a byte has changed', async () => {
    assert.equal(await judgeByOpenssl(pdf, files.root), true)
    assert.equal(await judgeByOpenssl(pdf, authority.root), false)
    const changed = Buffer.from(pdf)
    changed[30] = (changed[30] ?? 0) ^ 1
    assert.equal(await judgeByOpenssl(changed, files.root), false)
  })

  test('so that EU DSS says TOTAL_PASSED and PAdES-BASELINE-T, and TOTAL_FAILED after a change', {
    skip: noDss,
  }, async () => {
    const changed = Buffer.from(pdf)
    changed[30] = (changed[30] ?? 0) ^ 1
    await writeFile(join(folder, 'changed.pdf'), changed)
    const trusted = [files.root, authority.root, join(dirname(authority.root), 'signer.pem')]
    assert.deepEqual(
      await judgeByDss(
        ['sealed.pdf', 'changed.pdf'].map((name) => join(folder, name)),
        { trusted, revoked: files.revoked },
      ),
      [
        'TOTAL_PASSED null PAdES-BASELINE-T Quality 1',
        'TOTAL_FAILED HASH_FAILURE PAdES-BASELINE-T Quality 1',
      ],
    )
  })

  test('without a time stamp while the authority is gone', async () => {
    await authority[Symbol.asyncDispose]()
    const { state, seal } = await notarize()
    assert.deepEqual([state, seal?.level, seal?.stampedBy], ['notarized', 'B-B', undefined])
    assert.ok(server.log.some((line) => line.includes('a PDF is sealed without a time stamp')))
  })

  test('and says when the certificate of the seal expires: in readiness and metrics', async () => {
    const stateOf = async () => {
      const ready = (await (await fetch(`${server.url}/api/ready`)).json()) as Readiness
      return ready.dependencies.find(({ name }) => name === 'seals')
    }
    assert.equal((await stateOf())?.status, 'up')
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    assert.match(metrics, /^millseal_seals_total\{level="B-T"\} 1$/m)
    assert.match(
      metrics,
      new RegExp(`^millseal_seal_expires_seconds\\{company="${mill.company.id}",mode="test"\\} 3\\d{7}`, 'm'),
    )
    server.clock.advance({ days: 340 })
    const state = await eventually(
      async () => {
        server.clock.advance({ seconds: 3 })
        const found = await stateOf()
        return found?.status === 'degraded' && found
      },
      { what: 'the expiry is seen' },
    )
    assert.match(
      state.error ?? '',
      /the certificate of Stahl und Eisen GmbH, Quality expires on \d{4}-\d\d-\d\d/,
    )
  })
})
