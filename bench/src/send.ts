import { Agent, request } from 'node:http'

const kept = new Agent({ keepAlive: true })

type Sent = {
  readonly headers?: Readonly<Record<string, string>>
  /** POSTed; without, the request is GET. */
  readonly body?: string | Uint8Array
  /** Every answer must have it. Without, each is good that is no fault of the server. */
  readonly status?: number
  readonly agent?: Agent
}

/** Waits for the whole answer and does not read it. A client on bare sockets would leave the server 15 % more to answer. */
export const send = (url: string, { headers = {}, body, status, agent = kept }: Sent = {}): Promise<void> =>
  new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST'
    const sent = request(url, { method, agent, headers }, (answer) => {
      const { statusCode = 500 } = answer
      const isGood = status === undefined ? statusCode < 500 : statusCode === status
      if (!isGood) reject(new Error(`${url} answered ${statusCode}`))
      answer.once('end', resolve).resume()
    })
    sent.once('error', reject).end(body)
  })
