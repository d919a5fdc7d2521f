import { addresses, methodsOf, type Operation, operations, type Service, services } from '@millseal/contract'

export type ServicePath = {
  /** Segments between slashes; `{}` matches any one. */
  readonly path: string
  /** Whether longer paths belong to it as well. */
  readonly isPrefix: boolean
  /** If another service answers other methods there. */
  readonly methods: readonly string[] | undefined
  readonly service: Service
}

type Endpoint = {
  readonly segments: readonly string[]
  readonly method: string
  readonly service: Service
}

export const endpointsOf = (all: readonly Operation[]): readonly Endpoint[] =>
  all.flatMap((operation) => {
    const { service } = operation
    if (service === 'every-service') return []
    return addresses(operation).flatMap((address) =>
      methodsOf(operation).map((method) => ({
        segments: address
          .split('/')
          .slice(1)
          .map((segment) => (segment.startsWith('{') ? '{}' : segment)),
        method,
        service,
      })),
    )
  })

/** The shortest paths that tell which service answers. */
export const servicePaths = (endpoints: readonly Endpoint[]): readonly ServicePath[] => below([], endpoints)

const below = (prefix: readonly string[], endpoints: readonly Endpoint[]): readonly ServicePath[] => {
  const next = Map.groupBy(endpoints, ({ segments }) => segments[prefix.length] ?? '')
  return [...next]
    .toSorted(([a], [b]) => compare(a, b))
    .flatMap(([segment, group]) => {
      const path = segment === '' ? prefix : [...prefix, segment]
      const answering = new Set(group.map(({ service }) => service))
      const [service] = answering
      if (answering.size === 1 && service !== undefined)
        return [{ path: `/${path.join('/')}`, isPrefix: segment !== '', methods: undefined, service }]
      return segment === '' ? byMethod(path, group) : below(path, group)
    })
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const byMethod = (path: readonly string[], group: readonly Endpoint[]): readonly ServicePath[] =>
  services.flatMap((service) => {
    const methods = group.filter((each) => each.service === service).map(({ method }) => method)
    return methods.length === 0 ? [] : [{ path: `/${path.join('/')}`, isPrefix: false, methods, service }]
  })

/** The services that the table names for a request. One, unless the table is wrong. */
export const servicesAt = (
  table: readonly ServicePath[],
  { segments, method }: Pick<Endpoint, 'segments' | 'method'>,
): readonly Service[] => {
  const matching = table.filter(({ path, isPrefix, methods }) => {
    const pattern = path.split('/').slice(1)
    if (isPrefix ? segments.length < pattern.length : segments.length !== pattern.length) return false
    if (methods !== undefined && !methods.includes(method)) return false
    return pattern.every((part, index) => part === '{}' || part === segments[index])
  })
  const named = matching.filter(({ path }) => !path.includes('{}'))
  return [...new Set((named.length > 0 ? named : matching).map(({ service }) => service))]
}

/** The page docs/services.md. */
export const servicesPage = (): string => {
  const rows = servicePaths(endpointsOf(Object.values<Operation>(operations))).map(
    ({ path, isPrefix, methods, service }) =>
      `| ${methods === undefined ? '' : `${methods.join(', ')} `}\`${path}\`${isPrefix ? ' and below' : ''} | ${service.replace('-service', '')} |`,
  )
  return [
    '# Which service answers which path',
    '',
    '`script/dump` generates this page from the contract. Use it to give each service [processes](operating.md#run-several-processes) or a host of its',
    'own, with `MILLSEAL_SERVICES`. `{}` stands for any one segment; a path that names a segment goes before one with `{}`. Before each path,',
    '`/api`, the name of the service, or both may stand: `/api/user-service/users` is `/users`. A client that sends the name of the service needs no',
    'table.',
    '',
    '| path | service |',
    '| --- | --- |',
    ...rows,
    '| `/ledger` and below | km |',
    '| `/oidc` and below, `/auth/callback` | auth |',
    '',
    'Every process answers all other paths: pages, the console, `/docs`, `/.well-known/jwks.json`, `/health`, `/ready`, `/metrics`.',
    '',
  ].join('\n')
}
