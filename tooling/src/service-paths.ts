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

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b)

const byMethod = (path: readonly string[], group: readonly Endpoint[]): readonly ServicePath[] =>
  services.flatMap((service) => {
    const methods = group.filter((each) => each.service === service).map(({ method }) => method)
    return methods.length === 0 ? [] : [{ path: `/${path.join('/')}`, isPrefix: false, methods, service }]
  })

/** The services that the table names for a request. One, unless the table is wrong. */
export const servicesAt = (
  table: readonly ServicePath[],
  { segments, method }: Endpoint,
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
    'table. nginx gets it from `deploy/nginx/services.conf` ([deploy](deploy.md#one-host-per-service)).',
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

/** Its port in the file: from 8080 on, in the order of the contract. */
const firstPort = 8080
const upstreamOf = (service: Service): string => `millseal_${service.replace('-service', '')}`

/** The file deploy/nginx/services.conf. */
export const servicesConfiguration = (): string => {
  const paths = servicePaths(endpointsOf(Object.values<Operation>(operations)))
  const [named, others] = [
    paths.filter(({ path }) => !path.includes('{}')),
    paths.filter(({ path }) => path.includes('{}')),
  ]
  return [
    '# script/dump generates this file from the contract: one process for each service, with a host of its own. Copy it to',
    '# /etc/nginx/conf.d/ beside millseal.conf, and replace the addresses of the processes. See docs/deploy.md.',
    ...services.flatMap((service, index) => [
      `upstream ${upstreamOf(service)} {`,
      `    server 127.0.0.1:${firstPort + index};`,
      '    keepalive 32;',
      '}',
    ]),
    '',
    '# Which service answers: by the host, by the name of the service in the path, or by the path.',
    'map $host$uri $millseal_service {',
    '    # Every process answers all other paths.',
    `    default ${upstreamOf('user-service')};`,
    ...services.map((service) => `    ~^${service.replace('-service', '')}\\. ${upstreamOf(service)};`),
    ...services.map((service) => `    ~^[^/]*/(api/)?${service}(/|$) ${upstreamOf(service)};`),
    ...[...named, ...mounted, ...others].map(lineOf),
    '}',
    '',
  ].join('\n')
}

/** What is no operation. */
const mounted: readonly ServicePath[] = [
  { path: '/ledger', isPrefix: true, methods: undefined, service: 'km-service' },
  { path: '/oidc', isPrefix: true, methods: undefined, service: 'auth-service' },
]

const lineOf = ({ path, isPrefix, methods, service }: ServicePath): string => {
  if (methods !== undefined)
    throw new Error(`${path} belongs to several services: nginx needs the method too`)
  const pattern = path.slice(1).replaceAll('{}', '[^/]+')
  return `    ~^[^/]*/(api/)?${pattern}${isPrefix ? '(/|$)' : '/?$'} ${upstreamOf(service)};`
}
