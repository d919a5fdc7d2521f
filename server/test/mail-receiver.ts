import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** Whom a mail is about, and to: `LOAD-7 mill@example.com`. */
type Key = string

export type MailReceiver = AsyncDisposable & {
  readonly url: string
  /** The Message-IDs of the mails that were accepted, in order; a mail that was sent twice is there twice. */
  readonly received: ReadonlyMap<Key, readonly string[]>
}

/** A mail server that accepts every mail and keeps only of whom it is, by what `about` finds in its subject. */
export const startMailReceiver = async (about: RegExp): Promise<MailReceiver> => {
  const received = new Map<Key, string[]>()
  const keep = (mail: string): void => {
    const [head = ''] = mail.split('\r\n\r\n', 1)
    const headers = head.replaceAll(/\r\n[ \t]+/g, ' ')
    const subject = /^Subject: (.*)$/im.exec(headers)?.[1] ?? ''
    const [, number] = about.exec(subject) ?? []
    const [, to = ''] = /^To: (.*)$/im.exec(headers) ?? []
    const [, id = ''] = /^Message-ID: (.*)$/im.exec(headers) ?? []
    if (number === undefined) return
    const key = `${number} ${to.trim()}`
    received.set(key, [...(received.get(key) ?? []), id])
  }
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    onData(stream, _session, done) {
      text(stream).then((mail) => {
        keep(mail)
        done()
      }, done)
    },
  })
  server.on('error', () => {})
  server.server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
}
