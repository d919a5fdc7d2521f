import { fileURLToPath } from 'node:url'

/** Nothing answers there. */
const nobody = 'http://127.0.0.1:0'
const nowhere = fileURLToPath(new URL('main.ts/nowhere', import.meta.url))

/**
 * All that a rendering process learns of its surroundings. Typst would fetch packages that a layout imports: there is no
 * way out and no folder to find them in. Nor are there fonts but ours: `fonts.conf` names none of the machine's.
 */
export const environment: Readonly<Record<string, string>> = {
  HOME: nowhere,
  XDG_DATA_HOME: nowhere,
  XDG_CACHE_HOME: nowhere,
  XDG_CONFIG_HOME: nowhere,
  FONTCONFIG_FILE: fileURLToPath(new URL('fonts.conf', import.meta.url)),
  HTTP_PROXY: nobody,
  HTTPS_PROXY: nobody,
  ALL_PROXY: nobody,
  TZ: 'UTC',
  LANG: 'C',
  // One document is one core's work: the engine's own threads would only compete with the other processes.
  RAYON_NUM_THREADS: '1',
}
