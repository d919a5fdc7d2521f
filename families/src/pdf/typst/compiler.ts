import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { genericName, type Layouts } from '../../family.ts'
import { fontFolders, symbolFont } from '../fonts.ts'

const layoutFolder = join(import.meta.dirname, '../layouts')

/** A path below a file: nothing can exist there, so a layout cannot read any file of the machine. */
export const nowhere: string = join(import.meta.filename, 'nowhere')

/** Where the engine looks for what the page names `path`. */
export const inMemory = (path: string): string => join(nowhere, path)

/** Typst with our fonts and layouts, and no other file of the machine. */
export const openCompiler = (layouts: Layouts): NodeCompiler => {
  const compiler = NodeCompiler.create({
    workspace: nowhere,
    fontArgs: [{ fontPaths: [...fontFolders, symbolFont] }],
  })
  const add = (path: string, source: string): void => compiler.addSource(inMemory(path), source)
  add('/main.typ', readFileSync(join(layoutFolder, 'main.typ'), 'utf8'))
  add('/millseal/components.typ', readFileSync(join(layoutFolder, 'components.typ'), 'utf8'))
  for (const [name, { accent }] of Object.entries(layouts)) add(pathOf(name), sourceOf(accent))
  return compiler
}

const pathOf = (family: string): string => `/millseal/${family}.typ`

const sourceOf = (accent: string): string => `#import "/millseal/components.typ": *

#let layout(data) = certificate(data + (accent: rgb("${accent}")))
`

/** The layout of a family; the generic one for any other name. */
export const builtInLayout = (family: string, layouts: Layouts): string =>
  pathOf(Object.hasOwn(layouts, family) ? family : genericName)
