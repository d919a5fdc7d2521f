import {
  bestBundle,
  type JsonValue,
  modeOf,
  nodeProofPath,
  type Reading,
  type TrustPolicy,
} from '@millseal/proof/verifier'
import { nodePrimitives } from '@millseal/proof/node'
import { UsageError } from '../frame/usage-error.ts'
import type { Mode } from './fetch-proof.ts'

const deadlineMs = 10_000
const largestBundleBytes = 1_000_000

type Wanted = {
  /** The bundle of the user. */
  readonly given: JsonValue | undefined
  /** What the server has, if it is asked. */
  readonly serve: (hash: string) => Promise<JsonValue | undefined>
  /** Undefined if the mode is that of the bundle. */
  readonly mode: Mode | undefined
  /** Addresses of nodes; undefined if none shall be asked. */
  readonly nodes: readonly string[] | undefined
  readonly policy: TrustPolicy
  readonly reading: Reading
  /** Called with what the nodes answered, in sentences. */
  readonly onAsked: (words: readonly string[]) => void
}

/** The addresses that the user names, or those of the nodes in the policy. */
export const nodesOf = (text: string | undefined, policy: TrustPolicy): readonly string[] | undefined => {
  if (text === undefined) return undefined
  const { cosigners, nodes = [] } = policy
  const inPolicy = cosigners?.witnesses.flatMap(({ name, url }) => (nodes.includes(name) ? (url ?? []) : []))
  const addresses = text === 'policy' ? (inPolicy ?? []) : text.split(',')
  if (addresses.length === 0) throw new UsageError('--nodes policy: the policy has no node with an address')
  return addresses.map((address) => {
    if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
      throw new UsageError(`--nodes: ${address} is not an address that begins with https:// or http://`)
    return address.replace(/\/+$/, '')
  })
}

/** The bundle of a hash: from the user, the server, or the nodes if neither has one, or if nodes can say more. */
export const findBundle = async (hash: string, wanted: Wanted): Promise<JsonValue | undefined> => {
  const { given, nodes, onAsked } = wanted
  if (nodes === undefined) return await fromServer(hash, wanted)
  const failures: string[] = []
  const served = await fromServer(hash, wanted).catch((error: unknown) => {
    failures.push(error instanceof Error ? error.message : String(error))
    return undefined
  })
  // A file may hold the JSON null, which is a malformed bundle, not a missing one.
  if (served !== undefined && given === undefined) return served
  const answers = await Promise.all(nodes.map((node) => askNode(node, hash, wanted)))
  const held = answers.flatMap(({ bundles }) => bundles)
  if (held.length === 0 && answers.every(({ isSilent }) => isSilent) && given === undefined)
    throw new Error(`Neither the server nor a node answers: ${[...failures, ...nodes].join(', ')}`)
  const words = answers.map(({ says }) => says)
  onAsked(failures.length === 0 ? words : ['The server did not answer', ...words])
  const bundles = given === undefined ? held : [given, ...held]
  return bundles.length === 0 ? undefined : bestBundle({ ...wanted, bundles, hash }, nodePrimitives)
}

const fromServer = async (hash: string, { given, serve }: Wanted): Promise<JsonValue | undefined> =>
  given === undefined ? await serve(hash) : given

/** Of each log that the reader trusts. */
const askNode = async (node: string, hash: string, { policy, mode }: Wanted) => {
  const origins = new Set(policy.logs.map(({ name }) => name))
  const wanted = [...origins].filter((origin) => [undefined, mode ?? modeOf(origin)].includes(modeOf(origin)))
  const answers = await Promise.all(
    wanted.map((origin) => readJson(`${node}${nodeProofPath(origin, hash, nodePrimitives)}`)),
  )
  const bundles = answers.flatMap((answer) => (typeof answer === 'object' ? [answer.json] : []))
  const isSilent = answers.every((answer) => answer === 'silent')
  const word = isSilent ? 'does not answer' : 'has no proof of it'
  return { bundles, isSilent, says: `The node ${node} ${bundles.length > 0 ? 'has a proof of it' : word}` }
}

const readJson = async (url: string): Promise<{ readonly json: JsonValue } | 'none' | 'silent'> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(deadlineMs) })
    if (response.status === 404) return 'none'
    const text = await response.text()
    if (!response.ok || text.length > largestBundleBytes) return 'silent'
    return { json: JSON.parse(text) as JsonValue }
  } catch {
    return 'silent'
  }
}
