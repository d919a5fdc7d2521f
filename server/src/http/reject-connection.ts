import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { endSocket } from '../lib/end-socket.ts'
import { Problem } from '../lib/problem.ts'
import type { Clock } from '../ports/clock/clock.ts'
import { canonicalUrl } from './address.ts'
import { errorBody } from './error-response.ts'
import type { KnownMethods } from './known-methods.ts'

type InvalidInput = Error & { readonly code?: string; readonly rawPacket?: unknown }
/** Answers input that is not valid HTTP with the seven fields too, directly on the socket. */
export const rejectConnection = (
  error: InvalidInput,
  socket: Socket,
  { clock, methods }: { readonly clock: Clock; readonly methods: KnownMethods },
): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const allowed = methodsFor(error, methods)
  const problem = new Problem(allowed.length > 0 ? 'method_not_allowed' : codeOf(error))
  const body = errorBody(problem, { method: '', url: '', nowMs: clock.now() })
  const text = JSON.stringify(body)
  endSocket(
    socket,
    [
      `HTTP/1.1 ${body.statusCode} ${body.name}`,
      ...(allowed.length > 0 ? [`allow: ${allowed.join(', ')}`] : []),
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(text)}`,
      `x-request-id: ${randomUUID()}`,
      'connection: close',
      '',
      text,
    ].join('\r\n'),
  )
}

const codeOf = ({ code }: InvalidInput) => {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large'
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'malformed_request'
}

const firstLine = /^[A-Z]+ (\/\S*) HTTP\/1\.[01]\r\n/
const maxFirstLine = 4_096

/** The methods of the address, if only the method of the request is unknown: the parser of Node refuses it. */
const methodsFor = ({ code, rawPacket }: InvalidInput, methods: KnownMethods): readonly string[] => {
  if (code !== 'HPE_INVALID_METHOD' || !Buffer.isBuffer(rawPacket)) return []
  const [, url] = firstLine.exec(rawPacket.toString('latin1', 0, maxFirstLine)) ?? []
  const [path = ''] = url === undefined ? [] : canonicalUrl(url).split('?', 1)
  return url === undefined ? [] : (methods.at(path, url) ?? [])
}
