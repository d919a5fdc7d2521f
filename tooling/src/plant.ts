import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { git } from './git.ts'

export type Planted = Disposable & { readonly root: string }

/** A checkout of these files, for a check to find something in. */
export const plant = (files: Readonly<Record<string, string>>): Planted => {
  const root = mkdtempSync(join(tmpdir(), `millseal-test-${process.pid}-`))
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), source)
  }
  git(root, 'init', '-q')
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true }) }
}
