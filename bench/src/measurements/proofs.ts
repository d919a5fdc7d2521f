import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { portablePrimitives, proveConsistency, readPolicy, verifyBundle } from '@millseal/proof'
import { nodePrimitives as openssl } from '@millseal/proof/node'
import { createTestLog, ownerOf, record } from '@millseal/proof/testing'
import { alternate, costOf, repeat } from '../rounds.ts'
import type { Bench } from '../row.ts'

const at = '2026-11-22T05:00:00.000Z'
const program = join(import.meta.dirname, '../../../script/millseal')

/** What a receiver does: no server, no network. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const json = '{"Heat":"1"}'
  const hash = createHash('sha256').update(json).digest('hex')
  const log = createTestLog('mill.example/ledger/live')
  const bundle = await log.bundle(log.add(record(ownerOf(1), { jsonHash: hash }), at), {}, at)
  const question = { file: { kind: 'json', hash } as const, bundle, policy: { logs: [log.vkey] } }
  const verify = (primitives: typeof openssl) => () =>
    verifyBundle({ ...question, policy: readPolicy(question.policy, primitives) }, primitives)
  // All leaves are the same, so a subtree has one hash for each height.
  const hashes = [new Uint8Array(32)]
  const read = (places: readonly { readonly level: number }[]) =>
    Promise.resolve(places.map(({ level }) => hashes[level % hashes.length] ?? new Uint8Array(32)))
  const growth = { oldSize: 1, newSize: 1_000_000 }
  const prove = () => proveConsistency(growth, { read, hashing: openssl })
  const { medians } = await alternate({
    openssl: () => costOf(200, verify(openssl)),
    portable: () => costOf(20, verify(portablePrimitives)),
    consistency: () => costOf(200, prove),
  })
  report.cpu('a bundle verified, OpenSSL', medians.openssl, 'ms', { goal: { atMost: 10 } })
  report.cpu('a bundle verified, in the browser', medians.portable, 'ms')
  const note = `${(await prove()).length * 32} bytes`
  report.cpu('consistency of 1 and 1,000,000 entries proven', medians.consistency, 'ms', {
    goal: { atMost: 50 },
    note,
  })
  const files = { certificate: json, bundle: JSON.stringify(bundle), policy: JSON.stringify(question.policy) }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, `${name}.json`), text)
  const args = ['verify', 'certificate.json', '--bundle', 'bundle.json', '--policy', 'policy.json', '--json']
  const run = () => repeat(async () => exitOf(program, args, folder), { times: 10 })
  await run()
  report.latency('millseal verify from the shell', await run(), { p50: 250 })
}

/** The issuer of this bundle is unknown: exit code 3. */
const exitOf = (path: string, args: readonly string[], cwd: string): void => {
  try {
    execFileSync(path, args, { cwd, stdio: 'ignore' })
  } catch (error) {
    if (!(error instanceof Error && 'status' in error && error.status === 3)) throw error
  }
}
