import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isBuiltin } from 'node:module'
import { parseSync } from 'oxc-parser'

export type Import = { readonly from: string; readonly target: string; readonly isTest: boolean }
export type Violation = { readonly rule: string; readonly from: string; readonly target: string }

export type Rule = {
  readonly says: string
  readonly broken: (imported: Import) => boolean
}

/** The workspaces that a workspace may import; one missing here may import none. */
const workspaces: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  proof: [],
  replay: ['proof'],
  node: ['proof', 'replay'],
  pdf: [],
  sdk: ['contract'],
  families: ['contract', 'proof', 'pdf'],
  server: ['contract', 'proof', 'replay', 'node', 'families'],
  cli: ['sdk', 'contract', 'proof', 'node', 'server'],
  console: ['sdk', 'contract', 'proof'],
}

/** The services that a service may import, by their entry points. None imports pipe: it drains the outbox. */
const services: Readonly<Record<string, readonly string[]>> = {
  user: [],
  auth: ['user'],
  km: ['user'],
  certificate: ['user', 'km'],
  pipe: ['user'],
}

/** The folders of a service; each may import those before it, and none that is not listed. */
const folders: Readonly<Record<string, readonly string[]>> = {
  user: 'users quotas companies mailing members invitations authenticators sign-in passkeys account reviews operators'.split(
    ' ',
  ),
  auth: 'pages signing-keys applications application-tokens access-tokens sessions console-session oidc'.split(
    ' ',
  ),
  km: 'ledgers cointypes nodes keys transactions reviews identities corrections wallets audit-heads bigchaindb-api watch'.split(
    ' ',
  ),
  certificate:
    'hashing packs certificates customers sellers checking orders requirements looks rendering verifications mails inbox corrections life lists notarizations batches samples'.split(
      ' ',
    ),
  pipe: 'broker signatures quotas events sequence hooks deliveries mails mailhooks mail-status relay'.split(
    ' ',
  ),
}

const workspaceOf = (path: string): string => path.split('/', 1)[0] ?? ''
const packageWorkspace = (target: string): string | undefined =>
  target === 'millseal' ? 'cli' : /^@millseal\/([a-z-]+)/.exec(target)?.[1]
const serviceOf = (path: string): string | undefined => /^server\/src\/services\/([a-z-]+)\//.exec(path)?.[1]
const folderOf = (path: string): string | undefined =>
  /^server\/src\/services\/[a-z-]+\/([a-z-]+)\//.exec(path)?.[1]
const isIn = (path: string, ...places: string[]): boolean =>
  places.some((place) => path.startsWith(`server/src/${place}/`))
const isComposing = (path: string): boolean => path === 'server/src/compose.ts' || isIn(path, 'compose')
const isServerSource = (path: string): boolean => path.startsWith('server/src/')
/** These work on the whole repository, and no installation has them. */
const isOutside = (path: string): boolean => ['tooling', 'lab', 'bench'].includes(workspaceOf(path))
const isTesting = (path: string): boolean =>
  path.startsWith('server/test/') || isIn(path, 'journeys') || path.endsWith('.suite.ts')

export const rules: readonly Rule[] = [
  {
    says: 'a workspace imports only the workspaces it may',
    broken: ({ from, target, isTest }) => {
      const here = workspaceOf(from)
      const there = packageWorkspace(target)
      if (there === undefined || there === here || isTest || isOutside(from) || isTesting(from)) return false
      return !(workspaces[here] ?? []).includes(there)
    },
  },
  {
    says: 'a workspace is imported by its package name, never by a path, except by tooling, lab and bench',
    broken: ({ from, target }) =>
      target.includes('/') &&
      workspaceOf(target) !== workspaceOf(from) &&
      Object.hasOwn(workspaces, workspaceOf(target)) &&
      !isOutside(from),
  },
  {
    says: 'nothing imports lab, which only breaks and measures what the others are',
    broken: ({ from, target }) =>
      workspaceOf(from) !== 'lab' && (workspaceOf(target) === 'lab' || packageWorkspace(target) === 'lab'),
  },
  {
    says: 'contract, proof, replay, pdf, sdk and console run in a browser and import nothing of Node',
    broken: ({ from, target, isTest }) =>
      !isTest &&
      isBuiltin(target) &&
      ['contract', 'proof', 'replay', 'pdf', 'sdk', 'console'].includes(workspaceOf(from)) &&
      from.includes('/src/'),
  },
  {
    says: 'a service is imported only by its entry point, index.ts',
    broken: ({ from, target }) => {
      const there = serviceOf(target)
      return (
        there !== undefined && there !== serviceOf(from) && target !== `server/src/services/${there}/index.ts`
      )
    },
  },
  {
    says: 'services import each other only along user ← auth, user ← km ← certificate, and none imports pipe',
    broken: ({ from, target }) => {
      const here = serviceOf(from)
      const there = serviceOf(target)
      return (
        here !== undefined && there !== undefined && here !== there && !(services[here] ?? []).includes(there)
      )
    },
  },
  {
    says: 'inside a service a folder imports only folders that are listed before it',
    broken: ({ from, target, isTest }) => {
      const [here, there] = [folderOf(from), folderOf(target)]
      if (here === undefined || there === undefined || here === there) return false
      if (isTest || isTesting(from) || serviceOf(from) !== serviceOf(target)) return false
      const order = folders[serviceOf(from) ?? ''] ?? []
      return !order.includes(there) || order.indexOf(there) > order.indexOf(here)
    },
  },
  {
    says: 'only compose.ts imports services from outside',
    broken: ({ from, target, isTest }) =>
      serviceOf(target) !== undefined &&
      serviceOf(from) === undefined &&
      !isComposing(from) &&
      !isTest &&
      !isTesting(from),
  },
  {
    says: 'only compose.ts imports adapters; everything else uses their ports',
    broken: ({ from, target, isTest }) =>
      isIn(target, 'adapters') &&
      !isIn(from, 'adapters') &&
      !isComposing(from) &&
      !isTest &&
      !isTesting(from) &&
      workspaceOf(from) === 'server',
  },
  {
    says: 'an adapter imports ports and lib, not services and not http',
    broken: ({ from, target }) =>
      isIn(from, 'adapters') && (isIn(target, 'services', 'http') || isComposing(target)),
  },
  {
    says: 'a port imports only ports and lib',
    broken: ({ from, target, isTest }) =>
      isIn(from, 'ports') &&
      isServerSource(target) &&
      !isIn(target, 'ports', 'lib') &&
      !isTest &&
      !isTesting(from),
  },
  {
    says: 'lib imports only lib',
    broken: ({ from, target }) => isIn(from, 'lib') && isServerSource(target) && !isIn(target, 'lib'),
  },
  {
    says: 'http imports no service',
    broken: ({ from, target }) => isIn(from, 'http') && serviceOf(target) !== undefined,
  },
  {
    says: 'in services and http only a store uses SQL',
    broken: ({ from, target, isTest }) =>
      isIn(from, 'services', 'http') &&
      /^(kysely|pg)(\/|$)/.test(target) &&
      !from.endsWith('.store.ts') &&
      !isTest,
  },
  {
    says: 'only the step of a notarization that records a certificate passes the gate of the ledgers',
    broken: ({ from, target, isTest }) =>
      target === 'server/src/ports/ledger/notarized.ts' &&
      !isTest &&
      !isIn(from, 'ports/ledger') &&
      from !== 'server/src/services/km/transactions/record-certificate.ts',
  },
  {
    says: 'a store is imported only inside its own service',
    broken: ({ from, target }) =>
      target.endsWith('.store.ts') &&
      (serviceOf(from) ?? dirname(from)) !== (serviceOf(target) ?? dirname(target)),
  },
]

/** All imports of a file, types included; relative targets are resolved against the root of the repository. */
export const readImports = async (root: string, path: string): Promise<Import[]> => {
  const source = await readFile(join(root, path), 'utf8')
  const { module, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const named = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest }) =>
      literal(source.slice(moduleRequest.start, moduleRequest.end)),
    ),
  ]
  return named.map((target) => ({
    from: path,
    target: toRepository(path, target),
    isTest: path.endsWith('.test.ts'),
  }))
}

/** The text of an expression that is only a text. */
export const literal = (expression: string): string[] => {
  const value = /^['"`]([^'"`$]+)['"`]$/.exec(expression.trim())?.[1]
  return value === undefined ? [] : [value]
}

/** Paths are relative to the root of the repository. */
export const toRepository = (path: string, target: string): string =>
  target.startsWith('.') ? join(dirname(path), target) : target

export const findViolations = (imports: readonly Import[]): Violation[] =>
  imports.flatMap((imported) =>
    rules
      .filter((rule) => rule.broken(imported))
      .map(({ says }) => ({ rule: says, from: imported.from, target: imported.target })),
  )
