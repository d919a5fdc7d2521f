import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

type Runtime = {
  readonly init: (server: object, settings: object) => void
  readonly start: () => Promise<void>
  readonly httpNode: (request: object, response: object) => void
  readonly events: { readonly once: (name: string, listener: () => void) => void }
}

/** Node-RED without its editor: `node node-red-process.ts <installation> <folder with flows.json>`. */
const [, , installed = '', folder = ''] = process.argv
const red = createRequire(join(installed, 'package.json'))('node-red') as Runtime
const server = createServer((request, response) => red.httpNode(request, response))
red.init(server, {
  userDir: folder,
  flowFile: 'flows.json',
  httpAdminRoot: false,
  httpNodeRoot: '/',
  credentialSecret: false,
  telemetry: { enabled: false, updateNotification: false },
  logging: { console: { level: 'warn' } },
})
red.events.once('flows:started', () => {
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    process.stdout.write(`ready http://127.0.0.1:${port}\n`)
  })
})
await red.start()
