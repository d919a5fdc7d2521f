import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What Vite says about a built file: the ones it needs at once, and the ones it may load later. */
export type Chunk = {
  readonly file: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
  readonly isDynamicEntry?: boolean
}
export type Manifest = Readonly<Record<string, Chunk>>

/** Kilobytes of JavaScript, compressed by brotli. */
const budgets = { shell: 151, screen: 36 } as const

type Size = { readonly name: string; readonly kilobytes: number; readonly budget: number }

const entry = 'index.html'
const shellTexts = ['texts/en/common.ts', 'texts/en/problems.ts', 'texts/en/shell.ts'] as const

/** A chunk and everything that it imports at once. */
const closure = (manifest: Manifest, names: readonly string[]): ReadonlySet<string> => {
  const reached = new Set(names)
  for (const name of reached) for (const next of manifest[name]?.imports ?? []) reached.add(next)
  return reached
}

/** A part of a screen is loaded by what that screen has loaded. */
const loadersOf = (manifest: Manifest, name: string): readonly string[] =>
  Object.keys(manifest).filter((each) => manifest[each]?.dynamicImports?.includes(name))

/** The first load of the console, and what opening each further screen or a part of it adds, with its texts. */
export const sizesOf = (manifest: Manifest, bytesOf: (file: string) => number): readonly Size[] => {
  const shell = closure(manifest, [entry, ...shellTexts])
  const kilobytes = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + bytesOf(manifest[name]?.file ?? ''), 0) / 1_000
  const screens = Object.entries(manifest).filter(
    ([name, { isDynamicEntry }]) => isDynamicEntry === true && name.startsWith('screens/'),
  )
  return [
    { name: 'shell', kilobytes: kilobytes(shell), budget: budgets.shell },
    ...screens.map(([name]) => {
      const texts = `texts/en/${name.split('/')[1]}.ts`
      const needed = closure(manifest, manifest[texts] === undefined ? [name] : [name, texts])
      const there = closure(manifest, loadersOf(manifest, name))
      const added = [...needed].filter((each) => !shell.has(each) && !there.has(each))
      return { name, kilobytes: kilobytes(added), budget: budgets.screen }
    }),
  ]
}

/** The sizes of the console that this checkout has built. */
export const builtSizes = (root: string): readonly Size[] => {
  const folder = join(root, 'console/built/app')
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest
  return sizesOf(manifest, (file) => statSync(join(folder, `${file}.br`)).size)
}

export const overBudget = (sizes: readonly Size[]): readonly string[] =>
  sizes
    .filter(({ kilobytes, budget }) => kilobytes > budget)
    .map(({ name, kilobytes, budget }) => `${name}: ${kilobytes.toFixed(1)} kB of ${budget}`)
