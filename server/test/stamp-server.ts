import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type Authority, readAuthority } from '@millseal/proof'
import { answerTo, certify, extensions } from '@millseal/proof/node/stamp-authority'

export type StampServer = AsyncDisposable & {
  readonly url: string
  readonly authority: Authority
  /** The root certificate in DER. */
  readonly root: Uint8Array
  /** How many questions it was asked. */
  readonly asked: number
  /** From now on it answers with status 503, or not any more. */
  setAway(isAway: boolean): void
  /** From now on it has this time, or that of the machine. */
  setTime(time: string | undefined): void
}

/** An authority for time stamps that works: RFC 3161 over HTTP. */
export const startStampServer = async (name: string): Promise<StampServer> => {
  const root = certify({ subject: `${name} root`, more: [extensions.authority] })
  const signer = certify({ subject: name, by: root })
  let asked = 0
  let isAway = false
  let time: string | undefined
  const server = createServer((request, response) => {
    asked += 1
    void buffer(request).then((question) => {
      if (isAway) return response.writeHead(503).end()
      const now = time ?? `${new Date().toISOString().slice(0, 19)}Z`
      const answer = answerTo(question, { signer, certificates: [root.bytes, signer.bytes], time: now })
      return response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(answer)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    authority: readAuthority(name, root.bytes),
    root: root.bytes,
    get asked() {
      return asked
    },
    setAway: (away) => {
      isAway = away
    },
    setTime: (wanted) => {
      time = wanted
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
