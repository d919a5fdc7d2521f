import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { verifyMicroseconds } from './calibration.ts'
import { load } from '../load.ts'
import { openMill, type Server, signUp, startServer } from '../product.ts'
import { alternate, type Timed } from '../rounds.ts'
import type { Bench, Report } from '../row.ts'

/** The highest limit that a server accepts: it counts every call and refuses none. */
const countingOnly = { MILLSEAL_RATE_LIMIT: '1000000' }

export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const startSignedIn = async (name: string, environment = {}) => {
    const dataDir = join(folder, name)
    const server = await startServer(dataDir, environment)
    const token = await signUp(server, dataDir)
    return {
      ...server,
      token,
      headers: { authorization: `Bearer ${token}` },
      [Symbol.asyncDispose]: server[Symbol.asyncDispose],
    }
  }
  await using off = await startSignedIn('off')
  await compareWithBare(off, report)
  await refuseTokens(off, report)
  await claimKeys(off, report)
  await using on = await startSignedIn('on', countingOnly)
  await compareLimits(on, off, report)
}

type SignedIn = Server & {
  readonly token: string
  readonly headers: { readonly authorization: string }
}

/** The cost of the whole stack (routes, checks, headers, metrics, log) without a database. */
const compareWithBare = async ({ url, pid }: SignedIn, report: Report): Promise<void> => {
  const health = `${url}/api/health`
  await using bare = await startBare(health)
  const { rounds, median } = await alternate({
    ours: () => load(pid, 200, { url: health }),
    bare: () => load(process.pid, 200, { url: bare.url }),
  })
  report.rate('GET /api/health, 50 clients', median.ours)
  report.value('… p99', median.ours.p99Ms, 'ms')
  report.rate('bare node:http answering the same bytes', median.bare)
  const ratios = (of: (timed: Timed) => number) => rounds.map(({ ours, bare: other }) => of(ours) / of(other))
  report.ratio(
    '… throughput, ours : bare',
    ratios((timed) => timed.perSecond),
  )
  report.ratio(
    '… processor time, ours : bare',
    ratios((timed) => timed.cpuMicroseconds),
  )
}

/** In this process, which is otherwise idle. */
const startBare = async (model: string): Promise<AsyncDisposable & { readonly url: string }> => {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(model, { agent: false }, resolve).once('error', reject)
  })
  const body = await text(response)
  const headers = Object.entries(response.headers)
    .filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
    .flatMap(([name, value]) => [name, String(value)])
  const server = createServer((_request, answer) => answer.writeHead(200, headers).end(body))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => void server.close()
  return { url: `http://127.0.0.1:${port}/api/health`, [Symbol.asyncDispose]: close }
}

/** Neither request reaches the database. Only the signature is altered, so that everything before it passes. */
const refuseTokens = async ({ url, pid, headers }: SignedIn, report: Report): Promise<void> => {
  const [head = '', content = '', signature = ''] = headers.authorization.split('.')
  const otherSignature = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  const authorization = [head, content, otherSignature].join('.')
  const me = `${url}/api/users/me`
  const { median } = await alternate({
    without: () => load(pid, 401, { url: me }),
    checked: () => load(pid, 401, { url: me, headers: { authorization } }),
    bare: () => verifyMicroseconds(200),
  })
  report.rate('GET /api/users/me refused without a token', median.without)
  report.rate('… refused because of its signature', median.checked)
  const microseconds = median.checked.cpuMicroseconds - median.without.cpuMicroseconds
  if (microseconds < median.bare / 2)
    throw new Error(`Checking a token took ${microseconds.toFixed(0)} µs: no signature was checked`)
  report.cpu('… the difference: processor time of one check', microseconds, 'µs')
}

/** A request that commits one row and one event. With a key its transaction also claims it and stores the answer. */
const claimKeys = async (server: SignedIn, report: Report): Promise<void> => {
  const { api, headers } = await openMill(server, server.token)
  const hook = { scopes: [{ resource: 'applications', actions: ['update_one'], mode: 'test' }] }
  await api('POST', '/mailhooks', hook)
  const order = {
    url: `${server.url}/api/mailhooks`,
    method: 'POST',
    headers,
    bodies: [JSON.stringify(hook)],
  } as const
  const { rounds, median } = await alternate({
    plain: () => load(server.pid, 201, order),
    keyed: () => load(server.pid, 201, { ...order, uniqueHeader: 'idempotency-key' }),
  })
  report.rate('POST /api/mailhooks without a key, 50 clients', median.plain)
  report.value('… p99', median.plain.p99Ms, 'ms')
  report.rate('… with a new Idempotency-Key each', median.keyed)
  report.value('… p99', median.keyed.p99Ms, 'ms')
  report.ratio(
    '… throughput, with a key : without',
    rounds.map(({ keyed, plain }) => keyed.perSecond / plain.perSecond),
  )
}

/** All clients share one address, and so one counter. */
const compareLimits = async (on: SignedIn, off: SignedIn, report: Report): Promise<void> => {
  const path = `/api/users/confirm-email?token=${'x'.repeat(43)}`
  const confirm = ({ url, pid }: SignedIn) => load(pid, 401, { url: `${url}${path}` })
  const me = ({ url, pid, headers }: SignedIn) => load(pid, 200, { url: `${url}/api/users/me`, headers })
  const { rounds, median } = await alternate({
    confirmOff: () => confirm(off),
    confirmOn: () => confirm(on),
    meOff: () => me(off),
    meOn: () => me(on),
  })
  const show = (label: string, timed: Timed, atMost?: number): void => {
    report.rate(label, timed)
    report.value('… p50', timed.p50Ms, 'ms')
    report.value('… p99', timed.p99Ms, 'ms', atMost === undefined ? {} : { goal: { atMost } })
  }
  show('GET /api/users/confirm-email (401), rate limit off', median.confirmOff)
  show('GET /api/users/confirm-email (401), rate limit on', median.confirmOn)
  const confirmRatios = rounds.map(({ confirmOn, confirmOff }) => confirmOn.perSecond / confirmOff.perSecond)
  report.ratio('… throughput, on : off', confirmRatios)
  show('GET /api/users/me, rate limit off', median.meOff, 30)
  show('GET /api/users/me, rate limit on', median.meOn, 30)
  const meRatios = rounds.map(({ meOn, meOff }) => meOn.perSecond / meOff.perSecond)
  report.ratio('… throughput, on : off', meRatios)
}
