import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addresses, methodsOf, type Operation, operations } from '@millseal/contract'
import { listSources } from './sources.ts'

export type Source = { readonly path: string; readonly text: string }

export type Covered = {
  readonly operation: Operation
  /** Test files that call it. */
  readonly tests: readonly string[]
  /** Shared helpers of tests that call it. */
  readonly shared: readonly string[]
}

/** Tests that loop over all operations: they do not count as the test of one. */
const sweeping = [
  'server/src/http/authorize.test.ts',
  'server/src/http/closed-routes.server.test.ts',
  'server/src/journeys/two-companies.test.ts',
  'server/src/journeys/fuzz/the-whole-api.server.test.ts',
]

const isTest = (path: string): boolean => /\.(test|suite)\.ts$/.test(path)
const isShared = (path: string): boolean => /(^|\/)(test|testing)\/[^/]+\.ts$/.test(path)

/** Finds calls of an operation by the method of the client, or by path and HTTP method. */
export const coverageOf = (sources: readonly Source[]): readonly Covered[] =>
  Object.entries<Operation>(operations).map(([name, operation]) => {
    const calling = sources
      .filter(({ path }) => !sweeping.includes(path))
      .filter(({ text }) => calls(text, name, operation))
      .map(({ path }) => path)
    return { operation, tests: calling.filter(isTest), shared: calling.filter(isShared) }
  })

const calls = (text: string, name: string, operation: Operation): boolean =>
  new RegExp(`\\.${name}\\(`).test(text) || asksPath(text, operation)

const asksPath = (text: string, operation: Operation): boolean =>
  addresses(operation).some((address) => {
    // A parameter matches anything without a slash; a path ends with the string or at its query.
    const parts = address.split('/').map((part) => (part.startsWith('{') ? '[^/\'"`\\s]+' : part))
    const path = new RegExp(`(?:/api|-service|['"\`])${parts.join('/')}(?=['"\`?\\s])`)
    return (
      path.test(text) &&
      methodsOf(operation).some((method) => method === 'GET' || text.includes(`'${method}'`))
    )
  })

export const readTests = async (root: string): Promise<readonly Source[]> => {
  const paths = (await listSources(root)).filter((path) => isTest(path) || isShared(path))
  return Promise.all(
    paths.toSorted().map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })),
  )
}

const shown = 4

/** The page docs/coverage.md. */
export const coveragePage = (covered: readonly Covered[]): string => {
  const rows = covered.map(({ operation, tests, shared }) => {
    const files = tests.length > 0 ? tests : shared
    const links = files.slice(0, shown).map((path) => `[${path.split('/').at(-1)}](../${path})`)
    const more = files.length > shown ? ` and ${files.length - shown} more` : ''
    const names = addresses(operation).map((address) => `\`${operation.method} ${address}\``)
    return `| ${operation.id} | ${names.join('<br>')} | ${operation.variant} | ${links.join(', ')}${more} |`
  })
  return [
    '# Tests of each operation',
    '',
    '`script/dump` generates this page from the contract and the tests; CI checks that it is current and that every',
    'operation has a test. Other tests call all operations: none is open without a token by mistake, none gives access to',
    'another company, and every request gets a documented answer.',
    '',
    '| operation | method and path | variant | tests |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}
