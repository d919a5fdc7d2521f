import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')

/** What a bundle was built from, and in which folder it is. */
export type Latest = { readonly inputs: readonly string[]; readonly digest: string }

export const bundlesOf = (program: string): string =>
  join(root, 'node_modules/.cache/millseal/bundles', relative(root, program).replaceAll(/[/\\]/g, '-'))

/** Of the files and their place, because a bundle names the files beside its sources. */
export const digestOf = async (inputs: readonly string[]): Promise<string> => {
  const hash = createHash('sha256').update(root)
  const texts = await Promise.all([join(root, 'package-lock.json'), ...inputs].map((path) => readFile(path)))
  for (const text of texts) hash.update(text)
  return hash.digest('hex').slice(0, 16)
}

const found = new Map<string, Promise<string>>()

/**
 * The path of a program with all it imports in a few files, which load in half of the processor time of its sources. The
 * first test that needs it builds it, and again after a change of its sources. Threads and child processes of the program
 * still run the sources.
 */
export const bundled = (program: string): Promise<string> => {
  const path = found.get(program) ?? findOrBuild(program)
  found.set(program, path)
  return path
}

const findOrBuild = async (program: string): Promise<string> => {
  const existing = await findBundle(program)
  if (existing !== undefined) return existing
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'build-bundle.ts'), program])
  const built = await findBundle(program)
  if (built === undefined) throw new Error(`The sources of ${program} changed while they were bundled`)
  return built
}

/** Undefined if there is none of the sources as they are. */
const findBundle = async (program: string): Promise<string | undefined> => {
  const folder = bundlesOf(program)
  const text = await readFile(join(folder, 'latest.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { inputs, digest }: Latest = JSON.parse(text)
  const current = await digestOf(inputs).catch(() => undefined)
  const path = join(folder, digest, 'program.mjs')
  return current === digest && existsSync(path) ? path : undefined
}
