import {
  bestBundle,
  deepestBundle,
  type JsonValue,
  modeOf,
  nodeProofPath,
  readJson,
  type Reading,
  type TrustPolicy,
} from '@millseal/proof/verifier'
import { smallPrimitives as primitives } from '@millseal/proof/small'
import { type Service, serviceAt } from './service.ts'

/** Somebody else who may have a proof. The page believes its log, not it. */
export type Node = { readonly name: string; readonly ask: Service }

const mostCharacters = 1_000_000

/** Those that the service named when the page was loaded; its content security policy allows no others. */
export const nodesOf = (element: Element): readonly Node[] =>
  (element.getAttribute('nodes') ?? '')
    .split(' ')
    .filter(Boolean)
    .map((url) => ({ name: url.replace(/^https?:\/\//, ''), ask: serviceAt(`${url}/`) }))

/** The best bundle of a hash in the logs of this mode, with those of the reader, and which nodes have one. */
export const askNodes = async (
  nodes: readonly Node[],
  {
    hash,
    mode,
    given,
    ...by
  }: {
    readonly hash: string
    readonly mode: 'test' | 'live'
    readonly given: JsonValue | undefined
    readonly policy: TrustPolicy
    readonly reading: Reading
  },
): Promise<{ readonly bundle: JsonValue; readonly from: readonly string[] } | undefined> => {
  const logs = new Set(by.policy.logs.map(({ name }) => name).filter((name) => modeOf(name) === mode))
  const asked = nodes.flatMap(({ name, ask }) =>
    [...logs].map(async (log) => ({
      name,
      json: await ask(nodeProofPath(log, hash, primitives).slice(1))
        .then((text) =>
          text === undefined || text.length > mostCharacters
            ? undefined
            : readJson(new TextEncoder().encode(text), { maxDepth: deepestBundle }),
        )
        .catch(() => undefined),
    })),
  )
  const held = (await Promise.all(asked)).flatMap(({ name, json }) =>
    json === undefined ? [] : [{ name, json }],
  )
  const bundles = held.map(({ json }) => json)
  const bundle = bestBundle(
    { bundles: given === undefined ? bundles : [given, ...bundles], hash, ...by },
    primitives,
  )
  return held.length === 0 || bundle === undefined
    ? undefined
    : { bundle, from: held.map(({ name }) => name) }
}
