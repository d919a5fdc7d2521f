import type { Service } from '@millseal/contract'
import { namedService } from './address.ts'

type Route = {
  readonly url: string
  readonly method: string | readonly string[]
  /** Undefined if every service answers. */
  readonly service: Service | undefined
}

export type KnownMethods = {
  readonly add: (route: Route) => void
  /**
   * The methods of the routes at this address, with OPTIONS; none if there is no such route. Undefined in a part that
   * answers all preflights itself, and so also unknown methods.
   */
  readonly at: (path: string, originalUrl: string) => readonly string[] | undefined
}

/** Fastify does not say which methods an address has: its answer to any other method is 404. */
export const createKnownMethods = (): KnownMethods => {
  const routes: { readonly segments: readonly string[]; readonly route: Route }[] = []
  return {
    add: (route) => void routes.push({ segments: segmentsOf(route.url), route }),
    at: (path, originalUrl) => {
      const asked = segmentsOf(path)
      const named = namedService(originalUrl)
      const methods = new Set<string>()
      for (const { segments, route } of routes) {
        if (named !== undefined && route.service !== undefined && route.service !== named) continue
        if (!matches(segments, asked)) continue
        if (route.method === 'OPTIONS' && segments.at(-1) === '*') return undefined
        for (const method of [route.method].flat()) methods.add(method)
      }
      return methods.size === 0 ? [] : [...methods.add('OPTIONS')].toSorted()
    },
  }
}

const segmentsOf = (path: string): readonly string[] => path.replace(/\/$/, '').split('/')

const matches = (pattern: readonly string[], asked: readonly string[]): boolean => {
  const hasRest = pattern.at(-1) === '*'
  if (hasRest ? asked.length < pattern.length : asked.length !== pattern.length) return false
  return pattern.every((part, index) => part === '*' || isFilled(part, asked[index] ?? ''))
}

const isFilled = (part: string, segment: string): boolean =>
  part.startsWith(':') ? segment !== '' : part === segment
