import { connect, type Socket } from 'node:net'
import { startDeadline } from '../../lib/deadline.ts'

export type SmtpAddress = { readonly host: string; readonly port: number }

/** How many times in its deadline a connection is looked at: it ends that much later at most. */
const looks = 4

/**
 * Opens a connection that ends when the server is silent for so long. The timers of nodemailer would end it before a process
 * that was stopped has read an answer.
 */
export const openSmtpSocket = ({ host, port }: SmtpAddress, silenceMs: number): Promise<Socket> => {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect({ host, port, autoSelectFamilyAttemptTimeout: Math.max(silenceMs / looks, 250) })
  socket.once('connect', () => resolve(socket)).once('error', reject)
  socket.once('close', () => reject(silence()))
  endIfSilent(socket, silenceMs)
  return promise
}

const endIfSilent = (socket: Socket, silenceMs: number): void => {
  let seen = 0
  let silent = 0
  const look = (): void => {
    const transferred = socket.bytesRead + socket.bytesWritten
    silent = transferred === seen ? silent + 1 : 0
    seen = transferred
    if (silent >= looks) socket.destroy(silence())
    else deadline = startDeadline(silenceMs / looks, look).unref()
  }
  let deadline = startDeadline(silenceMs / looks, look).unref()
  socket.once('close', () => deadline[Symbol.dispose]())
}

const silence = (): Error => Object.assign(new Error('The mail server is silent'), { code: 'ETIMEDOUT' })
