import { type Service, services } from '@millseal/contract'

/** No route can have these paths. */
export const malformedPath = '/~malformed'
export const tooLongPath = '/~too-long'
const maxPathLength = 2_000

/** Reduces `/api/x`, `/<service>/x` and `/api/<service>/x` to `/x`, the path that routes are registered under. */
export const canonicalUrl = (url: string): string => {
  const queryAt = url.indexOf('?')
  const path = queryAt === -1 ? url : url.slice(0, queryAt)
  const query = queryAt === -1 ? '' : url.slice(queryAt)
  if (!path.startsWith('/') || !isDecodable(path) || !isDecodable(query)) return malformedPath
  if (path.length > maxPathLength) return tooLongPath
  const stripped = stripPrefix(path)
  return `${stripped === '' ? '/' : stripped}${query}`
}

/** The service that a URL names. Only that service answers the call. */
export const namedService = (url: string): Service | undefined => {
  const [, first, second] = url.split(/[/?]/)
  const name = first === 'api' ? second : first
  return services.find((service) => service === name)
}

const stripPrefix = (path: string): string => {
  const withoutApi = path === '/api' || path.startsWith('/api/') ? path.slice('/api'.length) : path
  const service = services.find((name) => withoutApi === `/${name}` || withoutApi.startsWith(`/${name}/`))
  return service === undefined ? withoutApi : withoutApi.slice(service.length + 1)
}

/** Rejects U+0000 too: PostgreSQL text cannot contain it. */
const isDecodable = (part: string): boolean => {
  if (!part.includes('%')) return true
  try {
    return !decodeURIComponent(part.replaceAll('+', ' ')).includes('\u0000')
  } catch {
    return false
  }
}
