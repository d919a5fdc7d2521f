import { Pool } from 'undici'
import { type Answer, faultsOf } from './check-answer.ts'
import type { ApiOperation } from './read-api.ts'
import type { FuzzRequest } from './requests.ts'
import type { Validators } from './validators.ts'

export type Actor = { readonly name: string; readonly token: string; readonly company: string }

export type Asker = {
  readonly ask: (operation: ApiOperation, request: FuzzRequest, actor?: Actor) => Promise<Answer | undefined>
  /** One of each kind for each operation: the first one, with what shows it again. */
  readonly findings: () => readonly string[]
  readonly find: (fault: string, operation: ApiOperation, request: FuzzRequest) => void
  readonly requests: () => number
  /** The operations that ever succeeded. */
  readonly accepted: ReadonlySet<string>
  readonly close: () => Promise<void>
}

/** A stream without events waits 20 s for one. */
const answerWithinMs = 60_000

/** Sends requests to a service and compares each answer with its document. */
export const createAsker = (url: string, validators: Validators): Asker => {
  const timeouts = { headersTimeout: answerWithinMs, bodyTimeout: answerWithinMs }
  const pool = new Pool(url, { connections: 1, ...timeouts })
  const findings = new Map<string, string>()
  const accepted = new Set<string>()
  let requests = 0

  const find = (fault: string, operation: ApiOperation, request: FuzzRequest, more = ''): void => {
    const key = `${operation.id}: ${fault.replaceAll(/[0-9a-f-]{36}/g, 'id')}`
    if (!findings.has(key)) findings.set(key, `${operation.id}: ${fault}\n  ${shown(request)}${more}`)
  }

  const ask: Asker['ask'] = async (operation, request, actor) => {
    requests += 1
    const by = ` as ${actor?.name ?? 'nobody'}`
    try {
      const answer = await send(pool, request, actor?.token)
      const { wrong } = request
      const expected = { operation, wrong, validatorOf: validators.ofAnswers }
      for (const fault of faultsOf(answer, expected))
        find(
          fault,
          operation,
          request,
          `${by}\n  ${answer.status} ${answer.body.toString('utf8').slice(0, 300)}`,
        )
      if (answer.status < 400) accepted.add(operation.id)
      return answer
    } catch (error) {
      find(`no answer: ${String(error)}`, operation, request, by)
      return undefined
    }
  }

  return {
    ask,
    find,
    findings: () => [...findings.values()],
    requests: () => requests,
    accepted,
    close: () => pool.destroy(),
  }
}

const shown = ({ method, path, headers, body }: FuzzRequest): string =>
  `${method} ${path.slice(0, 200)} ${JSON.stringify(headers)}${body === undefined ? '' : ` ${String(body).slice(0, 300)}`}`

const send = async (
  pool: Pool,
  { method, path, headers, body }: FuzzRequest,
  token?: string,
): Promise<Answer> => {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await pool.request({
    method,
    path,
    headers: { ...headers, ...authorization },
    body: body ?? null,
  })
  const bytes = await response.body.arrayBuffer()
  return { status: response.statusCode, headers: response.headers, body: Buffer.from(bytes) }
}
