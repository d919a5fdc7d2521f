import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { domainToASCII } from 'node:url'
import { inspect } from 'node:util'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { Secret } from '../../lib/secret.ts'
import { systemClock } from '../../ports/clock/clock.ts'
import { type Mailer, MailRefused } from '../../ports/mailer/mailer.ts'
import { type Delivered, describeMailer, mailWith, suiteSender } from '../../ports/mailer/mailer.suite.ts'
import { createSmtpMailer } from './smtp.ts'
import { generousDeadline, generousMs } from '../../../test/eventually.ts'

interface MailServer extends AsyncDisposable {
  readonly mailer: Mailer
  readonly delivered: Delivered[]
}

const mailerFor = (port: number, timeoutMs = generousMs, userinfo = ''): Mailer =>
  createSmtpMailer({
    url: new Secret(`smtp://${userinfo}127.0.0.1:${port}`),
    from: suiteSender,
    clock: systemClock,
    timeoutMs,
  })

const startMailServer = async (options: SMTPServerOptions = {}, userinfo = ''): Promise<MailServer> => {
  const delivered: Delivered[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: userinfo === '',
    disableReverseLookup: true,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => asSent(address))
        delivered.push({ raw: Buffer.concat(chunks), recipients })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  const port = await listen(server.server)
  const mailer = mailerFor(port, generousMs, userinfo)
  return {
    mailer,
    delivered,
    async [Symbol.asyncDispose]() {
      await mailer[Symbol.asyncDispose]()
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
}

interface RawServer extends AsyncDisposable {
  readonly port: number
}

/** A TCP server with the given behaviour. */
const startRawServer = async (onConnection: (socket: Socket) => void): Promise<RawServer> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.resume()
    onConnection(socket)
  })
  const port = await listen(server)
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The server returns international domains in decoded form. */
const asSent = (address: string): string => {
  const at = address.lastIndexOf('@') + 1
  return address.slice(0, at) + domainToASCII(address.slice(at))
}

const listen = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return address.port
}

const drip =
  (text: string) =>
  (socket: Socket): void => {
    const timer = setInterval(() => socket.write(text), 50)
    socket.on('close', () => clearInterval(timer))
  }

const answering = (responseCode: number, text: string): Error =>
  Object.assign(new Error(text), { responseCode })
const isRetryable = (error: unknown): boolean => error instanceof Error && !(error instanceof MailRefused)

describeMailer('SMTP', async () => {
  const server = await startMailServer()
  return {
    mailer: server.mailer,
    delivered: async () => server.delivered,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})

describe('a mail server that answers', () => {
  test('with 5xx to a recipient or the content causes MailRefused, without an address in its message', async () => {
    const unknown = answering(550, '<lucja@mill.example> unknown')
    await using server = await startMailServer({ onRcptTo: (_address, _session, done) => done(unknown) })
    await assert.rejects(server.mailer.send(mailWith()), (error: Error) => {
      assert.ok(error instanceof MailRefused)
      assert.match(error.message, /550/)
      assert.doesNotMatch(error.message, /lucja/)
      return true
    })
    await using strict = await startMailServer({
      onData(stream, _session, done) {
        stream.resume().on('end', () => done(answering(554, 'spam')))
      },
    })
    await assert.rejects(strict.mailer.send(mailWith()), MailRefused)
  })

  test('with 4xx causes an error that can be retried', async () => {
    let busy = true
    await using server = await startMailServer({
      onRcptTo: (_address, _session, done) => done(busy ? answering(451, 'later') : null),
    })
    await assert.rejects(server.mailer.send(mailWith()), isRetryable)
    busy = false
    await server.mailer.send(mailWith())
    assert.equal(server.delivered.length, 1)
  })

  test('with a refusal of one of two recipients has not accepted the mail', async () => {
    let code = 550
    await using server = await startMailServer({
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('bad') ? answering(code, 'no') : null),
    })
    const to = [{ address: 'good@mill.example' }, { address: 'bad@mill.example' }]
    await assert.rejects(server.mailer.send(mailWith({ to })), MailRefused)
    code = 450
    await assert.rejects(server.mailer.send(mailWith({ to })), isRetryable)
  })

  test('that the password is wrong does not refuse the mail, and the password is not printed', async () => {
    await using server = await startMailServer(
      { onAuth: (_auth, _session, done) => done(answering(535, 'wrong')) },
      'seal:pass-word-7@',
    )
    await assert.rejects(server.mailer.send(mailWith()), (error) => {
      assert.ok(isRetryable(error))
      assert.doesNotMatch(inspect(error, { depth: 9 }), /pass-word-7/)
      return true
    })
    await assert.rejects(server.mailer.check(generousDeadline()))
  })
})

describe('a mail server', () => {
  test('that is down causes an error that can be retried, and check reports it', async () => {
    const gone = await startRawServer(() => {})
    await gone[Symbol.asyncDispose]()
    await using mailer = mailerFor(gone.port)
    await assert.rejects(mailer.send(mailWith()), isRetryable)
    await assert.rejects(mailer.check(generousDeadline()))
  })

  test('that never greets, disconnects, or sends its greeting very slowly is abandoned within the deadline', async () => {
    const timeoutMs = 200
    const endlessLines = drip('220-still here\r\n')
    for (const behaviour of [() => {}, (socket: Socket) => socket.end(), drip('2'), endlessLines]) {
      await using server = await startRawServer(behaviour)
      await using mailer = mailerFor(server.port, timeoutMs)
      // Without a deadline none of them would ever end.
      await assert.rejects(mailer.send(mailWith()), isRetryable)
      await assert.rejects(mailer.check(AbortSignal.timeout(timeoutMs)))
    }
  })

  test('receives a second mail over the connection of the first', async () => {
    let connections = 0
    await using server = await startMailServer({
      onConnect(_session, done) {
        connections += 1
        done()
      },
    })
    for (const id of ['one', 'two', 'three']) await server.mailer.send(mailWith({ id }))
    assert.equal(server.delivered.length, 3)
    assert.equal(connections, 1)
  })

  test('on another machine never receives the password without encryption', async () => {
    const lines: string[] = []
    await using server = await startRawServer((socket) => {
      socket.write('220 here\r\n')
      socket.on('data', (data) => {
        lines.push(data.toString())
        socket.write(
          data.toString().startsWith('EHLO') ? '250-here\r\n250 AUTH PLAIN LOGIN\r\n' : '500 no\r\n',
        )
      })
    })
    const url = new Secret(`smtp://seal:pass-word-7@127.1:${server.port}`)
    await using mailer = createSmtpMailer({
      url,
      from: suiteSender,
      clock: systemClock,
      timeoutMs: generousMs,
    })
    await assert.rejects(mailer.send(mailWith()), isRetryable)
    assert.ok(lines.some((line) => line.startsWith('EHLO')))
    assert.ok(lines.every((line) => !line.startsWith('AUTH')))
  })
})
