import { copyFile, glob, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { compressAll } from './compress.ts'
import { contents } from './guide/contents.ts'
import { indexPage, pageInFrame } from './guide/frame.ts'
import { brokenLinks, type Page, renderPage, type Size } from './guide/markdown.ts'

/**
 * Renders the pages in docs/ into `built/guide/`, which the server serves: an installation has its documentation without a
 * network. `script/bootstrap` calls it after `build.ts`, whose style sheet the pages name.
 */
const root = join(import.meta.dirname, '..')
const built = join(import.meta.dirname, 'built')

/** A PNG file begins with its size. */
const readSize = async (picture: string): Promise<Size> => {
  const bytes = await readFile(join(root, picture))
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

const renderAll = async (): Promise<readonly Page[]> => {
  const sources = new Map<string, string>()
  const add = async (source: string) => sources.set(source, await readFile(join(root, source), 'utf8'))
  for await (const source of glob('docs/*.md', { cwd: root })) await add(source)
  await add('SECURITY.md')
  const sizes = new Map<string, Size>()
  for await (const picture of glob('docs/pictures/**/*.png', { cwd: root }))
    sizes.set(picture, await readSize(picture))
  const sizeOf = (picture: string): Size => {
    const size = sizes.get(picture)
    if (size === undefined) throw new Error(`There is no picture ${picture}`)
    return size
  }
  const pages = [...sources.keys()].map((source) => renderPage({ source, sources, sizeOf }))
  const listed = Object.values(contents).flat()
  const missing = pages.filter(({ name }) => !listed.includes(name)).map(({ name }) => name)
  if (missing.length > 0) throw new Error(`Add to console/guide/contents.ts: ${missing.join(', ')}`)
  const broken = brokenLinks(pages)
  if (broken.length > 0) throw new Error(`Links of docs/ that lead nowhere:\n${broken.join('\n')}`)
  return pages
}

const styleAddress = async (): Promise<string> => {
  const manifest = JSON.parse(await readFile(join(built, 'app/manifest.json'), 'utf8')) as Readonly<
    Record<string, { readonly file: string } | undefined>
  >
  const style = manifest['look/guide.css']
  if (style === undefined) throw new Error('The console was built without look/guide.css')
  return `/console/${style.file}`
}

/** Several scripts may build at the same time, so the folder appears at once and complete. */
const folder = await mkdtemp(join(import.meta.dirname, 'built-'))
try {
  const pages = await renderAll()
  const frame = { pages, style: await styleAddress() }
  for (const page of pages) await writeFile(join(folder, `${page.name}.html`), pageInFrame(page, frame))
  await writeFile(join(folder, 'index.html'), indexPage(frame))
  await mkdir(join(folder, 'pictures'))
  for (const picture of new Set(pages.flatMap(({ pictures }) => pictures)))
    await copyFile(join(root, picture), join(folder, 'pictures', basename(picture)))
  await compressAll(folder)
  await writeFile(join(folder, 'stamp'), '')
  await rm(join(built, 'guide'), { recursive: true, force: true })
  await rename(folder, join(built, 'guide'))
} finally {
  await rm(folder, { recursive: true, force: true })
}
