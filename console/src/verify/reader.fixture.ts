import { type JsonValue, readPolicy } from '@millseal/proof/verifier'
import { smallPrimitives as primitives } from '@millseal/proof/small'
import { headlineIn } from './card.ts'
import { createChecker } from './checker.ts'
import type { Headline } from './headline.ts'
import type { Mode, Result } from './judge.ts'
import type { Node } from './nodes.ts'
import type { Named } from './read-file.ts'
import { textsIn } from './texts/languages.ts'

export type Files = Readonly<Record<string, Uint8Array | JsonValue>>

export type Seen = Headline & { readonly result: Result }

const named = (files: Files): readonly Named[] =>
  Object.entries(files).map(([name, content]) => ({
    name,
    bytes: () =>
      Promise.resolve(
        content instanceof Uint8Array
          ? new Uint8Array(content)
          : new TextEncoder().encode(JSON.stringify(content)),
      ),
  }))

const textOf = (json: JsonValue | undefined): string | undefined =>
  json === undefined ? undefined : JSON.stringify(json)

/** A reader in front of the page, without a browser. */
export const createReader = (
  {
    service,
    keys = [],
    scanned,
    holders = [],
    now = '2026-11-22T06:00:00.000Z',
  }: {
    /** The answers of a service: the bundles by mode and by the hash of a file. Without it, the page works offline. */
    readonly service?: {
      readonly keys: Readonly<Partial<Record<Mode, string>>>
      readonly bundles: Readonly<Partial<Record<Mode, Readonly<Record<string, JsonValue>>>>>
      readonly transactions?: Readonly<Record<string, JsonValue>>
    }
    /** The keys that the page itself has. */
    readonly keys?: readonly string[]
    readonly scanned?: readonly string[]
    readonly holders?: readonly Node[]
    readonly now?: string
  },
  language: 'en' | 'de' = 'en',
) => {
  const checker = createChecker()
  const ask = (path: string): Promise<string | undefined> => {
    const id = /^ledger\/live\/api\/v1\/transactions\/(\w+)$/.exec(path)?.[1]
    if (id !== undefined) return Promise.resolve(service?.transactions?.[id]).then(textOf)
    const key = /^ledger\/(live|test)\/vkey$/.exec(path)
    if (key !== null) return Promise.resolve(service?.keys[key[1] as Mode])
    const [, hash = '', mode] =
      /^api\/certificates\/proof\/(\w+)\?mode=(live|test)&format=3$/.exec(path) ?? []
    const bundle = service?.bundles[mode as Mode]?.[hash]
    return Promise.resolve(bundle).then(textOf)
  }
  const check = async (): Promise<readonly Seen[]> => {
    const results = await checker.check(
      {
        mode: 'live',
        server: 'https://mill.example',
        service: service && ask,
        holders,
        own: (fresh) => readPolicy({ logs: [...keys, ...fresh] }, primitives),
        scanned: () => Promise.resolve(scanned),
        reading: { now: new Date(now) },
      },
      () => {},
    )
    return results.map((result) => ({ ...headlineIn(textsIn(language), result), result }))
  }
  return {
    given: checker.given,
    check,
    use: checker.use,
    async drop(files: Files): Promise<readonly Seen[]> {
      await checker.read(named(files), () => {})
      return check()
    },
  }
}
