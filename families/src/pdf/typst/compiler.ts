import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { fontFolders, symbolFont } from '../fonts.ts'

const layoutFolder = join(import.meta.dirname, '../layouts')

/** A path below a file: nothing can ever be there, so a layout that reads a file finds none. */
export const nowhere: string = join(import.meta.filename, 'nowhere')

/** Where the engine looks for what the page names `path`. */
export const inMemory = (path: string): string => join(nowhere, path)

/** Typst with our fonts and layouts, and no other file of the machine. */
export const openCompiler = (): NodeCompiler => {
  const compiler = NodeCompiler.create({
    workspace: nowhere,
    fontArgs: [{ fontPaths: [...fontFolders, symbolFont] }],
  })
  for (const name of layoutFiles) {
    compiler.addSource(inMemory(pathOf(name)), readFileSync(join(layoutFolder, name), 'utf8'))
  }
  return compiler
}

const layoutFiles = readdirSync(layoutFolder).filter((name) => name.endsWith('.typ'))
const pathOf = (name: string): string => (name === 'main.typ' ? '/main.typ' : `/millseal/${name}`)

/** The layout of a family; the generic one for a family without its own. */
export const builtInLayout = (family: string): string =>
  pathOf(families.has(family) ? `${family}.typ` : 'generic.typ')

const families = new Set(['en10168', 'coa', 'e-coc', 'metals', 'generic'])
