import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listSources } from './sources.ts'
import { findViolations, readImports } from './boundaries.ts'

const maxLines = 300
const generated: readonly string[] = ['server/src/ports/database/tables.ts']

/** Sentences about what stands where it should not; none when the server is in order. */
export const inspect = async (root: string, expected: { minSources: number }): Promise<string[]> => {
  const sources = await listSources(root)
  const found = (await Promise.all(sources.map((path) => inspectFile(root, path)))).flat()
  if (sources.length < expected.minSources) {
    found.push(
      `only ${sources.length} sources were read, expected at least ${expected.minSources}: the check reads nothing`,
    )
  }
  return found
}

const inspectFile = async (root: string, path: string): Promise<string[]> => {
  const imports = await readImports(root, path)
  const text = await readFile(join(root, path), 'utf8')
  const walls = findViolations(imports).map(({ rule, target }) => `${path} imports ${target}: ${rule}`)
  return [...walls, ...inspectText(path, text)]
}

const inspectText = (path: string, text: string): string[] => {
  const lines = text.split('\n').length - 1
  const isTest = /\.(test|suite)\.ts$/.test(path) || path.startsWith('server/test/')
  return [
    ...(lines > maxLines && !generated.includes(path)
      ? [`${path} has ${lines} lines: at most ${maxLines}`]
      : []),
    ...(/\bprocess\.env\b/.test(text) &&
    path.startsWith('server/src/') &&
    path !== 'server/src/main.ts' &&
    !isTest
      ? [`${path} reads process.env: only config.ts knows the environment, and main.ts hands it over`]
      : []),
    ...(/\bDate\.now\(\)|new Date\(\)/.test(text) && path.startsWith('server/src/services/') && !isTest
      ? [`${path} asks the machine for the time: ask the clock, so that a test can move it`]
      : []),
  ]
}
