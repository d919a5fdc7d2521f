import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

/**
 * Puts the viewer of the API reference and its page into `built/reference/`. `script/bootstrap` calls it after `build.ts`,
 * whose script and style sheet the page names. The viewer is there only compressed: 1 MB instead of 4.
 */
const built = join(import.meta.dirname, 'built')
const viewer = join(dirname(fileURLToPath(import.meta.resolve('@scalar/api-reference/style.css'))), 'browser')
const { version } = JSON.parse(await readFile(join(viewer, '../../package.json'), 'utf8')) as {
  readonly version: string
}

const addresses = async (): Promise<(source: string) => string> => {
  const manifest = JSON.parse(await readFile(join(built, 'app/manifest.json'), 'utf8')) as Readonly<
    Record<string, { readonly file: string } | undefined>
  >
  return (source) => {
    const file = manifest[source]?.file
    if (file === undefined) throw new Error(`The console was built without ${source}`)
    return `/console/${file}`
  }
}

const pageOf = (addressOf: (source: string) => string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · Millseal</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${addressOf('look/reference.css')}">
</head>
<body>
<nav class="top" aria-label="Millseal">
<a class="brand" href="/"><img src="/favicon.svg" alt="" width="24" height="24">Millseal</a>
<a href="/docs/guide">Documentation</a><a href="/docs/api" aria-current="page">API reference</a>
</nav>
<div id="reference" data-viewer="/docs/api/${version}/standalone.esm.js"></div>
<noscript><p>The API reference needs JavaScript. The same as a document: <a href="/openapi.json">openapi.json</a>.</p></noscript>
<script type="module" src="${addressOf('reference/start.ts')}"></script>
</body>
</html>
`

/** The highest quality would take five times as long for a twentieth. */
const compressed = async (file: string): Promise<Buffer> =>
  promisify(brotliCompress)(await readFile(file), { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })

/** Several scripts may build at the same time, so the folder appears at once and complete. */
const folder = await mkdtemp(join(import.meta.dirname, 'built-'))
try {
  await mkdir(join(folder, version, 'chunks'), { recursive: true })
  const chunks = (await readdir(join(viewer, 'chunks'))).map((name) => `chunks/${name}`)
  for (const name of ['standalone.esm.js', ...chunks.filter((chunk) => chunk.endsWith('.js'))])
    await writeFile(join(folder, version, `${name}.br`), await compressed(join(viewer, name)))
  await writeFile(join(folder, 'page.html'), pageOf(await addresses()))
  await writeFile(join(folder, 'stamp'), '')
  await rm(join(built, 'reference'), { recursive: true, force: true })
  await rename(folder, join(built, 'reference'))
} finally {
  await rm(folder, { recursive: true, force: true })
}
