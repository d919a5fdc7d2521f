import { randomBytes, randomInt } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { createConnection, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseRefused } from '../refused.ts'
import { startDeadline } from '../../../lib/deadline.ts'

const answerMs = 1_000

/**
 * Locks a data folder for one process. Each process that wants the lock listens on a socket of its own in `socketFolder`
 * and then looks for others, so that at least one of two simultaneous processes sees the other. The kernel closes the
 * socket with the process, so a lock never becomes stale.
 */
export async function lockFolder(socketFolder: string, dataDir: string): Promise<AsyncDisposable> {
  const attempts = 5
  for (let attempt = 1; ; attempt++) {
    const claim = await Claim.make(socketFolder)
    const other = await claim.findOther()
    if (other === undefined) return claim.hold()
    await claim[Symbol.asyncDispose]()
    if (other.holds || attempt === attempts) {
      throw new DatabaseRefused(
        `The data folder ${dataDir} is in use by another millseal server (process ${other.pid}): stop it, or use a different folder`,
      )
    }
    // Both gave up: the first one to retry gets the lock.
    await delay(randomInt(20, 200))
  }
}

interface Other {
  readonly pid: string
  readonly holds: boolean
}

class Claim implements AsyncDisposable {
  readonly #folder: string
  readonly #name = `lock-${randomBytes(6).toString('hex')}`
  readonly #server: Server
  #holds = false

  private constructor(folder: string) {
    this.#folder = folder
    this.#server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end(`${process.pid} ${this.#holds ? 'holds' : 'asks'}`)
    })
  }

  /** The socket gets its name only when it answers: a socket that refuses connections belongs to a dead process. */
  static async make(folder: string): Promise<Claim> {
    const claim = new Claim(folder)
    const unready = join(folder, `${claim.#name}.new`)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    claim.#server.once('error', reject)
    claim.#server.listen(unready, resolve)
    await promise
    claim.#server.unref()
    await rename(unready, join(folder, claim.#name))
    return claim
  }

  async findOther(): Promise<Other | undefined> {
    for (const name of await claimsIn(this.#folder)) {
      if (name === this.#name) continue
      const other = await ask(join(this.#folder, name))
      if (other !== undefined) return other
      await rm(join(this.#folder, name), { force: true })
    }
    return undefined
  }

  hold(): this {
    this.#holds = true
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(join(this.#folder, this.#name), { force: true })
    this.#server.close()
  }
}

/** Returns the process that has the lock or is about to acquire it. Does not acquire it. */
export async function findHolder(socketFolder: string): Promise<Other | undefined> {
  const answers = await Promise.all(
    (await claimsIn(socketFolder)).map((name) => ask(join(socketFolder, name))),
  )
  return answers.find((other) => other !== undefined)
}

async function claimsIn(socketFolder: string): Promise<string[]> {
  return (await readdir(socketFolder)).filter((name) => /^lock-[0-9a-f]{12}$/.test(name))
}

/** Undefined if no process listens. A process that accepts connections is alive, even if it is too busy to answer. */
async function ask(path: string): Promise<Other | undefined> {
  const { promise, resolve } = Promise.withResolvers<Other | undefined>()
  const socket = createConnection(path)
  let answer = ''
  const conclude = (): void => {
    const [pid, state] = answer.split(' ')
    resolve({ pid: pid || 'unknown', holds: state !== 'asks' })
  }
  using _deadline = startDeadline(answerMs, () => socket.destroy())
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    answer += chunk
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(undefined)
  })
  socket.on('close', conclude)
  return await promise
}
