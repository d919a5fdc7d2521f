import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Checks that start nothing: each is a sentence and the commands that prove it. */
export type Check = { readonly says: string; readonly commands: readonly (readonly string[])[] }

/** Folders that only their owners' `npm ci` empties, so what is stored there is reused by later runs. */
export const cacheFolder = (root: string): string => join(root, 'node_modules/.cache/millseal')

/** The workspaces of npm. `bench` is not one, because only benchmarks need the packages it compares with. */
export const readWorkspaces = (root: string): readonly string[] =>
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).workspaces

/**
 * The TypeScript projects of these folders, or all. Those that the root project includes are checked together: they
 * share the types of the server, which take longest.
 */
const projectsOf = (root: string, folders: readonly string[] | undefined): readonly string[] => {
  const together: readonly string[] = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).include
  const folderOf = (project: string): string => project.split('/', 1)[0] ?? ''
  const apart = globSync(['*/tsconfig*.json', 'server/src/**/tsconfig.json'], { cwd: root })
    .filter((project) => !together.includes(folderOf(project)) || project.split('/').length > 2)
    .filter((project) => folders === undefined || folders.includes(folderOf(project)))
  return ['tsconfig.json', ...apart.toSorted()]
}

const bin = (root: string, name: string): string => join(root, 'node_modules/.bin', name)

export const formatCheck = (root: string, paths: readonly string[] = []): Check => ({
  says: 'Every file is formatted',
  commands: [[bin(root, 'biome'), 'format', '--no-errors-on-unmatched', ...paths]],
})

/** One checker a project: several would each work out the same types again. */
export const typesCheck = (root: string, folders?: readonly string[]): Check => ({
  says: 'The types of every workspace are correct',
  commands: projectsOf(root, folders).map((project) => [
    bin(root, 'tsc'),
    '-p',
    project,
    '--checkers',
    '1',
    '--incremental',
    '--tsBuildInfoFile',
    join(cacheFolder(root), 'types', `${project.replaceAll('/', '-')}.tsbuildinfo`),
  ]),
})

export const lintCheck = (root: string, paths: readonly string[] = []): Check => ({
  says: 'The linter finds nothing',
  commands: [[bin(root, 'oxlint'), '--type-aware', '--deny-warnings', ...paths]],
})

/** All static checks; the slowest first, because they run beside each other. */
export const staticChecks = (root: string): readonly Check[] => [
  lintCheck(root),
  typesCheck(root),
  formatCheck(root),
  {
    says: 'No code, export or package is unused',
    commands: [[process.execPath, join(root, 'node_modules/knip/bin/knip.js'), '--no-progress']],
  },
  {
    says: 'The committed API documents match the contract',
    commands: [[process.execPath, 'contract/emit/write.ts', '--check']],
  },
  {
    says: 'The OpenAPI document satisfies its linter',
    commands: [
      [
        process.execPath,
        join(root, 'node_modules/@redocly/cli/bin/cli.js'),
        'lint',
        'contract/openapi.json',
        '--config',
        'contract/redocly.yaml',
      ],
    ],
  },
]
