import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { type Agent, request } from 'node:https'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { makeSelfSigned } from '../src/adapters/broker/aedes/self-signed.ts'
import { lacksPackage } from './debian-package.ts'
import { eventually } from './eventually.ts'
import { freePort } from './server-process.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'
import { isOpen } from './open-port.ts'

export const proxyHost = 'millseal.example.com'

export interface ReverseProxy extends AsyncDisposable {
  readonly httpsPort: number
  /** Without TLS. */
  readonly httpPort: number
  /** For the questions of RabbitMQ. */
  readonly questionsUrl: string
  /** The certificate that clients trust. */
  readonly certificate: string
  /** Sends nothing new to this server until it is named no longer. Does nothing if the proxy asks for readiness itself. */
  withdraw(url: string | undefined): Promise<void>
}

type Prepared = {
  readonly folder: string
  readonly ports: { readonly http: number; readonly https: number; readonly questions: number }
  /** The servers behind it, host and port, in place of 127.0.0.1:8080 and those after it. */
  readonly servers: readonly string[]
}

export type ProxyKind = {
  readonly name: string
  readonly lacks: () => Promise<string | false>
  /** Ends it at once, with its own processes. */
  readonly stopSignal: 'SIGTERM' | 'SIGKILL'
  /** Writes the configuration, and returns the command that runs the proxy. */
  readonly prepare: (prepared: Prepared) => Promise<readonly string[]>
  /** Marks this server, and no other one, as one that gets nothing, and names what the proxy then writes to its log. */
  readonly mark?: (folder: string, host: string | undefined) => Promise<RegExp>
}

const deployed = join(import.meta.dirname, '../../deploy')
const nginx = '/usr/sbin/nginx'
const caddy = '/usr/bin/caddy'

const shippedServers = (servers: readonly string[]): (readonly [string, string])[] =>
  servers.map((server, index) => [`127.0.0.1:${8080 + index}`, server])

/** Fails if the file no longer has what the test must replace. */
const replace = (text: string, replacements: readonly (readonly [string, string])[]): string =>
  replacements.reduce((current, [before, after]) => {
    if (!current.includes(before)) throw new Error(`The configuration has no ${before}`)
    return current.replaceAll(before, after)
  }, text)

/** With these files below /etc/nginx/conf.d/. */
export const nginxWith = (sites: readonly string[]): ProxyKind => ({
  name: 'nginx',
  stopSignal: 'SIGTERM',
  lacks: () => lacksPackage({ name: 'nginx-light', file: nginx }),
  async prepare({ folder, ports, servers }) {
    const site = await Promise.all(sites.map((path) => readFile(path, 'utf8')))
    const configuration = replace(site.join('\n'), [
      ...shippedServers(servers),
      ['listen 80;', `listen 127.0.0.1:${ports.http};`],
      ['listen [::]:80;', ''],
      ['listen 443 ssl http2;', `listen 127.0.0.1:${ports.https} ssl http2;`],
      ['listen [::]:443 ssl http2;', ''],
      ['127.0.0.1:8090', `127.0.0.1:${ports.questions}`],
      ['/etc/ssl/millseal', folder],
    ])
    const file = join(folder, 'nginx.conf')
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
      .join(' ')
    await writeFile(
      file,
      `user root; daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/errors notice;\n` +
        `events {}\nhttp { access_log off; ${temporary}\n${configuration}\n}\n`,
    )
    return [nginx, '-e', join(folder, 'errors'), '-c', file]
  },
  async mark(folder, host) {
    const file = join(folder, 'nginx.conf')
    const configuration = (await readFile(file, 'utf8'))
      .replaceAll(/^( *server [\d.:]+ max_fails=.*?) down;$/gm, '$1;')
      .replaceAll(/^ *server ([\d.:]+) max_fails=.*?(?=;$)/gm, (line, found: string) =>
        found === host ? `${line} down` : line,
      )
    await writeFile(file, configuration)
    return /worker process \d+ exited/g
  },
})

export const proxies: readonly ProxyKind[] = [
  nginxWith([join(deployed, 'nginx/millseal.conf')]),
  {
    name: 'Caddy',
    stopSignal: 'SIGKILL',
    lacks: () => lacksPackage({ name: 'caddy', file: caddy }),
    async prepare({ folder, ports, servers }) {
      const site = await readFile(join(deployed, 'caddy/Caddyfile'), 'utf8')
      const configuration = replace(site, [
        ...shippedServers(servers),
        ['127.0.0.1:8090', `127.0.0.1:${ports.questions}`],
        ['# tls /etc/ssl/millseal', `tls ${folder}`],
        ['/etc/ssl/millseal', folder],
      ])
      const file = join(folder, 'Caddyfile')
      const global = `{\n\tadmin off\n\thttp_port ${ports.http}\n\thttps_port ${ports.https}\n\tdefault_bind 127.0.0.1\n}\n`
      await writeFile(file, `${global}${configuration}`)
      return [caddy, 'run', '--config', file, '--adapter', 'caddyfile']
    },
  },
]

/** The proxy of Debian with the file that operators use; only ports, paths and the certificate are others. */
export const startProxy = async (
  kind: ProxyKind,
  servers: readonly string[],
  hosts: readonly string[] = [proxyHost],
): Promise<ReverseProxy> => {
  await using opened = new AsyncDisposableStack()
  const { path: folder } = opened.use(await makeTemporaryFolder())
  const ports = { http: await freePort(), https: await freePort(), questions: await freePort() }
  const certificate = await makeCertificate(folder, hosts)
  const [command = '', ...args] = await kind.prepare({ folder, ports, servers: servers.map(hostOf) })
  await mkdir(join(folder, 'home'))
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'] ?? '', HOME: join(folder, 'home') },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  opened.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(kind.stopSignal)
    await once(child, 'exit')
  })
  for (const port of Object.values(ports)) {
    await eventually(
      () => {
        if (child.exitCode !== null) throw new Error(`${kind.name} did not start: ${said}`)
        return isOpen(port)
      },
      { what: `${kind.name} listens` },
    )
  }
  const stack = opened.move()
  const reloads = async (line: RegExp): Promise<number> =>
    (await readFile(join(folder, 'errors'), 'utf8')).match(line)?.length ?? 0
  return {
    async withdraw(url) {
      const line = await kind.mark?.(folder, url === undefined ? undefined : hostOf(url))
      if (line === undefined) return
      const before = await reloads(line)
      child.kill('SIGHUP')
      await eventually(async () => (await reloads(line)) > before, {
        what: `${kind.name} to use its new configuration`,
      })
    },
    httpPort: ports.http,
    httpsPort: ports.https,
    questionsUrl: `http://127.0.0.1:${ports.questions}`,
    certificate,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const hostOf = (url: string): string => `127.0.0.1:${new URL(url).port}`

const makeCertificate = async (folder: string, hosts: readonly string[]): Promise<string> => {
  const { certificate, key } = makeSelfSigned(hosts, new Date())
  await writeFile(join(folder, 'fullchain.pem'), certificate)
  await writeFile(join(folder, 'key.pem'), key)
  return certificate
}

export type Asked = {
  readonly path: string
  /** Default: that of the proxy. */
  readonly host?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The address of the caller, one of this machine. */
  readonly from?: string
  /** Keeps connections. Default: one for each request. */
  readonly agent?: Agent
  readonly signal?: AbortSignal
}

export type Answer = {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly text: string
}

/** A request over HTTPS. */
export const ask = (
  { httpsPort, certificate: ca }: ReverseProxy,
  { path, host = proxyHost, method = 'GET', headers = {}, body, from = '127.0.0.1', agent, signal }: Asked,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: httpsPort,
        servername: host,
        localAddress: from,
        ca,
        path,
        method,
        agent: agent ?? false,
        ...(signal === undefined ? {} : { signal }),
        headers: {
          host,
          ...headers,
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
        },
      },
      (answer) => {
        readText(answer).then(
          (read) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: read }),
          reject,
        )
      },
    )
    // A proxy that has answered may close the connection while the rest of the body is written.
    sent.on('error', reject)
    sent.end(body)
  })
