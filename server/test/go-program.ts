import { existsSync } from 'node:fs'

const places = ['/usr/local/go/bin/go', '/usr/bin/go', '/opt/homebrew/bin/go']

/** Go, also where PATH does not name its folder. */
export const goProgram = places.find((path) => existsSync(path)) ?? 'go'
