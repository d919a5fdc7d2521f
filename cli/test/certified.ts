import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson, type JsonValue } from '@millseal/proof'
import { createTestLog, didOfOwner, ownerOf, record } from '@millseal/proof/testing'
import { millseal, temporaryFolder } from './millseal.ts'

export const at = (minute: number) => `2026-11-22T05:${String(minute).padStart(2, '0')}:00.000Z`
export const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')

export const certificate = { Heat: 'H-1', Value: 545 }
const pdf = '%PDF-1.7 of the certificate'
export const mill = ownerOf(1)
export const thief = ownerOf(2)
export const did = didOfOwner(mill)

export type Log = ReturnType<typeof createTestLog>
type Transaction = ReturnType<typeof record>
export type Opened = {
  readonly log: Log
  readonly transaction: Transaction
  readonly named: { identity: Transaction; review: Transaction }
}

/** A log with a published and reviewed mill, and its certificate. */
export const openLog = (mode: 'live' | 'test', pdfHash = sha256(pdf)): Opened => {
  const log = createTestLog(`mill.example/ledger/${mode}`)
  const who = { did, company: 'Rolling Mill', vatId: 'DE123456789' }
  const identity = log.add(record(mill, { type: 'identity', publicKey: mill.publicKey, ...who }), at(1))
  const review = log.add(
    record(log.operator, { type: 'review', ...who, reviewedAt: at(2), evidence: sha256('evidence') }),
    at(2),
  )
  const hashes = { jsonHash: sha256(canonicalJson(certificate)), pdfHash }
  return { log, transaction: log.add(record(mill, hashes), at(10)), named: { identity, review } }
}

/** Records a correction by the mill. */
export const correct = ({ log }: Opened, members: Readonly<Record<string, string>>): Transaction =>
  log.add(record(mill, { type: 'correction', reason: 'Wrong heat number', ...members }), at(20))

export const bundleOf = (opened: Opened): Promise<JsonValue> =>
  opened.log.bundle(opened.transaction, opened.named, at(50))

/** What `millseal verify --json` prints. */
export type Answer = {
  readonly verdict: string
  readonly answers: Readonly<Record<string, string>>
  readonly checks: readonly { readonly name: string; readonly outcome: string; readonly says: string }[]
  readonly facts?: {
    readonly issuer: { readonly answer: string }
    readonly status: { readonly corrections: unknown[] }
    readonly confirmation: object
  }
  readonly refusal?: string
  readonly since?: { readonly known: string; readonly served: string }
}

type Ran = { readonly status: number | null; readonly text: string; readonly report: Answer }

/** A folder with a certificate, and the command on it with a bundle and a policy. */
export const verifying = async () => {
  const folder = await temporaryFolder()
  const path = (name: string): string => join(folder.path, name)
  const write = async (name: string, json: JsonValue | string): Promise<string> => {
    await writeFile(path(name), typeof json === 'string' ? json : JSON.stringify(json))
    return path(name)
  }
  await write('c.json', certificate)
  await write('c.pdf', pdf)
  await write('forged.json', { ...certificate, Value: 645 })
  return {
    path,
    write,
    /** Without a network, unless a server is among the arguments. */
    async verify(
      { bundle, policy }: { readonly bundle: JsonValue; readonly policy: JsonValue },
      ...args: readonly string[]
    ): Promise<Ran> {
      const [bundleFile, policyFile] = [
        await write('bundle.json', bundle),
        await write('policy.json', policy),
      ]
      const [file = path('c.json'), ...more] = args
      const now = more.includes('--now') ? [] : ['--now', at(55)]
      const all = ['verify', file, '--bundle', bundleFile, '--policy', policyFile, ...now, ...more]
      const offline = !more.includes('--server')
      const plain = await millseal(all, { offline })
      const { status, stdout } = await millseal([...all, '--json'], { offline })
      assert.equal(status, plain.status)
      return { status, text: plain.stdout, report: JSON.parse(stdout) as Answer }
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}
