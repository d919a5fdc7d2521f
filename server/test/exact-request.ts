import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'

export type ExactAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The text as a JSON object; what clients of this API always parse. */
  readonly body: Record<string, unknown>
}

export type ExactRequest = {
  readonly method: string
  /** As written in the first line, with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends exactly the headers that were recorded from the clients; no library adds or removes one. */
export const sendExactly = (
  url: string,
  { method, path, headers, body }: ExactRequest,
): Promise<ExactAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const sent = request(
      {
        hostname,
        port,
        path,
        method,
        setDefaultHeaders: false,
        headers: { ...headers, ...length, Host: `${hostname}:${port}`, Connection: 'close' },
      },
      (response) => {
        buffer(response).then((bytes) => {
          const text = bytes.toString('utf8')
          const isJson = response.headers['content-type']?.startsWith('application/json') === true
          const parsed = isJson ? (JSON.parse(text) as Record<string, unknown>) : {}
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parsed })
        }, reject)
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })
