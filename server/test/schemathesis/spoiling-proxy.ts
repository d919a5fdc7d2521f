import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

/** What becomes of an answer of the server. It sees the request as `METHOD /path`. */
export type Spoil = (asked: string, answer: Answer) => Answer

/** A proxy in front of a server that spoils some of its answers. */
export const startSpoilingProxy = async (target: string, spoil: Spoil) => {
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = incoming
    const bytes = await buffer(incoming)
    const asked = `${method} ${url.split('?')[0]}`
    const { status, headers: answered, body } = spoil(asked, await send({ method, url, headers, bytes }))
    const { 'content-length': _length, 'transfer-encoding': _encoding, ...kept } = answered
    response.writeHead(status, kept as Record<string, string>)
    response.end(body)
  }
  const send = ({ method, url, headers, bytes }: Asked): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const options = { method, headers: { ...headers, 'accept-encoding': 'identity' } }
      const outgoing = request(`${target}${url}`, options, (answer) => {
        buffer(answer).then(
          (body) =>
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: body.toString() }),
          reject,
        )
      })
      outgoing.on('error', reject)
      outgoing.end(bytes)
    })
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Asked = {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
}
