import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { OperationEntry } from '@millseal/contract'
import { nearest } from '@millseal/contract/nearest'
import { operationTable } from '@millseal/contract/operation-table'
import { ApiError, type ErrorResponse } from '@millseal/sdk'
import { callOptions, readCallToken } from '../calls/options.ts'
import { command } from '../frame/command.ts'
import type { Terminal } from '../frame/terminal.ts'
import { UsageError } from '../frame/usage-error.ts'
import { accessHelp, credentialHelp } from './credentials.ts'

export const api = command({
  args: ['method', 'path'],
  options: {
    body: { value: '<file>', about: 'send this file; - is standard input' },
    type: { value: '<type>', about: 'the media type of the body; default: what its first bytes say' },
    out: { value: '<file>', about: 'write the answer to this file' },
    key: { value: '<text>', about: 'the Idempotency-Key; default: a new one for each call' },
    ...callOptions,
  },
  description: `Calls the API and prints the answer as it is. <path> begins with /, and may have a query. For everything that has no
command of its own; the calls are listed at /docs/api of a server.

${credentialHelp}
${accessHelp}`,
  examples: [
    'millseal api GET "/certificates?mode=test&limit=5"',
    'millseal api POST /certificates/validate --body certificate.json',
    'millseal api GET /certificates/0198c2f4-6f0a-7c3e-9a51-2f0d6a1b7c44/pdf --out certificate.pdf',
  ],
  async run({ args: [method = '', path = ''], values, environment, terminal }) {
    const operation = findOperation(method.toUpperCase(), path)
    const { baseUrl, accessToken } = await readCallToken(values, environment, operation.access)
    const body = await readBody(values.body)
    const headers = new Headers({ accept: '*/*', 'x-version': '1' })
    const set = (name: string, value: string | undefined) => value === undefined || headers.set(name, value)
    set('authorization', accessToken === undefined ? undefined : `Bearer ${accessToken}`)
    set('company', values.company)
    set('idempotency-key', values.key ?? (operation.keyed === true ? randomUUID() : undefined))
    set('content-type', body === undefined ? undefined : (values.type ?? typeOf(body)))
    const address = `${baseUrl}/api${path}`
    const response = await fetch(address, { method: operation.method, headers, body, redirect: 'manual' })
    if (response.status >= 400)
      throw new ApiError(
        response,
        (await response.json().catch(() => undefined)) as ErrorResponse | undefined,
      )
    if (values.out === undefined) await printAnswer(response, terminal)
    else await writeAnswer(response, createWriteStream(values.out))
    return undefined
  },
})

const findOperation = (method: string, path: string): OperationEntry => {
  if (!path.startsWith('/')) throw new UsageError('<path> must begin with /')
  const [plain = ''] = path.split('?')
  const parts = plain.split('/')
  const all = Object.values(operationTable)
  const fits = all.filter((one) => {
    const wanted = one.path.split('/')
    return (
      wanted.length === parts.length &&
      wanted.every((part, at) => part === parts[at] || (part.startsWith('{') && parts[at] !== ''))
    )
  })
  // Of /hooks/test and /hooks/{id}, the first is meant.
  const [found] = fits
    .filter((one) => one.method === method)
    .toSorted((one, other) => one.path.split('{').length - other.path.split('{').length)
  if (found !== undefined) return found
  if (fits.length > 0)
    throw new UsageError(
      `${plain} has no ${method}, only ${[...new Set(fits.map((one) => one.method))].join(', ')}`,
    )
  const meant = nearest(plain, [...new Set(all.map((one) => one.path))])
  throw new UsageError(`the API has no ${plain}${meant === undefined ? '' : `, did you mean ${meant}?`}`)
}

const readBody = async (file: string | undefined): Promise<Buffer<ArrayBuffer> | undefined> => {
  if (file === undefined) return undefined
  return file === '-' ? Buffer.from(await buffer(process.stdin)) : await readFile(file)
}

const typeOf = (body: Buffer): string => {
  const start = body.subarray(0, 4).toString('latin1')
  if (start === '%PDF') return 'application/pdf'
  return start === 'PK\u0003\u0004' ? 'application/zip' : 'application/json'
}

const writeAnswer = async ({ body }: Response, target: NodeJS.WritableStream): Promise<void> => {
  if (body !== null) await pipeline(body, target, { end: target !== process.stdout })
}

/** Into a pipe byte for byte; on a terminal without what it would obey. */
const printAnswer = async (response: Response, terminal: Terminal): Promise<void> => {
  if (!process.stdout.isTTY) return await writeAnswer(response, process.stdout)
  const type = response.headers.get('content-type') ?? ''
  if (!/json|text/.test(type)) throw new UsageError(`the answer is ${type}: name a file with --out`)
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) terminal.print(text)
  terminal.print('\n')
}
