import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What `console/build.ts` made. The folder is part of an installation, not a package that is imported. */
const folder = fileURLToPath(new URL('../../../../console/built', import.meta.url))

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

export type BuiltFile = {
  readonly type: string
  /** Absent if the file is there only compressed. */
  readonly plain: Buffer | undefined
  readonly br: Buffer | undefined
  readonly gzip: Buffer | undefined
}

let files: ReadonlyMap<string, BuiltFile> | undefined

export const yearSeconds = 31_536_000

/** The files by their path in the folder. Read once, when the first one is asked for; about 6 MB. */
export const builtFiles = (): ReadonlyMap<string, BuiltFile> => {
  files ??= readAll()
  return files
}

const readAll = (): ReadonlyMap<string, BuiltFile> => {
  if (!existsSync(folder)) throw new Error('The console is not built: run script/bootstrap')
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
  const existing = new Set(paths)
  const read = (path: string) => (existing.has(path) ? readFileSync(join(folder, path)) : undefined)
  const names = new Set(paths.map((path) => path.replace(/\.(?:br|gz)$/, '')))
  return new Map(
    [...names]
      .filter((path) => types[extname(path)] !== undefined)
      .map((path) => [
        path,
        {
          type: types[extname(path)] ?? '',
          plain: read(path),
          br: read(`${path}.br`),
          gzip: read(`${path}.gz`),
        },
      ]),
  )
}

/** A file of the build as text, such as a page that is filled in for each request. */
export const builtText = (path: string): string => {
  const file = builtFiles().get(path)
  if (file?.plain === undefined)
    throw new Error(`The console was built without ${path}: run script/bootstrap`)
  return file.plain.toString('utf8')
}

/** The address of a source file of the console after the build, which names it by its content. */
export const builtAddress = (source: string): string => {
  manifest ??= JSON.parse(readFileSync(join(folder, 'app/manifest.json'), 'utf8'))
  const file = manifest?.[source]?.file
  if (file === undefined) throw new Error(`The console was built without ${source}`)
  return `/console/${file}`
}

let manifest: Readonly<Record<string, { readonly file: string }>> | undefined

/** Sends the smallest form that the client accepts. */
export const sendBuiltFile = (
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, plain, br, gzip }: BuiltFile,
): FastifyReply => {
  const accepted = headers['accept-encoding'] ?? ''
  reply.type(type).header('vary', 'accept-encoding')
  if (br !== undefined && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(br)
  if (gzip !== undefined && /\bgzip\b/.test(accepted))
    return reply.header('content-encoding', 'gzip').send(gzip)
  if (plain === undefined && br !== undefined) return reply.send(brotliDecompressSync(br))
  return reply.send(plain)
}
