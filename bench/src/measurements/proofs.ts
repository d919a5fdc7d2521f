import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  portablePrimitives,
  proveConsistency,
  readPolicy,
  verifyBundle,
  writeLogEntry,
} from '@millseal/proof'
import { nodePrimitives as openssl } from '@millseal/proof/node'
import { createTestLog, ownerOf, record } from '@millseal/proof/testing'
import { createReplay, emptyReplay } from '@millseal/replay'
import { alternate, type Bench, type Cost, costOf, repeat } from '../measuring.ts'

const at = '2026-11-22T05:00:00.000Z'
const program = join(import.meta.dirname, '../../../script/millseal')

const replayed = 1_024

const entriesOf = (count: number): readonly Uint8Array[] =>
  Array.from({ length: count }, (_, number) => {
    const jsonHash = createHash('sha256').update(`heat ${number}`).digest('hex')
    return writeLogEntry({ transaction: record(ownerOf(1), { jsonHash }), time: at })
  })

/** All of the log in batches of 64, as a busy log is followed. */
const replayCost = async (entries: readonly Uint8Array[]): Promise<Cost> => {
  const replay = createReplay(emptyReplay(undefined), {
    primitives: openssl,
    readEntry: async (index) => entries[index] ?? new Uint8Array(),
  })
  const batch = 64
  const before = process.cpuUsage()
  for (let from = 0; from < entries.length; from += batch) await replay.add(entries.slice(from, from + batch))
  const { user, system } = process.cpuUsage(before)
  return { cpuMicroseconds: (user + system) / entries.length }
}

/** What a receiver does: no server, no network. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const json = '{"Heat":"1"}'
  const hash = createHash('sha256').update(json).digest('hex')
  const log = createTestLog('mill.example/ledger/live')
  const bundle = await log.bundle(log.add(record(ownerOf(1), { jsonHash: hash }), at), {}, at)
  const policy = { logs: [log.vkey] }
  const verify = (primitives: typeof openssl) => () =>
    verifyBundle(
      {
        file: { kind: 'json', hash },
        bundle,
        policy: readPolicy(policy, primitives),
        now: new Date(at),
      },
      primitives,
    )
  // Which hashes it reads does not matter.
  const read = (places: readonly unknown[]) => Promise.resolve(places.map(() => new Uint8Array(32)))
  const prove = () => proveConsistency({ oldSize: 1, newSize: 1_000_000 }, { read, hashing: openssl })
  const entries = entriesOf(replayed)
  const { medians } = await alternate({
    replay: () => replayCost(entries),
    openssl: () => costOf(200, verify(openssl)),
    portable: () => costOf(20, verify(portablePrimitives)),
    consistency: () => costOf(200, prove),
  })
  report.cpu('a bundle verified, OpenSSL', medians.openssl, 'ms', { atMost: 10 })
  report.cpu('a bundle verified, in the browser', medians.portable, 'ms')
  report.cpu('an entry replayed by another holder of the log', medians.replay, 'ms', { atMost: 0.4 })
  const note = `${(await prove()).length * 32} bytes`
  report.cpu('consistency of 1 and 1,000,000 entries proven', medians.consistency, 'ms', { atMost: 50, note })
  const files = { certificate: json, bundle: JSON.stringify(bundle), policy: JSON.stringify(policy) }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, `${name}.json`), text)
  const args = ['verify', 'certificate.json', '--bundle', 'bundle.json', '--policy', 'policy.json', '--json']
  const verifyInShell = async (): Promise<void> => {
    const { status } = spawnSync(program, args, { cwd: folder, stdio: 'ignore' })
    // The issuer of this bundle is unknown.
    if (status !== 3) throw new Error(`millseal verify ended with ${status}`)
  }
  await repeat(verifyInShell, { times: 10 })
  const { p50Ms, p99Ms } = await repeat(verifyInShell, { times: 10 })
  report.latency('millseal verify from the shell', { p50Ms, p99Ms }, { p50: 250 })
}
