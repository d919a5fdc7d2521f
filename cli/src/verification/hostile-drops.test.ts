import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { JsonValue } from '@millseal/proof'
import { attacker, honestMill, hostileDrops, pdfWith, sha256Of } from '@millseal/proof/testing'
import { readCertificateFile } from './read-file.ts'
import { readTrust } from './read-trust.ts'
import { verifyFile } from './verify-file.ts'

const genuine = await honestMill()
const drops = await hostileDrops(genuine)
const parsed = (bytes: Uint8Array): JsonValue => JSON.parse(new TextDecoder().decode(bytes)) as JsonValue
const policy = readTrust(parsed(genuine.policy))
const folder = await mkdtemp(join(tmpdir(), 'hostile-drops-'))
after(() => rm(folder, { recursive: true, force: true }))

const saved = async (name: string, bytes: Uint8Array): Promise<string> => {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
  return path
}

/** The command verifies a file with a bundle of the sender, before it prints. */
const verified = async (path: string, bundle: JsonValue | undefined) =>
  verifyFile({
    file: await readCertificateFile(path),
    policy,
    reading: { now: new Date('2026-11-22T06:00:00.000Z') },
    findBundle: async () => bundle,
  })

describe('hostile files given to the command', () => {
  for (const { says, files, two } of drops)
    test(`are never taken for genuine ones: ${says}`, async () => {
      const sent = files['bundle.json']
      for (const [name, bytes] of Object.entries(files)) {
        const path = await saved(name, bytes)
        if (two !== undefined) {
          await assert.rejects(verified(path, undefined), new RegExp(`${two.join(' and ')} at once: do not`))
          continue
        }
        const found = await verified(path, sent && parsed(sent)).catch((error: unknown) => error)
        if (found instanceof Error) assert.match(found.message, /not a certificate|is a zip|The policy: /)
        else {
          const { verdict, facts, embedded } = found as Awaited<ReturnType<typeof verified>>
          assert.ok(['altered', 'notFound', 'unchecked'].includes(verdict), `${name}: ${verdict}`)
          assert.notEqual(facts?.issuer.name, attacker)
          assert.notEqual(embedded?.facts?.issuer.name, attacker)
        }
      }
    })

  test('a policy in a PDF is found and ignored, with whom it would trust', async () => {
    const path = await saved('policy.pdf', pdfWith(genuine.policy))
    const { verdict, remark } = await verified(path, undefined)
    assert.equal(verdict, 'notFound')
    assert.match(remark ?? '', /^Ignored: a trust policy is inside the PDF\. It would trust mill\.example/)
    await assert.rejects(
      verified(await saved('policy.json', genuine.policy), undefined),
      /is a trust policy, not a certificate\. It would trust mill\.example\/ledger\/live\. To use it, pass it/,
    )
  })

  test('change nothing for the genuine one', async () => {
    const path = await saved('genuine.json', genuine.json)
    assert.equal((await verified(path, parsed(genuine.bundle))).verdict, 'genuine')
    assert.equal((await readCertificateFile(path)).hash.hash, sha256Of(genuine.json))
  })
})
