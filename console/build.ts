import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compressAll } from './compress.ts'
import { namesToShorten } from './short-names.ts'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

/**
 * Builds what the server serves to browsers into `built/`, with compressed copies. `script/bootstrap` calls it. With
 * `--pages`, only what the server's own pages need, and uncompressed: a second instead of twenty.
 */
const here = import.meta.dirname
const target = join(here, 'built')
const isPages = process.argv.includes('--pages')

/** Builds the console, and resolves with the ids of the modules in it. */
/** What every screen needs is one file, which compresses better than several. */
const shared =
  /console\/src\/(?:shell\/(?!ended-dialog)|api|routes)|node_modules\/(?:react|react-dom|scheduler|@tanstack\/(?:history|store|react-store|react-router|router-core|react-query|query-core))\//

const buildApp = async (outDir: string): Promise<string[]> => {
  const built = await build({
    root: join(here, 'src'),
    configFile: false,
    logLevel: 'warn',
    base: '/console/',
    plugins: [
      { ...optimizeLocales.vite({ locales: ['en-US', 'en-GB', 'de-DE'] }), enforce: 'pre' as const },
      react(),
    ],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2024',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      manifest: 'manifest.json',
      // The budgets of the console are of the compressed sizes, and a test keeps them.
      chunkSizeWarningLimit: 1_000,
      rolldownOptions: {
        output: {
          codeSplitting: { groups: [{ name: 'shell', test: shared }] },
        },
        input: [
          ...(isPages ? [] : [join(here, 'src/index.html')]),
          join(here, 'src/look/page.css'),
          join(here, 'src/look/reference.css'),
          join(here, 'src/reference/start.ts'),
          join(here, 'src/look/guide.css'),
          join(here, 'src/sign-in/passkey.ts'),
          join(here, 'src/verify/sample.ts'),
        ],
      },
    },
  })
  if (!('output' in built)) throw new Error('Vite did not finish the build')
  return built.output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
}

/** The packages that these modules come from. Their licences apply to what we ship. */
const packagesOf = async (
  modules: readonly string[],
): Promise<{ readonly name: string; readonly version: string; readonly licence: string }[]> => {
  const names = modules.flatMap((id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? [])
  return await Promise.all(
    [...new Set([...names, '@fontsource/ibm-plex-sans', '@scalar/api-reference'])]
      .toSorted()
      .map(async (name) => {
        const text = await readFile(join(here, '../node_modules', name, 'package.json'), 'utf8')
        const { version, license } = JSON.parse(text) as {
          readonly version: string
          readonly license: string
        }
        return { name, version, licence: license }
      }),
  )
}

const verifyStyle = await readFile(join(here, 'src/verify/style.css'), 'utf8')

/** Every byte counts there: only the tokens that its style sheet names, for an element instead of a page. */
const tokensOfElement = (css: string, id: string): string | undefined => {
  if (!id.includes('/look/tokens.css')) return undefined
  const isUsed = (line: string): boolean => {
    const name = /^\s*(--[\w-]+):/.exec(line)?.[1]
    return name === undefined || verifyStyle.includes(`var(${name})`)
  }
  return css
    .replace(/:root\[data-theme[^}]*\}/g, '')
    .replaceAll(':root', ':host')
    .split('\n')
    .filter(isUsed)
    .join('\n')
}

const elementIn = async (output: { minify: false } | { minify: { mangleProps: { include: RegExp } } }) => {
  const built = await build({
    root: join(here, 'src/verify'),
    configFile: false,
    logLevel: 'warn',
    plugins: [{ name: 'used-tokens', enforce: 'pre', transform: tokensOfElement }],
    build: {
      write: false,
      target: 'esnext',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: join(here, 'src/verify/main.ts'),
        output: { format: 'es', ...output },
        // Nothing in it acts while it is read, except main.ts.
        treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
      },
    },
  })
  const [chunk, ...others] = 'output' in built ? built.output : []
  if (chunk?.type !== 'chunk' || others.length > 0) throw new Error('The element must be one file')
  return chunk
}

/** Parts of the typeface of the console, in the page itself: decision 54. The element uses it if the page has it. */
const typefaceOfPages = async (): Promise<string> => {
  const faces = [400, 600].map(async (weight) => {
    const data = await readFile(join(here, `src/verify/typeface/${weight}.woff2`), 'base64')
    return `@font-face{font-family:"IBM Plex Sans";font-weight:${weight};src:url(data:font/woff2;base64,${data})}`
  })
  return (await Promise.all(faces)).join('')
}

/** The element that verifies certificates, in one file, and the two pages around it: docs/receive-and-verify.md. */
const buildVerify = async (outDir: string): Promise<readonly string[]> => {
  const { modules } = await elementIn({ minify: false })
  const chunk = await elementIn({ minify: { mangleProps: { include: namesToShorten(modules) } } })
  const code = chunk.code.trim()
  if (/<\/script|<!--/i.test(code))
    throw new Error('The element cannot be a part of a page: it contains a tag')
  const hash = (algorithm: string, text = code) => createHash(algorithm).update(text).digest('base64')
  const typeface = await typefaceOfPages()
  const style = `style-src 'sha256-${hash('sha256', typeface)}'; font-src data:`
  const written = await readFile(join(here, 'src/verify/page.html'), 'utf8')
  const page = written.replace('<!-- typeface -->', `<style>${typeface}</style>`)
  const version = createHash('sha256').update(code).digest('hex').slice(0, 12)
  const offlinePolicy = `default-src 'none'; script-src 'sha256-${hash('sha256')}'; ${style}; frame-src blob:; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`
  const offline = page
    .replace('<!-- policy -->', `<meta http-equiv="content-security-policy" content="${offlinePolicy}">`)
    .replace('<millseal-verify page>', '<millseal-verify page server="">')
    .replace('<!-- script -->', () => `<script type="module">${code}</script>`)
  const online = page
    .replace('<!-- policy -->\n', '')
    .replace(
      '<!-- script -->',
      `<script type="module" src="/verify/millseal-verify.js?v=${version}"></script>`,
    )
  await mkdir(outDir, { recursive: true })
  for (const [name, text] of [
    ['millseal-verify.js', code],
    ['page.html', online],
    ['offline.html', offline],
    ['integrity.json', JSON.stringify({ version, integrity: `sha384-${hash('sha384')}`, style })],
  ] as const)
    await writeFile(join(outDir, name), text)
  return chunk.moduleIds
}

/** Several scripts may build at the same time, so the folder appears at once and complete. */
const folder = await mkdtemp(join(here, 'built-'))
try {
  const modules = [...(await buildApp(join(folder, 'app'))), ...(await buildVerify(join(folder, 'verify')))]
  await writeFile(join(folder, 'packages.json'), JSON.stringify(await packagesOf(modules), undefined, 2))
  // A sign-in leads to the page of the console, also if nothing on it works.
  if (isPages) await copyFile(join(here, 'src/index.html'), join(folder, 'app/index.html'))
  else await compressAll(folder)
  await writeFile(join(folder, isPages ? 'pages-stamp' : 'stamp'), '')
  await rm(target, { recursive: true, force: true })
  await rename(folder, target)
} finally {
  await rm(folder, { recursive: true, force: true })
}
