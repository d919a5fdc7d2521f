import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { eventually } from './eventually.ts'

type Step = 'greeting' | 'mail'

export type HoldingMailServer = AsyncDisposable & {
  readonly url: string
  /** Resolves when a client waits for the answer to the next one; what it resolves with sends the answer. */
  holdNext(step: Step): Promise<() => void>
  /** The accepted mails to this address, as raw messages. */
  mailsTo(address: string, atLeast: number): Promise<string[]>
}

/** A mail server that accepts every mail, some of them only when the test says so. */
export const startHoldingMailServer = async (): Promise<HoldingMailServer> => {
  const mails: string[] = []
  const holds: Record<Step, ((answer: () => void) => void)[]> = { greeting: [], mail: [] }
  const answered = (step: Step, answer: () => void): void => {
    const hold = holds[step].shift()
    if (hold === undefined) answer()
    else hold(answer)
  }
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    onConnect: (_session, done) => answered('greeting', done),
    onData(stream, _session, done) {
      text(stream).then((mail) => {
        answered('mail', () => {
          mails.push(mail)
          done()
        })
      }, done)
    },
  })
  server.on('error', () => {})
  server.server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    holdNext: (step) => new Promise((resolve) => holds[step].push(resolve)),
    async mailsTo(address, atLeast) {
      const found = (): string[] => mails.filter((mail) => mail.includes(`To: ${address}\r\n`))
      await eventually(() => found().length >= atLeast, { what: `${atLeast} mails to ${address}` })
      return found()
    },
    [Symbol.asyncDispose]: () =>
      new Promise((done) => {
        server.close(done)
      }),
  }
}
