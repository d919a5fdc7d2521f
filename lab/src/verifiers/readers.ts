import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type * as proofOfNode from '../../../proof/node/primitives.ts'
import { type CorpusCase, readingOf } from '../../../proof/src/vectors/cases.fixture.ts'
import type * as proof from '../../../proof/src/verifier.ts'
import type * as commands from '../../../cli/src/index.ts'

/** Answers one question of the corpus. `root` is a copy of the repository, so that a test can plant a fault in it. */
export type Reader = (one: CorpusCase) => Promise<string> | string

const bytesOf = (base64: string): Uint8Array => Buffer.from(base64, 'base64')

const bundleBytes = (one: CorpusCase): Uint8Array =>
  'bundleBytes' in one ? bytesOf(one.bundleBytes) : Buffer.from(JSON.stringify(one.bundle))

const policyBytes = (one: CorpusCase): Uint8Array =>
  'policyBytes' in one ? bytesOf(one.policyBytes) : Buffer.from(JSON.stringify(one.policy))

/** Command and page read files, so they answer only the questions that have one. */
export const hasFile = ({ file }: CorpusCase): boolean => 'bytes' in file

const fileBytes = ({ file }: CorpusCase): Uint8Array =>
  'bytes' in file ? bytesOf(file.bytes) : new Uint8Array()

const certificate = 'certificate.json'

/** Command and page decide this where they read files. */
const isCertificate = (json: unknown): boolean =>
  typeof json === 'object' &&
  json !== null &&
  !Array.isArray(json) &&
  !['formatVersion', 'logs', 'policyVersion'].some((name) => name in json)

/** The pure reader that command and page share. */
export const pureReader = async (root: string): Promise<Reader> => {
  const {
    verifyBundle,
    readPolicy,
    readJson,
    JsonError,
    looksLikePdf,
    canonicalJson,
    deepestBundle,
    parsePolicyFile,
    PolicyUnreadable,
  } = (await import(join(root, 'proof/src/verifier.ts'))) as typeof proof
  const { nodePrimitives } = (await import(join(root, 'proof/node/primitives.ts'))) as typeof proofOfNode
  const hex = (bytes: Uint8Array): string => Buffer.from(nodePrimitives.sha256(bytes)).toString('hex')
  const unless = <T>(verdict: string, work: () => T): T | string => {
    try {
      return work()
    } catch (error) {
      if (error instanceof JsonError || error instanceof PolicyUnreadable) return verdict
      throw error
    }
  }
  const hashOf = (one: CorpusCase) => {
    if (!('bytes' in one.file)) return one.file
    const bytes = fileBytes(one)
    if (looksLikePdf(bytes)) return { kind: 'pdf', hash: hex(bytes) } as const
    const json = readJson(bytes, { maxDepth: 64 })
    if (!isCertificate(json)) return undefined
    return { kind: 'json', hash: hex(Buffer.from(canonicalJson(json))) } as const
  }
  return (one) =>
    unless('unreadable', () => {
      const file = hashOf(one)
      if (file === undefined) return 'unreadable'
      const policy = readPolicy(parsePolicyFile(policyBytes(one)), nodePrimitives)
      return unless('unchecked', () => {
        const bundle = readJson(bundleBytes(one), { maxDepth: deepestBundle })
        return verifyBundle({ file, bundle, policy, ...readingOf(one) }, nodePrimitives).verdict
      })
    })
}

/** The command, called again and again in this process, with files. */
export const commandReader = async (root: string, folder: string): Promise<Reader> => {
  const { millseal } = (await import(join(root, 'cli/src/index.ts'))) as typeof commands
  await mkdir(folder, { recursive: true })
  const [file, bundle, policy] = [
    join(folder, certificate),
    join(folder, 'bundle.json'),
    join(folder, 'policy.json'),
  ] as const
  return async (one) => {
    await writeFile(file, fileBytes(one))
    await writeFile(bundle, bundleBytes(one))
    await writeFile(policy, policyBytes(one))
    const { now, maxStatusAgeDays } = readingOf(one)
    const age = maxStatusAgeDays === undefined ? [] : ['--max-status-age', `${maxStatusAgeDays}`]
    const when = ['--now', now.toISOString(), ...age]
    const said = await spoken(() =>
      millseal(['verify', file, '--bundle', bundle, '--policy', policy, '--json', ...when], {
        NO_COLOR: '1',
      }),
    )
    return verdictIn(said)
  }
}

/** What a command prints to standard output. */
const spoken = async (work: () => Promise<unknown>): Promise<string> => {
  const { stdout, stderr } = process
  const [write, complain, said] = [stdout.write.bind(stdout), stderr.write.bind(stderr), [] as string[]]
  stdout.write = (text) => said.push(String(text)) > 0
  stderr.write = () => true
  try {
    await work()
  } finally {
    stdout.write = write
    stderr.write = complain
  }
  return said.join('')
}

const verdictIn = (output: string): string => {
  const { verdict, checks } = JSON.parse(output) as {
    readonly verdict: string
    readonly checks: readonly { readonly says: string }[]
  }
  return verdict === 'unchecked' &&
    /neither a PDF nor JSON|not a certificate|^The policy/.test(checks[0]?.says ?? '')
    ? 'unreadable'
    : verdict
}

/** What the page does with dropped files, and a policy that its reader chose. */
export const pageReader = async (root: string): Promise<Reader> => {
  const { createChecker } = (await import(join(root, 'console/src/verify/checker.ts'))) as {
    createChecker(): {
      use(policy: unknown): void
      read(files: readonly object[], progress: () => void): Promise<void>
      check(
        trust: object,
        progress: () => void,
      ): Promise<
        readonly {
          readonly name: string
          readonly outcome: { readonly report?: { readonly verdict: string } }
        }[]
      >
    }
  }
  const { policyOf } = (await import(join(root, 'console/src/verify/read-file.ts'))) as {
    readonly policyOf: (file: object) => Promise<unknown>
  }
  const named = (name: string, content: Uint8Array) => ({ name, bytes: async () => content })
  const own = () => ({ logs: [], issuers: [], onlyKnownIssuers: false })
  const trust = { mode: 'live', service: undefined, own, scanned: async () => undefined }
  return async (one) => {
    const checker = createChecker()
    const policy = await policyOf(named('policy.json', policyBytes(one))).catch(() => undefined)
    if (policy === undefined) return 'unreadable'
    checker.use(policy)
    const files = [named(certificate, fileBytes(one)), named('bundle.json', bundleBytes(one))]
    await checker.read(files, () => {})
    const results = await checker.check({ ...trust, reading: readingOf(one) }, () => {})
    return results.find(({ name }) => name === certificate)?.outcome.report?.verdict ?? 'unreadable'
  }
}
