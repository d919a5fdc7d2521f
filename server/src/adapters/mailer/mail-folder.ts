import { createHash } from 'node:crypto'
import { open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ReadMessage, readMessage } from '../../lib/read-message.ts'
import { uuidv7Bound } from '../../lib/uuid.ts'
import type { MailFolder, WrittenMail } from '../../ports/mailer/mailer.ts'

type File = { readonly id: string; readonly name: string; readonly writtenAt: Date }

const filePattern = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)_.+\.eml$/
const headerBytes = 16 * 1_024
const filesAtOnce = 50

/** Reads the files of a folder of mails. Other files in it are ignored. */
export const createMailFolder = (folder: string): MailFolder => ({
  async list({ text, after, limit }) {
    const files = (await filesIn(folder)).filter(({ id }) => after === undefined || id < after)
    const found: WrittenMail[] = []
    for (let at = 0; at < files.length && found.length < limit; at += filesAtOnce) {
      const mails = await Promise.all(
        files
          .slice(at, at + filesAtOnce)
          .map(async (file) => summaryOf(file, readMessage(await readStart(join(folder, file.name))))),
      )
      found.push(...(text === undefined ? mails : mails.filter((mail) => hasWords(mail, text))))
    }
    return found.slice(0, limit)
  },
  async read(id) {
    const file = (await filesIn(folder)).find((one) => one.id === id)
    if (file === undefined) return undefined
    const message = readMessage(await readFile(join(folder, file.name)))
    const partOf = (type: string) =>
      message.parts
        .find((part) => part.type === type && part.filename === undefined)
        ?.content.toString('utf8')
    return {
      ...summaryOf(file, message),
      from: message.header('from'),
      text: partOf('text/plain') ?? '',
      html: partOf('text/html'),
      attachments: message.parts.flatMap(({ filename, type, contentId, content }) =>
        filename === undefined ? [] : [{ filename, type, contentId, content }],
      ),
    }
  },
})

const summaryOf = ({ id, writtenAt }: File, { recipients, header }: ReadMessage): WrittenMail => ({
  id,
  writtenAt,
  to: recipients,
  subject: header('subject'),
})

const hasWords = ({ to, subject }: WrittenMail, text: string): boolean => {
  const words = wordsOf([...to, subject].join(' '))
  return wordsOf(text).every((wanted) => words.some((word) => word.startsWith(wanted)))
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Newest first. */
const filesIn = async (folder: string): Promise<readonly File[]> => {
  const names = await readdir(folder).catch(() => [])
  const files = names.flatMap((name): readonly File[] => {
    const [, hour, minute, second] = filePattern.exec(name) ?? []
    if (hour === undefined) return []
    const writtenAt = new Date(`${hour}:${minute}:${second}`)
    return Number.isNaN(writtenAt.getTime()) ? [] : [{ id: idOf(name, writtenAt), name, writtenAt }]
  })
  return files.toSorted((one, other) => (one.id < other.id ? 1 : -1))
}

/** A UUIDv7 of the time in the name, and the same whenever the folder is read. */
const idOf = (name: string, writtenAt: Date): string => {
  const hash = createHash('sha256').update(name).digest('hex')
  const time = uuidv7Bound(writtenAt.getTime()).slice(0, 13)
  return `${time}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`
}

const readStart = async (path: string): Promise<Buffer> => {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0)
  return buffer.subarray(0, bytesRead)
}
