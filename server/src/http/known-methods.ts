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
  /**
   * Addresses such as `/users/me` with the methods that they lack and `/users/:id` has: without a route of their own, these
   * would read `me` as an id.
   */
  readonly lacking: () => readonly { readonly url: string; readonly methods: readonly string[] }[]
}

/** Fastify does not say which methods an address has: its answer to any other method is 404. */
export const createKnownMethods = (): KnownMethods => {
  const routes: { readonly segments: readonly string[]; readonly route: Route }[] = []
  return {
    add: (route) => void routes.push({ segments: segmentsOf(route.url), route }),
    at: (path, originalUrl) => {
      const asked = segmentsOf(path)
      const named = namedService(originalUrl)
      const found = routes.filter(
        ({ segments, route }) =>
          (named === undefined || route.service === undefined || route.service === named) &&
          matches(segments, asked),
      )
      if (found.some(({ segments, route }) => route.method === 'OPTIONS' && hasRest(segments)))
        return undefined
      const methods = found
        .filter(({ segments }) => !found.some((other) => isMoreSpecific(other.segments, segments)))
        .flatMap(({ route }) => route.method)
      return methods.length === 0 ? [] : [...new Set(methods).add('OPTIONS')].toSorted()
    },
    lacking: () => {
      const byUrl = Map.groupBy(routes, ({ route }) => route.url)
      return [...byUrl].flatMap(([url, own]) => {
        const has = new Set(own.flatMap(({ route }) => route.method))
        const methods = routes
          .filter(({ segments }) =>
            own.some((one) => isMoreSpecific(one.segments, segments) && overlaps(one.segments, segments)),
          )
          .flatMap(({ route }) => route.method)
          .filter((method) => !has.has(method))
        return methods.length === 0 ? [] : [{ url, methods: [...new Set(methods)] }]
      })
    },
  }
}

const segmentsOf = (path: string): readonly string[] => path.replace(/\/$/, '').split('/')

const hasRest = (pattern: readonly string[]): boolean => pattern.at(-1) === '*'
const isParameter = (part: string): boolean => part.startsWith(':')

/** As the router decides it: by the first segment in which one has a name and the other a parameter. */
const isMoreSpecific = (one: readonly string[], other: readonly string[]): boolean => {
  if (hasRest(one) || hasRest(other)) return false
  const at = one.findIndex((part, index) => isParameter(part) !== isParameter(other[index] ?? ''))
  return at !== -1 && !isParameter(one[at] ?? '')
}

/** Whether a path can match both. */
const overlaps = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length &&
  one.every((part, index) => {
    const theirs = other[index] ?? ''
    return part === theirs || isParameter(part) || isParameter(theirs)
  })

const matches = (pattern: readonly string[], asked: readonly string[]): boolean => {
  if (hasRest(pattern) ? asked.length < pattern.length : asked.length !== pattern.length) return false
  return pattern.every((part, index) => part === '*' || isFilled(part, asked[index] ?? ''))
}

const isFilled = (part: string, segment: string): boolean =>
  isParameter(part) ? segment !== '' : part === segment
