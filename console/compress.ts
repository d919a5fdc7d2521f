import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const compressible = /\.(?:js|css|html|svg|json)$/

/** Which size of blocks (0: the library chooses) and which codes of distances compress best depends on the file. */
const smallestBrotli = async (bytes: Buffer, isTight: boolean): Promise<Buffer> => {
  const variants = [0, 16].flatMap((blocks) =>
    (isTight ? [0, 1, 2, 3] : [0]).flatMap((postfix) =>
      (isTight ? [0, 4, 15] : [0]).map((direct) => ({ blocks, postfix, direct })),
    ),
  )
  const made = await Promise.all(
    variants.map(({ blocks, postfix, direct }) =>
      promisify(brotliCompress)(bytes, {
        params: {
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          [constants.BROTLI_PARAM_LGBLOCK]: blocks,
          [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
          [constants.BROTLI_PARAM_NDIRECT]: direct << postfix,
        },
      }),
    ),
  )
  return made.reduce((best, one) => (one.length < best.length ? one : best))
}

/** Best compression takes seconds, once; the server then only reads files. */
export const compressAll = async (folder: string): Promise<void> => {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
  await Promise.all(
    paths
      .filter((path) => compressible.test(path))
      .map(async (path) => {
        const bytes = await readFile(path)
        await writeFile(`${path}.br`, await smallestBrotli(bytes, path.includes('/verify/')))
        await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
      }),
  )
}
