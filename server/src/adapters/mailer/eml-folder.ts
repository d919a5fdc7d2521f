import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Mail, Mailer } from '../../ports/mailer/mailer.ts'
import { type ComposerOptions, createComposer } from './compose-mail.ts'
import { createMailFolder } from './mail-folder.ts'
import { parseSender } from './single-address.ts'

/** Replaces a mail server: writes every mail into an `.eml` file, which mail programs can open. */
export const createEmlFolderMailer = (options: ComposerOptions & { readonly folder: string }): Mailer => {
  const { folder, clock } = options
  const compose = createComposer(options)
  const composer = createTransport({ streamTransport: true, buffer: true })
  const writing = new Map<string, Promise<void>>()
  /** Read once, so that a large folder is not listed for every mail. Two processes may therefore write the same mail. */
  let written: Promise<Set<string>> | undefined

  const write = async (mail: Mail): Promise<void> => {
    const { message } = await composer.sendMail(readable(compose(mail)))
    if (!Buffer.isBuffer(message)) throw new TypeError('nodemailer did not return a buffer')
    written ??= idsIn(folder).catch((error: unknown) => {
      written = undefined
      throw error
    })
    const ids = await written
    if (ids.has(mail.id)) return
    const time = new Date(clock.now()).toISOString().replaceAll(':', '-')
    await writeDurably(folder, `${time}_${mail.id}.eml`, message)
    ids.add(mail.id)
  }

  return {
    sender: parseSender(options.from).address,
    folder: createMailFolder(folder),
    send(mail) {
      // A second call for the same mail waits for the first and then finds its file.
      const sending = (writing.get(mail.id) ?? Promise.resolve()).catch(() => {}).then(() => write(mail))
      writing.set(mail.id, sending)
      const clear = (): void => {
        if (writing.get(mail.id) === sending) writing.delete(mail.id)
      }
      sending.then(clear, clear)
      return sending
    },
    async check(signal) {
      signal.throwIfAborted()
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const probe = join(folder, `.check-${randomBytes(6).toString('hex')}`)
      await writeFile(probe, '', { mode: 0o600, flag: 'wx', signal })
      await rm(probe)
    },
    async [Symbol.asyncDispose]() {},
  }
}

/** RFC 5322 §2.1.1, without the line end. */
const maxLineBytes = 998

/** Does not encode the text if its lines are short enough: without a mail program, people copy the link from the file. */
const readable = (mail: SendMailOptions): SendMailOptions => {
  const { text, html } = mail
  // A mail without a second part would lose its headers.
  if (typeof text !== 'string' || html === undefined) return mail
  if (text.split('\r\n').some((line) => Buffer.byteLength(line) > maxLineBytes)) return mail
  const header = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n'
  return { ...mail, text: { raw: `${header}${text}` } }
}

const idsIn = async (folder: string): Promise<Set<string>> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return new Set((await readdir(folder)).flatMap((name) => /_(.+)\.eml$/.exec(name)?.[1] ?? []))
}

const writeDurably = async (folder: string, name: string, bytes: Uint8Array): Promise<void> => {
  const temporary = join(folder, `.${randomBytes(8).toString('hex')}.tmp`)
  try {
    await writeFile(temporary, bytes, { mode: 0o600, flag: 'wx', flush: true })
    await rename(temporary, join(folder, name))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await using directory = await open(folder)
  await directory.sync()
}
