import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/** A file of an installed package. */
export const fileOf = (packageName: string, path: string): string =>
  join(dirname(require.resolve(`${packageName}/package.json`)), path)

/** A file that a package exports. */
export const exportOf = (specifier: string): string => require.resolve(specifier)
