import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, test } from 'node:test'
import { listFiles } from './sources.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const withoutCode = (text: string): string => text.replaceAll(/^ *(```|~~~).*?^ *\1|`[^`\n]*`/gms, '')

/** The anchors that GitHub gives to headings. */
const anchorsOf = (page: string): ReadonlySet<string> =>
  new Set(
    [...page.replaceAll(/^ *(```|~~~).*?^ *\1/gms, '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

/** Links to files and headings that do not exist. Addresses of other hosts are not asked. */
const brokenLinksIn = (path: string, text: string): string[] =>
  [...withoutCode(text).matchAll(/\]\((?<target>[^)\s]+)\)/g)].flatMap(({ groups }) => {
    const [file = '', anchor] = (groups?.['target'] ?? '').split('#')
    if (/^[a-z]+:/.test(file)) return []
    const target = file === '' ? path : normalize(join(dirname(path), file))
    const isThere = existsSync(join(root, target))
    const hasAnchor = anchor === undefined || (isThere && anchorsOf(read(target)).has(anchor))
    return isThere && hasAnchor ? [] : [`${path}: ${groups?.['target']}`]
  })

/** Names of files in the text that are the end of no path. `…`, `*` and `<x>` stand for many. */
const missingFilesIn = (path: string, text: string, paths: readonly string[]): string[] =>
  [...text.matchAll(/`([\w./-]+\/[\w./-]*\.(?:ts|tsx|sql|css)|[\w.-]+(?:\/[\w.-]+)+\/)`/g)].flatMap(
    ([, name = '']) => (paths.some((each) => `/${each}`.includes(`/${name}`)) ? [] : [`${path}: ${name}`]),
  )

describe('the pages of the project', () => {
  test('have only links that lead to files and headings that exist', async () => {
    const pages = await listFiles(root, ['*.md'])
    assert.ok(pages.length > 80, String(pages.length))
    assert.deepEqual(
      pages.flatMap((path) => brokenLinksIn(path, read(path))),
      [],
    )
    const planted =
      '[a](docs/missing.md) [b](README.md#missing) [c](https://example.com) [d](docs/cli.md) `[e](f.md)`'
    assert.deepEqual(brokenLinksIn('a.md', planted), ['a.md: docs/missing.md', 'a.md: README.md#missing'])
  })

  test('about the releases have at most 12 lines for each, and a page with all changes', () => {
    const [, , ...releases] = read('CHANGELOG.md').split(/^## /m)
    assert.ok(releases.length > 1)
    for (const release of releases) {
      const [, version = ''] = /^\[([\d.]+)\]/.exec(release) ?? []
      assert.ok(existsSync(join(root, `docs/changes/${version}.md`)), version)
      assert.ok(release.trim().split('\n').length <= 13, `${version} has too many lines`)
    }
  })

  test('about the inside name only files and folders that exist', async () => {
    const paths = await listFiles(root, ['*'])
    const pages = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...(await listFiles(root, ['docs/inside/*.md']))]
    assert.deepEqual(
      pages.flatMap((path) => missingFilesIn(path, read(path), paths)),
      [],
    )
    const planted = '`http/server.ts`, `http/missing.ts`, `services/pipe/relay/` and `services/missing/`'
    assert.deepEqual(missingFilesIn('a.md', planted, paths), [
      'a.md: http/missing.ts',
      'a.md: services/missing/',
    ])
  })
})

describe('ARCHITECTURE.md', () => {
  const page = read('ARCHITECTURE.md')

  test('is one page with one drawing', () => {
    const words = page.split(/\s+/).length
    assert.ok(words <= 1_400, `${words} words: move what is about one part to docs/inside/`)
    assert.equal(page.match(/^```mermaid$/gm)?.length, 1)
  })

  test('leads through ten files that exist, in their order', () => {
    const rows = [...page.matchAll(/^\| (\d+)\. `([^`]+)` \|/gm)]
    assert.deepEqual(
      rows.map(([, place]) => Number(place)),
      Array.from({ length: 10 }, (_, at) => at + 1),
    )
    for (const [, , path = ''] of rows) assert.ok(existsSync(join(root, path)), path)
  })

  test('has a row for every folder of the repository, and leads to every page about the inside', async () => {
    const folders = new Set((await listFiles(root, ['*/**'])).map((path) => path.split('/', 1)[0] ?? ''))
    for (const folder of folders)
      if (!/^(\.|docs$|script$)/.test(folder)) assert.ok(page.includes(`\n| \`${folder}/\` |`), folder)
    for (const inside of await listFiles(root, ['docs/inside/*.md']))
      assert.ok(page.includes(`(${inside})`), inside)
  })
})
