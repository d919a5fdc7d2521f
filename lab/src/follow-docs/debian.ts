import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { lacksPackage } from '../../../server/test/debian-package.ts'
import { eventually } from '../../../server/test/eventually.ts'
import { endWithParent } from '../../../server/test/rabbitmq.ts'

const run = promisify(execFile)

/** What runs as root in a container is nearly root of this machine: never run what others wrote. */
export interface Debian extends AsyncDisposable {
  /** Of its file system. */
  readonly root: string
  /** Runs a script of bash as root, with an empty environment, and passes on its lines. Resolves with the exit code. */
  run(script: string, onLine: (line: string) => void): Promise<number>
}

const programs = [
  { name: 'debootstrap', file: '/usr/sbin/debootstrap' },
  { name: 'slirp4netns', file: '/usr/bin/slirp4netns' },
]

/** Why no Debian can be installed on this machine, or false. */
export const lacksDebian = async (): Promise<string | false> => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'a Debian in a container needs root on Linux'
  for (const program of programs) {
    const lacking = await lacksPackage(program)
    if (lacking !== false) return lacking
  }
  return false
}

const starter = join(import.meta.dirname, 'container.sh')
const host = 'millseal.example.com'
/** Of slirp4netns. */
const nameServer = '10.0.2.3'
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const authorities = '/usr/local/share/ca-certificates'

/** A fresh Debian of this release (`bookworm`) that runs systemd, with processes, names and a network of its own. */
export const openDebian = async (release: string): Promise<Debian> => {
  await using opened = new AsyncDisposableStack()
  // Only root may look into it from outside; inside, everybody must.
  const folder = await mkdtemp(join(tmpdir(), 'millseal-debian-'))
  opened.defer(() => run('rm', ['-rf', '--one-file-system', folder]).then(() => {}))
  const root = join(folder, 'root')
  await mkdir(root, { mode: 0o755 })
  await install(root, release)
  const leader = await startSystemd(opened, root)
  await connect(opened, leader)
  const execute = async (script: string, onLine: (line: string) => void): Promise<number> => {
    const command = ['env', '-i', `PATH=${path}`, 'HOME=/root', 'bash', '-c', `cd\n${script}`]
    const child = spawn('nsenter', ['--target', leader, '--all', ...command], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const exited = once(child, 'exit') as Promise<[number | null]>
    await Promise.all([passOn(child.stdout, onLine), passOn(child.stderr, onLine)])
    return (await exited)[0] ?? 1
  }
  await eventually(
    async () => {
      const states: string[] = []
      await execute('systemctl is-system-running || true', (line) => states.push(line))
      return states.some((state) => ['running', 'degraded'].includes(state))
    },
    { what: 'systemd runs', everyMs: 200 },
  )
  const owned = opened.move()
  return { root, run: execute, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** As the installer of Debian leaves it, and able to reach the registries that this machine can reach. */
const install = async (root: string, release: string): Promise<void> => {
  const included = '--include=systemd-sysv,ca-certificates'
  await run('debootstrap', ['--variant=minbase', included, release, root], { maxBuffer: 2 ** 26 })
  const write = (name: string, text: string) => writeFile(join(root, 'etc', name), text)
  await write('hostname', 'debian\n')
  await write('hosts', `127.0.0.1 localhost\n127.0.1.1 debian\n127.0.0.1 ${host}\n`)
  await rm(join(root, 'etc/resolv.conf'), { force: true })
  await write('resolv.conf', `nameserver ${nameServer}\n`)
  // Nobody needs this file system after a power failure.
  await write('dpkg/dpkg.cfg.d/unsafe-io', 'force-unsafe-io\n')
  const names = existsSync(authorities) ? await readdir(authorities) : []
  if (names.length === 0) return
  await cp(authorities, join(root, authorities), { recursive: true })
  await run('chroot', [root, 'update-ca-certificates'], { env: { PATH: path } })
  await writeFile(join(root, 'root/.npmrc'), 'cafile=/etc/ssl/certs/ca-certificates.crt\n')
}

/** Resolves with the first process of the container, as this machine numbers it. */
const startSystemd = async (opened: AsyncDisposableStack, root: string): Promise<string> => {
  const group = join(await findControlGroups(), basename(dirname(root)))
  opened.defer(() => removeControlGroup(group))
  const container = start(opened, [starter, root, group])
  let leader = ''
  await eventually(
    async () => {
      if (container.exitCode !== null) throw new Error('The container did not start')
      const { pid } = container
      const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
      for (const child of children.trim().split(' ')) {
        const name = await readFile(`/proc/${child}/comm`, 'utf8').catch(() => '')
        if (name.trim() === 'systemd') leader = child
      }
      return leader !== ''
    },
    { what: 'the container starts', everyMs: 100 },
  )
  return leader
}

/** Where the control groups of version 2 are mounted. */
const findControlGroups = async (): Promise<string> => {
  const mounts = await readFile('/proc/self/mounts', 'utf8')
  const found = mounts.split('\n').find((line) => line.split(' ')[2] === 'cgroup2')
  if (found === undefined) throw new Error('This machine has no control groups of version 2')
  return found.split(' ')[1] ?? ''
}

/** It is empty only some time after its last process was killed. */
const removeControlGroup = async (group: string): Promise<void> => {
  const remove = () => run('find', [group, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', '+'])
  await eventually(
    () =>
      !existsSync(group) ||
      remove().then(
        () => true,
        () => false,
      ),
    {
      what: `${group} is empty`,
      everyMs: 100,
    },
  )
}

/** A program that ends with what was opened, and with this process. */
const start = (opened: AsyncDisposableStack, command: readonly string[]): ChildProcess => {
  const child = spawn('sh', ['-c', endWithParent, 'sh', ...command], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
    detached: true,
  })
  opened.defer(async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    process.kill(-child.pid, 'SIGKILL')
    await ended
  })
  return child
}

/** Outgoing connections only, and none to this machine. */
const connect = async (opened: AsyncDisposableStack, leader: string): Promise<void> => {
  const network = start(opened, [
    '/usr/bin/slirp4netns',
    '--configure',
    '--disable-host-loopback',
    '--ready-fd=4',
    leader,
    'tap0',
  ])
  const ready = network.stdio[4]
  if (ready === null || ready === undefined)
    throw new Error('slirp4netns has no descriptor to say that it is ready')
  await Promise.race([once(ready, 'data'), once(network, 'exit')])
  if (network.exitCode !== null) throw new Error('slirp4netns did not start')
}

const passOn = async (input: NodeJS.ReadableStream, onLine: (line: string) => void): Promise<void> => {
  for await (const line of createInterface({ input })) onLine(line)
}
