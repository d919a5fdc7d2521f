import { fileURLToPath } from 'node:url'

/** Nothing listens there. */
const closedPort = 'http://127.0.0.1:0'
const nowhere = fileURLToPath(new URL('main.ts/nowhere', import.meta.url))

/**
 * The whole environment of a rendering process. Typst would fetch packages that a layout imports, so there is no
 * working proxy and no folder for packages. `fonts.conf` excludes the fonts of the machine.
 */
export const environment: Readonly<Record<string, string>> = {
  HOME: nowhere,
  XDG_DATA_HOME: nowhere,
  XDG_CACHE_HOME: nowhere,
  XDG_CONFIG_HOME: nowhere,
  FONTCONFIG_FILE: fileURLToPath(new URL('fonts.conf', import.meta.url)),
  HTTP_PROXY: closedPort,
  HTTPS_PROXY: closedPort,
  ALL_PROXY: closedPort,
  TZ: 'UTC',
  LANG: 'C',
  // The pool already uses every core; threads of the engine would compete with the other processes.
  RAYON_NUM_THREADS: '1',
}
